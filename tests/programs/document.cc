#include "programs/document.h"

#include <algorithm>
#include <functional>

namespace sheaf::programs {
namespace {

void write(ValueWriter& out, const Document& document) {
  switch (document.kind) {
    case Document::Kind::kLeaf:
      return out.copy(document.leaf);
    case Document::Kind::kMap:
      out.begin_map();
      for (const auto& [name, member] : document.members) {
        out.key(name);
        write(out, member);
      }
      return out.end_map();
    case Document::Kind::kList:
      out.begin_list();
      for (const Document& element : document.elements) write(out, element);
      return out.end_list();
  }
}

std::optional<ValueView> step_into(ValueView value, const DocumentPath::Step& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    return value.type() == Type::kMap ? value.map().find(*name) : std::nullopt;
  }
  return value.type() == Type::kList ? value.list().at(std::get<uint32_t>(step)) : std::nullopt;
}

// What is left of `value` if only the parts behind `rests` are kept; nothing if there are none.
using Rest = std::vector<DocumentPath::Step>;
std::optional<Document> keep(ValueView value, const std::vector<Rest>& rests) {
  if (std::any_of(rests.begin(), rests.end(), [](const Rest& rest) { return rest.empty(); }))
    return Document::of(value);
  std::map<DocumentPath::Step, std::vector<Rest>> by_step;
  for (const Rest& rest : rests) by_step[rest.front()].emplace_back(rest.begin() + 1, rest.end());
  Document kept;
  kept.kind = value.type() == Type::kList ? Document::Kind::kList : Document::Kind::kMap;
  for (const auto& [step, deeper] : by_step) {
    const std::optional<ValueView> part = step_into(value, step);
    if (!part) continue;
    std::optional<Document> found = keep(*part, deeper);
    if (!found) continue;
    if (const auto* name = std::get_if<std::string>(&step)) {
      kept.members.emplace(*name, std::move(*found));
    } else {
      kept.elements.push_back(std::move(*found));
    }
  }
  if (kept.members.empty() && kept.elements.empty()) return std::nullopt;
  return kept;
}

}  // namespace

bool paths_clash(const DocumentPath& a, const DocumentPath& b) {
  if (a.attribute != b.attribute) return false;
  for (size_t i = 0; i < std::min(a.steps.size(), b.steps.size()); ++i) {
    if (a.steps[i].index() != b.steps[i].index()) return true;
    if (a.steps[i] != b.steps[i]) return false;
  }
  return true;
}

Document Document::of(ValueView value) {
  if (value.type() == Type::kMap) return of(value.map());
  Document document;
  if (value.type() == Type::kList) {
    document.kind = Kind::kList;
    for (const ValueView element : value.list()) document.elements.push_back(of(element));
  } else {
    document.leaf = Value(value);
  }
  return document;
}

Document Document::of(ItemView item) {
  Document document;
  document.kind = Kind::kMap;
  for (const auto [name, value] : item) document.members.emplace(name, of(value));
  return document;
}

Value Document::to_value() const {
  ValueWriter out;
  write(out, *this);
  return Value::decode(out.finish().value()).value();
}

Item Document::to_item() const {
  ValueWriter out;
  out.begin_item();
  for (const auto& [name, member] : members) {
    out.key(name);
    write(out, member);
  }
  out.end_item();
  return Item::decode(out.finish().value()).value();
}

std::optional<ValueView> value_at(ItemView item, const DocumentPath& path) {
  std::optional<ValueView> value = item.find(path.attribute);
  for (const DocumentPath::Step& step : path.steps) {
    if (!value) return std::nullopt;
    value = step_into(*value, step);
  }
  return value;
}

Item project_paths(ItemView item, const std::vector<DocumentPath>& paths) {
  std::map<std::string, std::vector<Rest>> by_attribute;
  for (const DocumentPath& path : paths) by_attribute[path.attribute].push_back(path.steps);
  Document kept;
  kept.kind = Document::Kind::kMap;
  for (const auto& [name, rests] : by_attribute) {
    const std::optional<ValueView> value = item.find(name);
    if (!value) continue;
    if (std::optional<Document> found = keep(*value, rests)) kept.members.emplace(name, std::move(*found));
  }
  return kept.to_item();
}

Item project_names(ItemView item, const std::vector<std::string>& names) {
  Item kept;
  for (const std::string& name : names) {
    if (const std::optional<ValueView> value = item.find(name)) kept.set(name, *value);
  }
  return kept;
}

// A sign costs one byte, so does the exponent, and then every two digits left and right of the point, without
// the zeros around them.
uint32_t bytes_of_number(std::string text) {
  const bool negative = text.front() == '-';
  if (negative) text.erase(0, 1);
  const size_t point = std::min(text.find('.'), text.size());
  std::string whole = text.substr(0, point);
  std::string fraction = point < text.size() ? text.substr(point + 1) : "";
  if (whole.size() % 2 != 0) whole.insert(0, "0");
  if (fraction.size() % 2 != 0) fraction.append("0");
  std::string digits = whole + fraction;
  while (digits.ends_with("00")) digits.erase(digits.size() - 2);
  while (digits.starts_with("00")) digits.erase(0, 2);
  if (digits.empty()) return 1;
  return 1 + static_cast<uint32_t>(digits.size() / 2) + (negative ? 1 : 0);
}

uint32_t bytes_of(ValueView value) {
  uint32_t bytes = 0;
  switch (value.type()) {
    case Type::kNull:
    case Type::kBool:
      return 1;
    case Type::kNumber:
      return bytes_of_number(value.number().to_string());
    case Type::kString:
    case Type::kBinary:
      return static_cast<uint32_t>(value.bytes().size());
    case Type::kMap:
      for (const auto [name, member] : value.map())
        bytes += 1 + static_cast<uint32_t>(name.size()) + bytes_of(member);
      return 3 + bytes;
    case Type::kList:
      for (const ValueView element : value.list()) bytes += 1 + bytes_of(element);
      return 3 + bytes;
    case Type::kNumberSet:
      for (const std::string_view element : value.set())
        bytes += bytes_of_number(NumberView(element).to_string());
      return bytes;
    case Type::kStringSet:
    case Type::kBinarySet:
      break;
  }
  for (const std::string_view element : value.set()) bytes += static_cast<uint32_t>(element.size());
  return bytes;
}

uint32_t bytes_of(ItemView item) {
  uint32_t bytes = 0;
  for (const auto [name, value] : item) bytes += static_cast<uint32_t>(name.size()) + bytes_of(value);
  return bytes;
}

}  // namespace sheaf::programs

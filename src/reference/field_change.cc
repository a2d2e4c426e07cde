#include "reference/field_change.h"

#include <set>

namespace sheaf::reference {

std::optional<Value> added(const std::optional<Value>& to, const Value& what, const language::Type& type) {
  if (type.kind == language::Type::Kind::kSet) {
    if (!to) return what;
    std::set<std::string> elements;
    for (const std::string_view each : to->view().set()) elements.emplace(each);
    for (const std::string_view each : what.view().set()) elements.emplace(each);
    ValueWriter writer;
    writer.begin_set(to->type());
    for (const std::string& each : elements) writer.element(each);
    writer.end_set();
    return Value::from_encoded(*writer.finish());
  }
  if (what.type() != Type::kNumber || (to && to->type() != Type::kNumber)) return std::nullopt;
  const auto sum = add(to.value_or(Value(0)).view().number(), what.view().number());
  return sum.ok() ? std::optional(Value(*sum)) : std::nullopt;
}

std::optional<Value> replaced(const std::optional<Value>& whole, const std::vector<std::string>& path,
                              size_t at, const Value& value) {
  if (at == path.size()) return value;
  if (!whole || whole->type() != Type::kMap) return std::nullopt;
  Item map(whole->view().map());
  const auto member = map.find(path[at]);
  const auto inner = replaced(member ? std::optional(Value(*member)) : std::nullopt, path, at + 1, value);
  if (!inner) return std::nullopt;
  map.set(path[at], *inner);
  return Value(map);
}

Value without(const Value& whole, const std::vector<std::string>& path, size_t at) {
  if (whole.type() != Type::kMap) return whole;
  Item map(whole.view().map());
  const auto member = map.find(path[at]);
  if (!member) return whole;
  if (at + 1 == path.size()) {
    map.remove(path[at]);
  } else {
    map.set(path[at], without(Value(*member), path, at + 1));
  }
  return Value(map);
}

}  // namespace sheaf::reference

#include "console/key_words.h"

#include <algorithm>

#include "base/errors.h"
#include "base/joined.h"
#include "base/try.h"
#include "value/base64.h"
#include "value/utf8.h"

namespace sheaf::console {
namespace {

std::vector<KeyAttribute> all_of(const KeySchema& key) {
  std::vector<KeyAttribute> all = key.partition;
  all.insert(all.end(), key.sort.begin(), key.sort.end());
  return all;
}

std::string names_of(const std::vector<KeyAttribute>& attributes) {
  std::string out;
  for (size_t i = 0; i < attributes.size(); ++i) {
    if (i > 0) out += i + 1 == attributes.size() ? " and " : ", ";
    out += attributes[i].name;
  }
  return out;
}

// One condition on the sort key is all that there is.
Result<std::string> range_condition(const KeyAttribute& attribute, const SortRange& range,
                                    WrittenExpressions& written) {
  const auto value = [&](const std::string& text) -> Result<std::string> {
    const Value typed = TRY(key_value(attribute, text));
    return written.value(typed);
  };
  const std::string name = written.name(attribute.name);
  if (range.begins) {
    if (attribute.type == Type::kNumber)
      return invalid(attribute.name + " is a number, which does not begin with anything: --from and --to do");
    const std::string prefix = TRY(value(*range.begins));
    return "begins_with(" + name + ", " + prefix + ")";
  }
  if (range.from && range.to) {
    const std::string from = TRY(value(*range.from));
    const std::string to = TRY(value(*range.to));
    return name + " BETWEEN " + from + " AND " + to;
  }
  const std::pair<const std::optional<std::string>*, std::string_view> sides[] = {
      {&range.from, " >= "}, {&range.to, " <= "}, {&range.after, " > "}, {&range.before, " < "}};
  for (const auto& [bound, comparison] : sides) {
    if (!*bound) continue;
    const std::string typed = TRY(value(**bound));
    return name + std::string(comparison) + typed;
  }
  return std::string();
}

Result<bool> has_range(const SortRange& range) {
  const size_t count = size_t{range.begins.has_value()} + size_t{range.from.has_value()} +
                       size_t{range.to.has_value()} + size_t{range.after.has_value()} +
                       size_t{range.before.has_value()};
  const bool is_between = range.from && range.to && count == 2;
  if (count > 1 && !is_between) {
    return invalid(
        "one of --begins, --from, --to, --after and --before, or --from with --to: DynamoDB has no other "
        "ranges");
  }
  return count > 0;
}

}  // namespace

std::string names_of(const KeySchema& key) { return names_of(all_of(key)); }

Result<Value> key_value(const KeyAttribute& attribute, std::string_view text) {
  switch (attribute.type) {
    case Type::kNumber: {
      const Result<Number> number = Number::parse(text);
      if (!number.ok()) return invalid(attribute.name + " is a number, and not " + std::string(text));
      return Value(*number);
    }
    case Type::kBinary: {
      std::string bytes;
      if (!decode_base64(bytes, text))
        return invalid(attribute.name + " is binary, which is typed as base64");
      return Value::binary(bytes);
    }
    default:
      if (!is_utf8(text)) return invalid(attribute.name + " is a text, and this is no UTF-8");
      return Value(text);
  }
}

Result<Item> item_key(std::string_view table, const KeySchema& key, std::span<const std::string> words) {
  const std::vector<KeyAttribute> attributes = all_of(key);
  if (attributes.size() != words.size()) {
    return invalid("the key of " + std::string(table) + " is " + names_of(attributes) +
                   (attributes.size() == 1 ? ": one value" : ": two values") + ", and not " +
                   std::to_string(words.size()));
  }
  Item item;
  for (size_t i = 0; i < words.size(); ++i) {
    const Value value = TRY(key_value(attributes[i], words[i]));
    item.set(attributes[i].name, value);
  }
  return item;
}

Result<KeySchema> key_of_view(const TableDescription& table, const std::optional<std::string>& index) {
  if (!index) return table.key;
  std::vector<std::string> names;
  for (const IndexDescription& each : table.indexes) {
    if (each.name == *index) return each.key;
    names.push_back(each.name);
  }
  return Error{Code::kNotFound, "table " + table.name + " has no index " + *index +
                                    (names.empty() ? ": it has none" : "; it has " + joined(names))};
}

Result<std::string> key_condition_of(const KeySchema& key, std::span<const std::string> words,
                                     const SortRange& range, WrittenExpressions& written) {
  const std::vector<KeyAttribute> attributes = all_of(key);
  if (words.size() < key.partition.size() || words.size() > attributes.size()) {
    return invalid("the key is " + names_of(attributes) + ": " +
                   (words.size() > attributes.size() ? "there are " + std::to_string(words.size()) + " values"
                                                     : names_of(key.partition) + " must be given"));
  }
  std::string condition;
  for (size_t i = 0; i < words.size(); ++i) {
    const Value value = TRY(key_value(attributes[i], words[i]));
    if (!condition.empty()) condition += " AND ";
    condition += written.name(attributes[i].name) + " = " + written.value(value);
  }
  if (!TRY(has_range(range))) return condition;
  if (words.size() == attributes.size()) {
    return invalid(key.sort.empty() ? "there is no sort key, and so no range of it"
                                    : "the whole key is given, and a range of it as well");
  }
  const std::string rest = TRY(range_condition(attributes[words.size()], range, written));
  return condition + " AND " + rest;
}

Result<std::string> projection_of(std::span<const std::string> attributes, WrittenExpressions& written) {
  std::string projection;
  for (const std::string& each : attributes) {
    const std::string path = TRY(written.add(each));
    projection += (projection.empty() ? "" : ", ") + path;
  }
  return projection;
}

}  // namespace sheaf::console

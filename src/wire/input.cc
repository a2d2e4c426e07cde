#include "wire/input.h"

#include "base/try.h"
#include "expr/placeholders.h"

namespace sheaf::wire {

std::string_view table_of(std::string_view name) {
  if (!name.starts_with("arn:")) return name;
  constexpr std::string_view kTable = ":table/";
  const size_t table = name.find(kTable);
  if (table == std::string_view::npos) return name;
  name.remove_prefix(table + kTable.size());
  return name.substr(0, name.find('/'));
}

std::optional<std::string> Input::text(size_t member) const {
  if (!has(member)) return std::nullopt;
  return std::string(fields_.text(member));
}

std::string Input::table(size_t member) const { return std::string(table_of(fields_.text(member))); }

Result<Names> Input::names(size_t member) const {
  Names names;
  if (!has(member)) return names;
  for (const auto& [placeholder, name] : fields_.map(member))
    names.emplace_back(placeholder, name.get_string().value_unsafe());
  if (names.empty()) return Error{Code::kInvalid, "ExpressionAttributeNames must not be empty"};
  return names;
}

Result<Item> Input::values(size_t member) const {
  if (!has(member)) return Item();
  const simdjson::dom::object map = fields_.map(member);
  if (map.size() == 0) return Error{Code::kInvalid, "ExpressionAttributeValues must not be empty"};
  Result<Item> values = item(fields_.json(member));
  if (values.ok() || values.error().code != Code::kInvalid) return values;
  for (const auto& entry : map) TRY(expr::check_value_placeholder(entry.key));
  // Which of them it was.
  for (const auto& [placeholder, json] : map) {
    const Result<Value> value = reader_.value(json);
    if (value.ok()) continue;
    return Error{Code::kInvalid, "ExpressionAttributeValues contains invalid value: " +
                                     value.error().message + " for key " + std::string(placeholder)};
  }
  return values;
}

}  // namespace sheaf::wire

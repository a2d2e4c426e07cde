#include "language/syntax_json_values.h"

#include <algorithm>
#include <charconv>

#include "language/parser.h"
#include "language/written_parts.h"

namespace sheaf::language {
namespace {

// Adds the place to what is wrong with a string.
template <typename T>
Result<void> keep(const JsonPlace& place, Result<T> read, T& value) {
  if (!read.ok()) return place.error(read.error().message);
  value = std::move(*read);
  return {};
}

Result<void> check_depth(const JsonPlace& place, int depth) {
  if (depth > kNestingMax)
    return place.error("this is nested more than " + std::to_string(kNestingMax) + " levels deep");
  return {};
}

Result<void> read_number_text(const JsonPlace& place, std::string& text) {
  if (place.kind() != Json::Kind::kNumber) return place.error("this must be a number");
  if (!is_number(place.json().text)) return place.error("a number is written without an exponent here");
  text = place.json().text;
  return {};
}

// An object whose only member is true.
Result<void> check_true(const JsonPlace& place) {
  if (place.kind() != Json::Kind::kTrue) return place.error("this can only be true");
  return {};
}

// {"now": true} or {"map": {..}}
Result<void> read_special(const JsonPlace& place, Literal& literal, int depth) {
  JsonMembers members = TRY(JsonMembers::of(place));
  if (const std::optional<JsonPlace> now = members.find("now")) {
    literal.kind = Literal::Kind::kNow;
    TRY(check_true(*now));
    return members.finish();
  }
  const std::optional<JsonPlace> map = members.find("map");
  if (!map) return place.error("a value in an object has the member path, now, or map");
  TRY(JsonMembers::of(*map));
  literal.kind = Literal::Kind::kMap;
  literal.keys = map->json().names;
  for (size_t i = 0; i < map->size(); ++i) TRY(read(map->at(i), literal.items.emplace_back(), depth + 1));
  return members.finish();
}

bool is_path(const JsonPlace& place) {
  const std::vector<std::string>& names = place.json().names;
  return std::find(names.begin(), names.end(), "path") != names.end();
}

bool is_expression(const JsonPlace& place) {
  const std::vector<std::string>& names = place.json().names;
  return std::find(names.begin(), names.end(), "expression") != names.end();
}

Result<void> read_operands(JsonMembers& members, Condition& condition) {
  using Test = Condition::Test;
  switch (condition.test) {
    case Test::kExists:
    case Test::kMissing:
      return {};
    case Test::kIn:
      return read_member_list(members, "values", condition.operands);
    case Test::kBetween:
      TRY(read_member_list(members, "values", condition.operands));
      if (condition.operands.size() != 2) return members.find("values")->error("these must be two");
      return {};
    default:
      return read_member(members, "value", condition.operands.emplace_back());
  }
}

}  // namespace

Result<std::string> string_at(const JsonPlace& place) {
  if (place.kind() != Json::Kind::kString) return place.error("this must be a string");
  return place.json().text;
}

Result<void> read(const JsonPlace& place, bool& flag) {
  if (place.kind() != Json::Kind::kTrue && place.kind() != Json::Kind::kFalse)
    return place.error("this must be true or false");
  flag = place.kind() == Json::Kind::kTrue;
  return {};
}

Result<void> read(const JsonPlace& place, Name& name) {
  name.text = TRY(string_at(place));
  if (!is_name(name.text)) return place.error("a name is not empty and has no backquotes and line ends");
  return {};
}

Result<void> read(const JsonPlace& place, Text& text) {
  text.text = TRY(string_at(place));
  return {};
}

Result<void> read(const JsonPlace& place, Whole& whole) {
  const std::string& text = place.json().text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole.value);
  if (place.kind() != Json::Kind::kNumber || error != std::errc() || end != text.data() + text.size() ||
      text.starts_with('-'))
    return place.error("this must be a whole number from 0 to 2^63 - 1");
  return {};
}

Result<void> read(const JsonPlace& place, Path& path) {
  return keep(place, read_path(TRY(string_at(place))), path);
}

Result<void> read(const JsonPlace& place, Template& text) {
  return keep(place, read_template(TRY(string_at(place))), text);
}

Result<void> read(const JsonPlace& place, Literal& literal, int depth) {
  TRY(check_depth(place, depth));
  switch (place.kind()) {
    case Json::Kind::kNull:
      literal.kind = Literal::Kind::kNull;
      return {};
    case Json::Kind::kTrue:
      literal.kind = Literal::Kind::kTrue;
      return {};
    case Json::Kind::kFalse:
      literal.kind = Literal::Kind::kFalse;
      return {};
    case Json::Kind::kNumber:
      literal.kind = Literal::Kind::kNumber;
      return read_number_text(place, literal.text);
    case Json::Kind::kString:
      literal.kind = Literal::Kind::kString;
      literal.text = place.json().text;
      return {};
    case Json::Kind::kArray:
      literal.kind = Literal::Kind::kList;
      for (size_t i = 0; i < place.size(); ++i)
        TRY(read(place.at(i), literal.items.emplace_back(), depth + 1));
      return {};
    case Json::Kind::kObject:
      break;
  }
  return read_special(place, literal, depth);
}

Result<void> read(const JsonPlace& place, Operand& operand) {
  if (!is_path(place)) return read(place, operand.emplace<Literal>());
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "path", operand.emplace<Path>()));
  return members.finish();
}

Result<void> read(const JsonPlace& place, Expression& expression) {
  if (!is_expression(place)) return read(place, expression.first);
  JsonMembers members = TRY(JsonMembers::of(place));
  const JsonPlace list = TRY(members.get("expression"));
  if (list.kind() != Json::Kind::kArray || list.size() < 2)
    return list.error("this must be an array of a value and what follows it: [1, {\"+\": 2}]");
  TRY(read(list.at(0), expression.first));
  for (size_t i = 1; i < list.size(); ++i) {
    const JsonPlace next = list.at(i);
    const std::vector<std::string>& names = next.json().names;
    if (names.size() != 1 || (names[0] != "+" && names[0] != "-" && names[0] != "*"))
      return next.error("this must be an object with the member +, - or *");
    TRY(read(next.at(0), expression.rest.emplace_back(names[0].front(), Operand()).second));
  }
  return members.finish();
}

Result<void> read(const JsonPlace& place, Condition& condition) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "path", condition.path));
  TRY(read_member_word(members, "test", kTestWords, condition.test));
  TRY(read_operands(members, condition));
  return members.finish();
}

Result<void> read(const JsonPlace& place, Type& type, int depth) {
  TRY(check_depth(place, depth));
  if (place.kind() == Json::Kind::kString) return read_word(place, kScalarWords, type.kind);
  JsonMembers members = TRY(JsonMembers::of(place));
  if (members.has("enum")) {
    type.kind = Type::Kind::kEnum;
    TRY(read_member_list(members, "enum", type.values));
  } else if (const std::optional<JsonPlace> fields = members.find("fields")) {
    type.kind = Type::Kind::kObject;
    if (fields->kind() != Json::Kind::kArray) return fields->error("this must be an array");
    for (size_t i = 0; i < fields->size(); ++i)
      TRY(read(fields->at(i), type.fields.emplace_back(), depth + 1));
  } else {
    for (const WordOf<Type::Kind>& word : kContainerWords) {
      const std::optional<JsonPlace> element = members.find(word.text);
      if (!element || !type.element.empty()) continue;
      type.kind = word.value;
      TRY(read(*element, type.element.emplace_back(), depth + 1));
    }
    if (type.element.empty())
      return place.error("a type in an object has the member list, map, set, enum or fields");
    if (place.size() > 1) return place.error("a type in an object has one member");
  }
  return members.finish();
}

Result<void> read(const JsonPlace& place, Field& field, int depth) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "name", field.name));
  TRY(read_doc(members, field.doc));
  TRY(read_flag(members, "id", field.is_id));
  if (const std::optional<JsonPlace> type = members.find("type"))
    TRY(read(*type, field.type.emplace(), depth));
  TRY(read_flag(members, "optional", field.is_optional));
  TRY(read_flag(members, "unique", field.is_unique));
  TRY(read_flag(members, "immutable", field.is_immutable));
  std::optional<Changes> changes;
  TRY(read_optional_word(members, "changes", kChangesWords, changes));
  field.changes = changes.value_or(Changes::kUnsaid);
  TRY(read_optional(members, "default", field.default_value));
  TRY(read_optional(members, "max", field.max));
  TRY(read_optional(members, "matches", field.matches));
  TRY(read_optional(members, "since", field.since));
  TRY(read_optional(members, "stored_as", field.stored_as));
  TRY(read_optional(members, "count_of", field.count_of));
  return members.finish();
}

Result<void> read(const JsonPlace& place, Keys& keys) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "pk", keys.pk));
  TRY(read_optional(members, "sk", keys.sk));
  return members.finish();
}

Result<void> read(const JsonPlace& place, IndexKeys& keys) {
  JsonMembers members = TRY(JsonMembers::of(place));
  TRY(read_member(members, "index", keys.index));
  TRY(read_member(members, "pk", keys.keys.pk));
  TRY(read_optional(members, "sk", keys.keys.sk));
  TRY(read_optional_list(members, "when", keys.when));
  return members.finish();
}

Result<void> read_number(const JsonPlace& place, std::string& number) {
  TRY(read_number_text(place, number));
  if (number.starts_with('-')) return place.error("this must not be negative");
  return {};
}

Result<void> read_doc(JsonMembers& members, std::string& doc) {
  const std::optional<JsonPlace> place = members.find("doc");
  if (!place) return {};
  const std::string text = TRY(string_at(*place));
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (!doc.empty()) doc += '\n';
    doc += line.substr(0, line.find_last_not_of(" \t\r") + 1);
    begin = end + 1;
  }
  return {};
}

Result<void> read_physical(JsonMembers& members, Physical& physical) {
  TRY(read_optional(members, "in", physical.table));
  TRY(read_optional(members, "tag", physical.tag));
  TRY(read_optional_word(members, "store", kStoreWords, physical.store));
  TRY(read_optional(members, "key", physical.key));
  return read_optional_list(members, "indexes", physical.indexes);
}

}  // namespace sheaf::language

#include "infer/field_types.h"

#include <algorithm>
#include <map>
#include <set>

#include "infer/names.h"
#include "language/written_parts.h"
#include "model/value_type.h"

namespace sheaf::infer {
namespace {

using TypeKind = language::Type::Kind;
using TypeOf = sheaf::Type;

language::Type simple(TypeKind kind) {
  language::Type type;
  type.kind = kind;
  return type;
}

language::Type container(TypeKind kind, language::Type element) {
  language::Type type = simple(kind);
  type.element.push_back(std::move(element));
  return type;
}

bool all(const std::vector<std::string>& texts, bool (*test)(std::string_view)) {
  return std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return test(text); });
}

bool is_whole(ValueView value) {
  const std::string text = value.number().to_string();
  return text.find_first_of(".E") == std::string::npos;
}

language::Type type_of_sets(TypeOf type) {
  return container(TypeKind::kSet, simple(type == TypeOf::kNumberSet   ? TypeKind::kNumber
                                          : type == TypeOf::kBinarySet ? TypeKind::kBinary
                                                                       : TypeKind::kString));
}

// Deeper values, and maps with more names, are not looked into.
constexpr int kLevelsMax = 6;
constexpr size_t kMembersMax = 40;

language::Type type_of(const std::vector<ValueView>& values, int level);

language::Type type_of_lists(const std::vector<ValueView>& values, int level) {
  std::vector<ValueView> elements;
  for (const ValueView value : values) {
    for (const ValueView element : value.list()) elements.push_back(element);
  }
  return container(TypeKind::kList, elements.empty() ? simple(TypeKind::kAny) : type_of(elements, level + 1));
}

// Fields if some name is in all of them, or they have nothing in common; else a map of one type.
language::Type type_of_maps(const std::vector<ValueView>& values, int level) {
  std::map<std::string, std::vector<ValueView>> members;
  std::vector<ValueView> all_members;
  for (const ValueView value : values) {
    for (const Attribute member : value.map()) {
      members[std::string(member.name)].push_back(member.value);
      all_members.push_back(member.value);
    }
  }
  if (members.empty()) return container(TypeKind::kMap, simple(TypeKind::kAny));
  const bool are_names = std::all_of(members.begin(), members.end(),
                                     [](const auto& member) { return is_field_name(member.first); });
  const bool has_steady = std::any_of(members.begin(), members.end(), [&](const auto& member) {
    return member.second.size() == values.size();
  });
  const language::Type element = type_of(all_members, level + 1);
  if (!are_names || members.size() > kMembersMax || (!has_steady && element.kind != TypeKind::kAny))
    return container(TypeKind::kMap, element);
  language::Type type = simple(TypeKind::kObject);
  for (const auto& [name, seen] : members) {
    language::Field field;
    field.name.text = name;
    field.type = type_of(seen, level + 1);
    // Null is no value, either.
    field.is_optional =
        seen.size() < values.size() ||
        std::any_of(seen.begin(), seen.end(), [](ValueView value) { return value.type() == TypeOf::kNull; });
    type.fields.push_back(std::move(field));
  }
  return type;
}

language::Type type_of(const std::vector<ValueView>& values, int level) {
  if (values.empty() || level > kLevelsMax) return simple(TypeKind::kAny);
  const TypeOf first = values.front().type();
  const bool is_mixed =
      std::any_of(values.begin(), values.end(), [&](ValueView value) { return value.type() != first; });
  if (is_mixed) return simple(TypeKind::kAny);
  switch (first) {
    case TypeOf::kString: {
      std::vector<std::string> texts;
      for (const ValueView value : values) texts.emplace_back(value.bytes());
      return type_of_texts(texts);
    }
    case TypeOf::kNumber:
      return simple(std::all_of(values.begin(), values.end(), is_whole) ? TypeKind::kInt : TypeKind::kNumber);
    case TypeOf::kBool:
      return simple(TypeKind::kBool);
    case TypeOf::kBinary:
      return simple(TypeKind::kBinary);
    case TypeOf::kList:
      return type_of_lists(values, level);
    case TypeOf::kMap:
      return type_of_maps(values, level);
    case TypeOf::kStringSet:
    case TypeOf::kNumberSet:
    case TypeOf::kBinarySet:
      return type_of_sets(first);
    case TypeOf::kNull:
      break;
  }
  return simple(TypeKind::kAny);
}

}  // namespace

bool is_ulid(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  return text.size() == 26 && text.find_first_not_of(kDigits) == std::string_view::npos;
}

bool is_uuid(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_dash ? text[i] != '-' : kDigits.find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

language::Type type_of_texts(const std::vector<std::string>& texts) {
  if (texts.empty()) return simple(TypeKind::kString);
  if (all(texts, model::is_time)) return simple(TypeKind::kTime);
  if (all(texts, model::is_date)) return simple(TypeKind::kDate);
  if (all(texts, is_ulid)) return simple(TypeKind::kUlid);
  if (all(texts, is_uuid)) return simple(TypeKind::kUuid);
  const std::set<std::string> distinct(texts.begin(), texts.end());
  const bool is_enum = texts.size() >= kEnumItemsMin && distinct.size() <= kEnumValuesMax &&
                       texts.size() >= distinct.size() * kItemsPerValueMin &&
                       std::all_of(distinct.begin(), distinct.end(), language::is_name);
  if (!is_enum) return simple(TypeKind::kString);
  language::Type type = simple(TypeKind::kEnum);
  for (const std::string& value : distinct) type.values.push_back({.text = value});
  return type;
}

language::Type type_of_values(const std::vector<ValueView>& values) { return type_of(values, 0); }

language::Type type_of_word(std::string_view word) {
  if (word == "S") return simple(TypeKind::kString);
  if (word == "N") return simple(TypeKind::kNumber);
  if (word == "B") return simple(TypeKind::kBinary);
  if (word == "BOOL") return simple(TypeKind::kBool);
  if (word == "SS") return type_of_sets(TypeOf::kStringSet);
  if (word == "NS") return type_of_sets(TypeOf::kNumberSet);
  if (word == "BS") return type_of_sets(TypeOf::kBinarySet);
  if (word == "L") return container(TypeKind::kList, simple(TypeKind::kAny));
  if (word == "M") return container(TypeKind::kMap, simple(TypeKind::kAny));
  return simple(TypeKind::kAny);
}

}  // namespace sheaf::infer

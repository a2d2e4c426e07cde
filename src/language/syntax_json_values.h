// Reads the parts of a model that stand inside others from JSON: names, values, conditions, types, fields,
// keys.
//
// read(place, x) sets x from the value at `place`, or says what is wrong there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/try.h"
#include "language/json_tree.h"
#include "language/syntax.h"
#include "language/syntax_words.h"

namespace sheaf::language {

Result<std::string> string_at(const JsonPlace& place);
Result<void> read(const JsonPlace& place, bool& flag);
Result<void> read(const JsonPlace& place, Name& name);
Result<void> read(const JsonPlace& place, Text& text);
Result<void> read(const JsonPlace& place, Whole& whole);
Result<void> read(const JsonPlace& place, Path& path);
Result<void> read(const JsonPlace& place, Template& text);
Result<void> read(const JsonPlace& place, Literal& literal, int depth = 0);
Result<void> read(const JsonPlace& place, Operand& operand);
Result<void> read(const JsonPlace& place, Expression& expression);
Result<void> read(const JsonPlace& place, Condition& condition);
Result<void> read(const JsonPlace& place, Type& type, int depth = 0);
Result<void> read(const JsonPlace& place, Field& field, int depth = 0);
Result<void> read(const JsonPlace& place, Keys& keys);
Result<void> read(const JsonPlace& place, IndexKeys& keys);

// At least zero.
Result<void> read_number(const JsonPlace& place, std::string& number);
// As the language has them: no line ends in blanks, the first has something in it.
Result<void> read_doc(JsonMembers& members, std::string& doc);
// The members that entities, their layouts and `via` share.
Result<void> read_physical(JsonMembers& members, Physical& physical);

// One of `words`.
template <typename T, size_t N>
Result<void> read_word(const JsonPlace& place, const std::array<WordOf<T>, N>& words, T& value) {
  const std::string text = TRY(string_at(place));
  const std::optional<T> found = value_of_word(words, text);
  if (found) {
    value = *found;
    return {};
  }
  std::string all;
  for (const WordOf<T>& word : words) all += (all.empty() ? "" : ", ") + std::string(word.text);
  return place.error(text + " is none of " + all);
}

enum class Least : uint8_t { kNone, kOne };

template <typename T>
Result<void> read_list(const JsonPlace& place, std::vector<T>& list, Least least) {
  if (place.kind() != Json::Kind::kArray) return place.error("this must be an array");
  if (least == Least::kOne && place.size() == 0) return place.error("this must not be empty");
  for (size_t i = 0; i < place.size(); ++i) TRY(read(place.at(i), list.emplace_back()));
  return {};
}

// A member that must be there.
template <typename T>
Result<void> read_member(JsonMembers& members, std::string_view name, T& value) {
  const JsonPlace place = TRY(members.get(name));
  return read(place, value);
}

template <typename T>
Result<void> read_optional(JsonMembers& members, std::string_view name, std::optional<T>& value) {
  const std::optional<JsonPlace> place = members.find(name);
  if (!place) return {};
  return read(*place, value.emplace());
}

inline Result<void> read_flag(JsonMembers& members, std::string_view name, bool& flag) {
  const std::optional<JsonPlace> place = members.find(name);
  if (!place) return {};
  return read(*place, flag);
}

// Empty if it is not there.
template <typename T>
Result<void> read_optional_list(JsonMembers& members, std::string_view name, std::vector<T>& list) {
  const std::optional<JsonPlace> place = members.find(name);
  if (!place) return {};
  return read_list(*place, list, Least::kNone);
}

template <typename T>
Result<void> read_member_list(JsonMembers& members, std::string_view name, std::vector<T>& list,
                              Least least = Least::kOne) {
  const JsonPlace place = TRY(members.get(name));
  return read_list(place, list, least);
}

template <typename T, size_t N>
Result<void> read_member_word(JsonMembers& members, std::string_view name,
                              const std::array<WordOf<T>, N>& words, T& value) {
  const JsonPlace place = TRY(members.get(name));
  return read_word(place, words, value);
}

template <typename T, size_t N>
Result<void> read_optional_word(JsonMembers& members, std::string_view name,
                                const std::array<WordOf<T>, N>& words, std::optional<T>& value) {
  const std::optional<JsonPlace> place = members.find(name);
  if (!place) return {};
  return read_word(*place, words, value.emplace());
}

}  // namespace sheaf::language

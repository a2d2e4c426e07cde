#include "infer/names.h"

#include <cctype>
#include <vector>

#include "infer/key_words.h"
#include "language/written_parts.h"

namespace sheaf::infer {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit_of_name(char c) { return c >= '0' && c <= '9'; }

// In small letters.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!is_upper(c) && !is_lower(c) && !is_digit_of_name(c)) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    const bool begins = is_upper(c) && i > 0 && is_lower(text[i - 1]);
    if (begins && !words.back().empty()) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string capitalised(std::string word) {
  word.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
  return word;
}

std::string not_a_number(std::string name, std::string_view before) {
  if (name.empty()) return std::string(before);
  return is_digit_of_name(name.front()) ? std::string(before) + name : name;
}

}  // namespace

std::string entity_name(std::string_view text) {
  std::string name;
  for (const std::string& word : words_of(text)) name += capitalised(word);
  return not_a_number(name, "Item");
}

std::string member_name(std::string_view text) {
  std::string name;
  for (const std::string& word : words_of(text)) name += (name.empty() ? "" : "_") + word;
  return not_a_number(name, "part");
}

std::string pattern_name(std::string_view text) {
  std::string name;
  for (const std::string& word : words_of(text)) name += name.empty() ? word : capitalised(word);
  return not_a_number(name, "get");
}

bool is_field_name(std::string_view attribute) {
  return language::is_name(attribute) && !attribute.starts_with('_');
}

std::string hole_name(std::string_view text) {
  std::string name(text);
  for (char& c : name) {
    if (!is_upper(c) && !is_lower(c) && !is_digit_of_name(c)) c = '_';
  }
  return not_a_number(name.starts_with('_') ? "part" + name : name, "part");
}

std::string plural(std::string_view word) {
  const std::string text(word);
  if (text.ends_with("s") || text.ends_with("x") || text.ends_with("ch") || text.ends_with("sh"))
    return text + "es";
  const bool is_y = text.size() > 1 && text.ends_with("y") &&
                    std::string_view("aeiou").find(text[text.size() - 2]) == std::string_view::npos;
  return is_y ? text.substr(0, text.size() - 1) + "ies" : text + "s";
}

std::string singular(std::string_view word) {
  const std::string text(word);
  if (text.size() > 4 && text.ends_with("ies")) return text.substr(0, text.size() - 3) + "y";
  for (const std::string_view ending : {"sses", "xes", "ches", "shes"}) {
    if (text.size() > ending.size() && text.ends_with(ending)) return text.substr(0, text.size() - 2);
  }
  return text.size() > 3 && text.ends_with("s") && !text.ends_with("ss") ? text.substr(0, text.size() - 1)
                                                                         : text;
}

std::string NameSet::claim(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; taken_.contains(name); ++number) name = wanted + std::to_string(number);
  taken_.insert(name);
  return name;
}

}  // namespace sheaf::infer

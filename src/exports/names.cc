#include "exports/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace sheaf::exports {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// A new word begins behind what is no letter or digit, and where an upper case letter follows a lower case
// one.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool begins = true;
  char before = 0;
  for (const char c : name) {
    if (!is_digit(c) && !is_lower(c) && !is_upper(c)) {
      begins = true;
      continue;
    }
    if (begins || (is_upper(c) && is_lower(before))) words.emplace_back();
    words.back() += lower(c);
    begins = false;
    before = c;
  }
  if (words.empty()) words.emplace_back("unnamed");
  if (is_digit(words.front().front())) words.insert(words.begin(), "n");
  return words;
}

std::string capitalised(std::string word) {
  word.front() = upper(word.front());
  return word;
}

// Characters beyond ASCII that end a line, in JavaScript or in YAML.
struct LineEnd {
  std::string_view bytes;
  std::string_view escape;
};
constexpr std::array<LineEnd, 3> kLineEnds = {{{.bytes = "\u0085", .escape = "\\u0085"},
                                               {.bytes = "\u2028", .escape = "\\u2028"},
                                               {.bytes = "\u2029", .escape = "\\u2029"}}};

const LineEnd* line_end_at(std::string_view text) {
  const auto found = std::find_if(kLineEnds.begin(), kLineEnds.end(),
                                  [&](const LineEnd& each) { return text.starts_with(each.bytes); });
  return found == kLineEnds.end() ? nullptr : &*found;
}

std::string escaped(std::string_view text, char quote) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(1, quote);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    if (const LineEnd* end = line_end_at(text.substr(i))) {
      out += end->escape;
      i += end->bytes.size() - 1;
    } else if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      out += "\\u00";
      out += kDigits[code >> 4];
      out += kDigits[code & 15];
    } else {
      out += c;
    }
  }
  return out + quote;
}

}  // namespace

std::string pascal_case(std::string_view name) {
  std::string out;
  for (const std::string& word : words_of(name)) out += capitalised(word);
  return out;
}

std::string camel_case(std::string_view name) {
  std::string out;
  for (const std::string& word : words_of(name)) out += out.empty() ? word : capitalised(word);
  return out;
}

std::string snake_case(std::string_view name) {
  std::string out;
  for (const std::string& word : words_of(name)) out += (out.empty() ? "" : "_") + word;
  return out;
}

std::string quoted(std::string_view text) { return escaped(text, '"'); }
std::string single_quoted(std::string_view text) { return escaped(text, '\''); }

std::string property_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return is_digit(c) || is_lower(c) || is_upper(c) || c == '_' || c == '$';
  };
  const bool is_identifier =
      !name.empty() && !is_digit(name.front()) && std::all_of(name.begin(), name.end(), is_plain);
  return is_identifier ? std::string(name) : single_quoted(name);
}

std::string yaml_text(std::string_view text) {
  // What YAML 1.1 reads as a bool or as nothing.
  static constexpr std::array<std::string_view, 9> kWords = {"y",   "n",    "yes",   "no",  "on",
                                                             "off", "true", "false", "null"};
  const auto is_plain = [](char c) {
    return is_digit(c) || is_lower(c) || is_upper(c) || c == '_' || c == '-' || c == '.';
  };
  std::string small;
  for (const char c : text) small += lower(c);
  const bool is_safe = !text.empty() && (is_lower(text.front()) || is_upper(text.front())) &&
                       std::all_of(text.begin(), text.end(), is_plain) &&
                       std::find(kWords.begin(), kWords.end(), small) == kWords.end();
  return is_safe ? std::string(text) : quoted(text);
}

std::string hcl_text(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_placeholder =
        (text[i] == '$' || text[i] == '%') && i + 1 < text.size() && text[i + 1] == '{';
    if (is_placeholder) out += text[i];
    out += text[i];
  }
  return quoted(out);
}

std::string comment_text(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (const LineEnd* end = line_end_at(text.substr(i))) {
      out += ' ';
      i += end->bytes.size() - 1;
    } else {
      out += static_cast<unsigned char>(text[i]) < 0x20 ? ' ' : text[i];
    }
  }
  return out;
}

std::string UniqueNames::claim(const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; !taken_.insert(name).second; ++number) name = wanted + std::to_string(number);
  return name;
}

}  // namespace sheaf::exports

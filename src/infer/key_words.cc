#include "infer/key_words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sheaf::infer {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// How many bytes of a time with hours stand at the beginning of the text; 0 if none.
size_t time_bytes(std::string_view text) {
  static constexpr std::string_view kShape = "0000-00-00T00:00";
  if (text.size() < kShape.size()) return 0;
  for (size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0' ? !is_digit(text[i]) : text[i] != kShape[i]) return 0;
  }
  size_t end = kShape.size();
  while (end < text.size() && (is_digit(text[end]) || text[end] == ':' || text[end] == '.')) ++end;
  if (end < text.size() && text[end] == 'Z') ++end;
  return end;
}

size_t delimiter_bytes(std::string_view text) {
  if (text.starts_with("::")) return 2;
  static constexpr std::string_view kDelimiters = "#:|~/";
  return kDelimiters.find(text.front()) == std::string_view::npos ? 0 : 1;
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

KeyTokens split_key(std::string_view text) {
  KeyTokens out;
  out.tokens.emplace_back();
  for (size_t i = 0; i < text.size();) {
    if (const size_t time = out.tokens.back().empty() ? time_bytes(text.substr(i)) : 0; time > 0) {
      out.tokens.back() = text.substr(i, time);
      i += time;
    } else if (const size_t delimiter = delimiter_bytes(text.substr(i)); delimiter > 0) {
      out.delimiters.emplace_back(text.substr(i, delimiter));
      out.tokens.emplace_back();
      i += delimiter;
    } else {
      out.tokens.back() += text[i++];
    }
  }
  return out;
}

bool is_word(std::string_view text) {
  if (text.empty()) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || c == '_' || c == '-' || c == '"'; });
}

bool is_capital_word(std::string_view text) {
  return is_word(text) && std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

bool is_head_word(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kWords = {"metadata", "meta",    "profile",  "root",
                                                              "info",     "details", "head",     "main",
                                                              "summary",  "config",  "settings", "header"};
  std::string bare = lower(text);
  std::erase_if(bare, [](char c) { return !is_letter(c); });
  return std::find(kWords.begin(), kWords.end(), bare) != kWords.end();
}

std::string id_prefix(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  if (end == 0 || end >= text.size() || (text[end] != '_' && text[end] != '-')) return {};
  return has_digit(text.substr(end + 1)) ? std::string(text.substr(0, end + 1)) : std::string();
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() && text[i] == '%' ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace sheaf::infer

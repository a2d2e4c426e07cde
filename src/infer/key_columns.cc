#include "infer/key_columns.h"

#include <algorithm>

#include "infer/key_words.h"

namespace sheaf::infer {
namespace {

constexpr size_t kDigitsMin = 6;
constexpr size_t kDigitsMax = 38;
constexpr size_t kEndingLettersMin = 3;

bool are_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::set<std::string> Column::distinct() const {
  std::set<std::string> all;
  for (const auto& text : texts) {
    if (text) all.insert(*text);
  }
  return all;
}

std::optional<std::string> Column::constant() const {
  std::optional<std::string> one;
  for (const auto& text : texts) {
    if (!text) continue;
    if (one && *one != *text) return std::nullopt;
    one = text;
  }
  return one;
}

std::optional<std::vector<Column>> columns_of(const std::vector<Item>& items, const std::string& attribute) {
  std::vector<Column> columns;
  std::optional<std::vector<std::string>> cuts;
  for (size_t i = 0; i < items.size(); ++i) {
    const auto value = items[i].find(attribute);
    if (!value) continue;
    if (value->type() != Type::kString) return std::nullopt;
    KeyTokens key = split_key(value->bytes());
    if (cuts && *cuts != key.delimiters) return std::nullopt;
    if (!cuts) {
      columns.resize(key.tokens.size());
      for (size_t j = 0; j < columns.size(); ++j) {
        columns[j].texts.resize(items.size());
        if (j > 0) columns[j].literal = key.delimiters[j - 1];
      }
      cuts = key.delimiters;
    }
    for (size_t j = 0; j < columns.size(); ++j) columns[j].texts[i] = std::move(key.tokens[j]);
  }
  if (!cuts) return std::nullopt;
  return columns;
}

std::string common_ending(const std::set<std::string>& texts) {
  if (texts.size() < 2) return {};
  std::string ending = *texts.begin();
  for (const std::string& text : texts) {
    size_t same = 0;
    while (same < ending.size() && same < text.size() &&
           ending[ending.size() - 1 - same] == text[text.size() - 1 - same])
      ++same;
    ending = ending.substr(ending.size() - same);
  }
  const size_t begin = ending.find('_');
  if (begin == std::string::npos) return {};
  ending = ending.substr(begin);
  const auto letters = std::count_if(ending.begin(), ending.end(),
                                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (static_cast<size_t>(letters) < kEndingLettersMin) return {};
  const bool is_told = std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.size() > ending.size() && text.find('_') == text.size() - ending.size();
  });
  return is_told ? ending : std::string();
}

size_t digits_width(const std::set<std::string>& texts) {
  const size_t width = texts.empty() ? 0 : texts.begin()->size();
  if (width < kDigitsMin || width > kDigitsMax) return 0;
  const bool fit = std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.size() == width && are_digits(text);
  });
  const bool has_zero =
      std::any_of(texts.begin(), texts.end(), [](const std::string& text) { return text.starts_with('0'); });
  return fit && has_zero ? width : 0;
}

std::string without_zeros(const std::string& digits) {
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  return digits.substr(first);
}

size_t bucket_bytes(const std::set<std::string>& texts) {
  static constexpr std::string_view kShape = "0000-00-00T00";
  const size_t size = texts.empty() ? 0 : texts.begin()->size();
  if (size != 4 && size != 7 && size != 10 && size != 13) return 0;
  for (const std::string& text : texts) {
    if (text.size() != size) return 0;
    for (size_t i = 0; i < size; ++i) {
      const bool is_digit = text[i] >= '0' && text[i] <= '9';
      if (kShape[i] == '0' ? !is_digit : text[i] != kShape[i]) return 0;
    }
  }
  return size;
}

}  // namespace sheaf::infer

#include "draw/shown_text.h"

#include <algorithm>
#include <cstdint>

namespace sheaf::draw {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct CodePointRange {
  char32_t first;
  char32_t last;
};

// Neither letters nor marks: they order text, end lines, or mean nothing outside of a program.
constexpr CodePointRange kShapeless[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},     {0x180E, 0x180E},
    {0x200B, 0x200B}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},   {0xFDD0, 0xFDEF},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1D173, 0x1D17A}, {0xE0000, 0xE00FF},
};

bool is_shapeless(char32_t c) {
  if ((c & 0xFFFE) == 0xFFFE) return true;  // the last two of every plane
  return std::any_of(std::begin(kShapeless), std::end(kShapeless),
                     [&](const CodePointRange& range) { return range.first <= c && c <= range.last; });
}

void append_written_out(std::string& out, char32_t c) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  if (c == '\n' || c == '\r' || c == '\t') {
    out += '\\';
    out += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    return;
  }
  out += "\\u";
  const int digits = c > 0xFFFF ? 6 : 4;
  for (int digit = digits - 1; digit >= 0; --digit) out += kDigits[(c >> (4 * digit)) & 15];
}

}  // namespace

char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const auto wrong = [&] {
    text.remove_prefix(1);
    return kReplacement;
  };
  const uint8_t lead = byte(0);
  if (lead < 0x80) {
    text.remove_prefix(1);
    return lead;
  }
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return wrong();
  char32_t c = lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return wrong();
    c = (c << 6) | (byte(i) & 0x3F);
  }
  static constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return wrong();
  text.remove_prefix(length);
  return c;
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(static_cast<uint8_t>(byte)); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | (c >> 6));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

ShownText::ShownText(std::string_view bytes) {
  utf8_.reserve(bytes.size());
  while (!bytes.empty()) {
    const char32_t c = take_code_point(bytes);
    if (is_shapeless(c)) {
      append_written_out(utf8_, c);
    } else {
      append_utf8(utf8_, c);
    }
  }
}

}  // namespace sheaf::draw

#include "measure/figure_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sheaf::measure {
namespace {

std::string with_places(double value, int places) {
  char digits[64];
  std::snprintf(digits, sizeof digits, "%.*f", places, value);
  std::string text = digits;
  if (text.find('.') != std::string::npos) {
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
  }
  return text;
}

}  // namespace

std::string figure_text(double value) {
  std::string text = with_places(value, std::abs(value) < 100 ? 2 : std::abs(value) < 1000 ? 1 : 0);
  const size_t point = std::min(text.find('.'), text.size());
  const size_t first = text.starts_with('-') ? 1 : 0;
  for (size_t i = point; i > first + 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string bytes_text(double bytes) {
  if (bytes < 1024) return with_places(bytes, 0) + " B";
  if (bytes < 1024.0 * 1024) return with_places(bytes / 1024, 1) + " KB";
  return with_places(bytes / 1024 / 1024, 1) + " MB";
}

}  // namespace sheaf::measure

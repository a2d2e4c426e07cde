#include "prove/model_text.h"

#include <algorithm>

namespace sheaf::prove {
namespace {

void append(const TextPart& part, std::string& out) {
  out += part.text;
  for (const TextPart& each : part.parts) append(each, out);
}

size_t length_of(const TextPart& part) {
  size_t length = part.text.size();
  for (const TextPart& each : part.parts) length += length_of(each);
  return length;
}

}  // namespace

std::string text_of(const TextPart& part) {
  std::string out;
  append(part, out);
  return out;
}

bool drop_at(TextPart& part, size_t offset) {
  size_t begin = part.text.size();
  for (size_t i = 0; i < part.parts.size(); ++i) {
    const size_t length = length_of(part.parts[i]);
    if (offset >= begin && offset < begin + length) {
      if (drop_at(part.parts[i], offset - begin)) return true;
      if (!part.parts[i].may_go) return false;
      part.parts.erase(part.parts.begin() + static_cast<ptrdiff_t>(i));
      return true;
    }
    begin += length;
  }
  return false;
}

bool drop_in_layout(TextPart& model, std::string_view layout, size_t offset) {
  size_t begin = model.text.size();
  for (TextPart& each : model.parts) {
    const size_t length = length_of(each);
    const bool is_inside = offset >= begin && offset < begin + length;
    if (is_inside && each.layout == layout && drop_at(each, offset - begin)) return true;
    begin += length;
  }
  return drop_layout(model, layout);
}

bool drop_layout(TextPart& model, std::string_view layout) {
  return std::erase_if(model.parts, [&](const TextPart& each) { return each.layout == layout; }) > 0;
}

}  // namespace sheaf::prove

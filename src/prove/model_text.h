// The text of a model, made of parts of which some can be left out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::prove {

struct TextPart {
  std::string text;             // before the parts
  bool may_go = false;          // the text around it makes sense without it
  std::string layout;           // the layout that it belongs to; empty if none
  std::vector<TextPart> parts;  // behind the text

  TextPart& add(std::string part) {
    parts.push_back({.text = std::move(part)});
    return parts.back();
  }
  // A part that can be left out.
  TextPart& add_optional(std::string part) {
    parts.push_back({.text = std::move(part), .may_go = true});
    return parts.back();
  }
};

std::string text_of(const TextPart& part);

// Removes the innermost part that can be left out and contains this byte of the text; false if there is none.
bool drop_at(TextPart& part, size_t offset);
// The same inside the layout; if the byte is not in it, or nothing there can go, the whole layout goes.
bool drop_in_layout(TextPart& model, std::string_view layout, size_t offset);
// Removes the layout.
bool drop_layout(TextPart& model, std::string_view layout);

}  // namespace sheaf::prove

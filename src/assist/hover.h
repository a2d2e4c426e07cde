// What somebody who points at a place wants to know.
#pragma once

#include <optional>
#include <string>

#include "assist/document.h"

namespace sheaf::assist {

struct Hover {
  language::Span span;  // what it is about
  std::string text;     // Markdown
};

// Of a name: its declaration, its doc comment, and what follows from it: keys and relations of an entity in
// each layout, what a layout promises of an end, how a pattern or operation is carried out in each layout and
// what it costs. Of a key: an example. Of a keyword: a sentence. Where something is wrong: what that means.
std::optional<Hover> hover(const Document& document, uint32_t offset);

}  // namespace sheaf::assist

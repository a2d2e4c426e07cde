// The line of a text that a message is about, with marks below what is meant.
#pragma once

#include <string>
#include <string_view>

#include "language/source_text.h"

namespace sheaf::language {

//      3 |   rel Custmer 1--* Order as orders / customer
//        |       ^^^^^^^
// `line` is the text of that line; `marked` characters are marked, as far as the line goes, and at least one.
void append_excerpt(std::string& out, std::string_view line, Position position, size_t marked);

// With U+FFFD for what is not UTF-8: a message may quote any text, and JSON and XML must be UTF-8.
std::string repaired_text(std::string_view text);

}  // namespace sheaf::language

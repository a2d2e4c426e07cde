// What there is to tell of a name, in Markdown.
#pragma once

#include <string>

#include "assist/document.h"

namespace sheaf::assist {

std::string symbol_text(const Document& document, const Occurrence& occurrence);
// Of the key template whose string lies at `span`: what it is the key of, and an example. Empty for other
// strings.
std::string template_text(const Document& document, language::Span span);

}  // namespace sheaf::assist

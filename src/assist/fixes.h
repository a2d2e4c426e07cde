// Edits that mend what is wrong.
#pragma once

#include <string>
#include <vector>

#include "assist/document.h"

namespace sheaf::assist {

struct Fix {
  std::string title;
  std::vector<TextEdit> edits;
  size_t diagnostic = 0;  // of the document's, that it mends
};

// For what is wrong in `range`. Each was tried: with its edits the mistake is gone, and there is no new one
// in its place. Many mistakes have none: what to do needs somebody who knows what was meant.
std::vector<Fix> fixes(const Document& document, language::Span range);

}  // namespace sheaf::assist

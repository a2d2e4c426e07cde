// Writes down how a relation is stored.
#pragma once

#include <string>
#include <vector>

#include "assist/document.h"

namespace sheaf::assist {

// The edits that make the text say `via` (what follows the word) for a relation in a layout: in place of what
// is said there, or as a clause of its own. Keys and copies that were said with it are gone, because they
// were those of the other strategy. None if there is no such layout.
std::vector<TextEdit> strategy_edits(const Document& document, const std::string& layout,
                                     model::RelationId relation, const std::string& via);

}  // namespace sheaf::assist

// Adds clauses to declarations.
#pragma once

#include <optional>
#include <string>

#include "assist/document.h"

namespace sheaf::assist {

// `clause` as the last one of the block that ends where `declaration` does, laid out as the others; a block
// of its own, if there is none.
TextEdit add_clause(const Document& document, language::Span declaration, const std::string& clause);

}  // namespace sheaf::assist

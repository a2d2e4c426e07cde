// From text to statement.
#pragma once

#include <string_view>

#include "sheaf/result.h"

#include "partiql/statement.h"

namespace sheaf::partiql {

inline constexpr size_t kStatementBytesMax = 8192;
// Levels of parentheses, functions, lists and maps inside each other.
inline constexpr uint32_t kDepthMax = 100;

// Errors, in AWS's words: what the grammar does not know, and where.
Result<Statement> parse(std::string_view text);

// Whether the text begins like a SELECT.
bool is_select(std::string_view text);

}  // namespace sheaf::partiql

// Patterns, operations, and what is compared and expected of them.
#pragma once

#include "language/syntax.h"
#include "language/token_reader.h"

namespace sheaf::language {

// Each from behind its first word.
Pattern parse_pattern(TokenReader& reader);
Operation parse_operation(TokenReader& reader);
Expect parse_expect(TokenReader& reader);

}  // namespace sheaf::language

// Key templates and the other physical clauses.
#pragma once

#include "language/syntax.h"
#include "language/token_reader.h"

namespace sheaf::language {

Template parse_template(TokenReader& reader);
Keys parse_keys(TokenReader& reader);
// Whether a physical clause is next: in, tag, store, key, index.
bool at_physical(const TokenReader& reader);
void parse_physical(TokenReader& reader, Physical& physical);

}  // namespace sheaf::language

// Key templates and the other physical clauses.
#pragma once

#include "language/syntax.h"
#include "language/token_reader.h"

namespace sheaf::language {

// `field_hint`: what to write if no template was meant.
Template parse_template(TokenReader& reader, std::string_view field_hint = {});
Keys parse_keys(TokenReader& reader, std::string_view field_hint = {});
// Whether a physical clause is next: in, tag, store, key, index.
bool at_physical(const TokenReader& reader);
void parse_physical(TokenReader& reader, Physical& physical);

}  // namespace sheaf::language

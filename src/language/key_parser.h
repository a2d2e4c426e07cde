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
// `keys_max`: 2 where items of two kinds can be given keys.
void parse_physical(TokenReader& reader, Physical& physical, int keys_max = 1);

}  // namespace sheaf::language

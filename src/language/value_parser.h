// The parts of a model that stand inside others: values, paths, conditions, types, fields.
#pragma once

#include <functional>
#include <vector>

#include "language/syntax.h"
#include "language/token_reader.h"

namespace sheaf::language {

Path parse_path(TokenReader& reader);
Literal parse_literal(TokenReader& reader, int depth = 0);
Operand parse_operand(TokenReader& reader);
Expression parse_expression(TokenReader& reader);
std::vector<Condition> parse_conditions(TokenReader& reader);
bool at_type(const TokenReader& reader);
Type parse_type(TokenReader& reader, int depth = 0);
Field parse_field(TokenReader& reader, int depth = 0);

// `{ x; x; }`, where the last `;` may be left out. A mistake in one x leaves the others. What `is_outside`
// says can only stand behind the block: then a } is missing.
void parse_block(TokenReader& reader, const std::function<void()>& parse_one,
                 const std::function<bool()>& is_outside = nullptr);
// `x, x`
void parse_list(TokenReader& reader, const std::function<void()>& parse_one);

}  // namespace sheaf::language

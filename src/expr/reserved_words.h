// The words that AWS does not take as attribute names in the text of an expression.
#pragma once

#include <string_view>

namespace sheaf::expr {

// In any case of letters.
bool is_reserved_word(std::string_view word);

}  // namespace sheaf::expr

// Which tokens of a model stand without a space between them.
#pragma once

#include <vector>

#include "language/lexer.h"

namespace sheaf::language {

// On which sides a token takes no space.
struct Tightness {
  bool before = false;
  bool after = false;
};

// One a token, for tokens of a text without mistakes. Any two neighbours that the result lets stand together
// are the same two tokens when they are read again.
std::vector<Tightness> tightness_of(const std::vector<Token>& tokens);

}  // namespace sheaf::language

// A model in its own language.
#pragma once

#include <string>

#include "language/syntax.h"

namespace sheaf::language {

// A text, laid out by format(), that parse() reads as a model with the same JSON (syntax_json.h). Comments
// other than doc comments are not in a Model, so they are not in it. `model` has no mistakes: it came from a
// text without any, or from JSON.
std::string to_text(const Model& model);
// Parts of one, in a line.
std::string to_text(const Condition& condition);
std::string to_text(const Literal& literal);
std::string to_text(const Via& via);  // what stands behind the word `via`

}  // namespace sheaf::language

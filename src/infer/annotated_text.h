// A design as the text of a model, with what it rests on as comments beside its lines.
#pragma once

#include <string>
#include <vector>

#include "infer/design.h"

namespace sheaf::infer {

// Laid out by the language's own formatter. `heading` stands above it, a comment line each; questions follow
// at the end.
std::string annotated_text(const Design& design, const std::vector<std::string>& heading);

}  // namespace sheaf::infer

// Layouts made by chance for a random model: strategies for its relations, with keys that are allocated or
// written down. Not all are legal: the checker says which.
#pragma once

#include <string>

#include "random_model.h"

namespace sheaf::layouts {

// What stands between the braces of `layout x { .. }`.
std::string random_layout(const RandomModel& model, Chance& chance);

// A model with the legal ones of this many layouts; its text is whole.
RandomModel random_model_with(Chance& chance, size_t layouts);

}  // namespace sheaf::layouts

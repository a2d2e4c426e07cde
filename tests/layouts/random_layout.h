// Layouts made by chance for a random model: strategies for its relations, with keys that are allocated or
// written down. Not all are legal: the checker says which.
#pragma once

#include <string>

#include "random_model.h"

namespace sheaf::layouts {

// What stands between the braces of `layout x { .. }`.
std::string random_layout(const RandomModel& model, Chance& chance);

}  // namespace sheaf::layouts

// What could be written inside of a string: the holes of keys, the values of enums.
#pragma once

#include <vector>

#include "assist/completion.h"
#include "assist/completion_scope.h"

namespace sheaf::assist {

// For a place in a string without its end yet.
std::vector<Suggestion> complete_string(const CompletionScope& scope);

}  // namespace sheaf::assist

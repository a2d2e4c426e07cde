// Texts that a model itself compares fields with: data in which they never come would be found by nobody.
#pragma once

#include <string>
#include <vector>

#include "model/compiled_model.h"

namespace sheaf::generate {

// By entity and field.
std::vector<std::vector<std::vector<std::string>>> likely_values(const model::CompiledModel& compiled);

}  // namespace sheaf::generate

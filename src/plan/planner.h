// Plans patterns: the fewest requests that a layout allows.
#pragma once

#include <variant>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// With all parameters, or with those that are given (one a parameter). Plans are ordered by requests, then
// units, then rounds; `prefer units` swaps the first two.
std::variant<Plan, Refusal> plan_pattern(const model::Model& model, const model::Layout& layout,
                                         const model::Pattern& pattern, const std::vector<bool>& given);

// Every subset of the optional parameters, all of them first.
std::vector<std::vector<bool>> parameter_subsets(const model::Pattern& pattern);

}  // namespace sheaf::plan

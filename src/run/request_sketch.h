// The requests of a plan before any of them is made: exact where the arguments say it all, with names in
// angle brackets (<staff.id>) where an earlier answer will.
#pragma once

#include <variant>
#include <vector>

#include "sheaf/request.h"

#include "plan/plan.h"
#include "run/requests.h"

namespace sheaf::run {

using SketchedRequest = std::variant<Query, GetItem, BatchGetItems, TransactGetItems>;

// kInvalid if an argument has no place in a key.
Result<std::vector<SketchedRequest>> sketch_requests(const model::Model& model, const model::Layout& layout,
                                                     const plan::Plan& plan,
                                                     const std::vector<Argument>& arguments);

}  // namespace sheaf::run

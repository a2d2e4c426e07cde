// Plans for people: the requests, their keys, and what they cost.
#pragma once

#include <string>

#include "plan/plan.h"

namespace sheaf::plan {

//   orgAndUsers(o)  1 request, 1 round, 4 units
//     1. Query app: PK = "ORG#<o.name>", SK from "METADATA#" to "USER#": Org, users
std::string explain(const model::Model& model, const model::Layout& layout, const Plan& plan);

}  // namespace sheaf::plan

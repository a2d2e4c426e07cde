// How large an answer is at the declared sizes.
#pragma once

#include "plan/plan.h"

namespace sheaf::plan {

// How many entities the documents of one answer have, nested ones among them: of lists as many as relations
// declare and limits leave; of the outermost one a page. Conditions may leave fewer.
double entities_returned(const Plan& plan);

}  // namespace sheaf::plan

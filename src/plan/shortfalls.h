// What a layout cannot do of what the model asks for. In `default` these are mistakes; in the others they are
// to be known.
#pragma once

#include <string>
#include <vector>

#include "plan/planned_model.h"

namespace sheaf::plan {

// Patterns and operations that it does not serve, and budgets that it exceeds, a line each:
//   ticket cannot be answered: the id of a Ticket does not tell its key
//   orgAndUsers takes 2 requests, and its budget is 1
std::vector<std::string> shortfalls(const PlannedModel& model, size_t layout);

}  // namespace sheaf::plan

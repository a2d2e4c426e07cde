// Plans for people: the requests, their keys, and what they cost.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace sheaf::plan {

//   orgAndUsers(o): 1 request, 1 round, about 4 units
//     1. Query app: PK = "ORG#<o.name>", SK from "METADATA#" to "USER#": Org, users
std::string explain(const model::Model& model, const model::Layout& layout, const Plan& plan);

// What stands before units that are planned, which nobody has metered.
std::string about(double units);

// The same, one request each, in parts.
struct RequestText {
  std::string operation;      // Query, GetItem, BatchGetItem, TransactGetItems
  std::string view;           // the table, or table.index; of several tables all
  std::string key_condition;  // PK = "ORG#<$o.name>", SK begins with "USER#"
  std::string line;           // as explain() has it
};
std::vector<RequestText> request_texts(const model::Model& model, const model::Layout& layout,
                                       const Plan& plan);

}  // namespace sheaf::plan

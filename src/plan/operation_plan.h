// How an operation is carried out in a layout: what is read first, what one transaction writes, and which
// work it leaves to a job.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// One item of the transaction.
struct PlannedAction {
  enum class Kind : uint8_t { kPut, kUpdate, kDelete, kCheck };
  Kind kind = Kind::kCheck;
  std::string what;           // for people: Employee $e, edge Department.staff
  double bytes = kItemBytes;  // of the item
  double index_units = 0;     // for its entries
};

// One request before it.
struct PlannedRead {
  std::string what;  // GetItem Department $d
  double calls = 1;
  std::vector<double> item_bytes;  // of the items that it fetches by their keys
};

struct OperationPlan {
  const model::Operation* operation = nullptr;
  std::vector<PlannedRead> reads;
  std::vector<PlannedAction> actions;
  std::vector<std::string> jobs;
  Cost cost;  // without the jobs, with what is written in indexes
};

std::variant<OperationPlan, Refusal> plan_operation(const model::Model& model, const model::Layout& layout,
                                                    const model::Operation& operation);

// What its reads and actions add up to.
Cost cost_of(const OperationPlan& plan);

//   move(e, d): 2 requests, 2 rounds, about 7 units
//     1. Query entity.relationship: edges to department of $e
//     2. TransactWriteItems: delete edge Department.staff, put edge Department.staff, check Department $d
std::string explain(const OperationPlan& plan);

}  // namespace sheaf::plan

#include "plan/operation_plan.h"
#include "plan/units.h"

namespace sheaf::plan {

Cost cost_of(const OperationPlan& plan) {
  Cost cost;
  for (const PlannedRead& each : plan.reads) {
    cost.requests += each.calls;
    cost.rounds = 1;
    for (const double bytes : each.item_bytes) cost.units += read_units(bytes, ReadKind::kStrong);
    // Edges and entries are few and small. What is fetched by keys is one call of those.
    const double queries = each.calls - (each.item_bytes.empty() ? 0 : 1);
    cost.units += queries * read_units(kItemBytes, ReadKind::kStrong);
  }
  if (plan.actions.empty()) return cost;
  cost.requests += 1;
  cost.rounds += 1;
  // A transaction costs double, but not in indexes.
  const bool is_transaction = plan.actions.size() > 1;
  for (const PlannedAction& each : plan.actions)
    cost.units += write_units({.after = each.bytes}, is_transaction) + each.index_units;
  return cost;
}

}  // namespace sheaf::plan

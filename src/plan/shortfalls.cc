#include "plan/shortfalls.h"

#include "plan/budgets.h"

namespace sheaf::plan {
namespace {

void add_budgets(const std::string& name, const Cost& cost, const language::Clauses& clauses,
                 std::vector<std::string>& lines) {
  for (const Excess& excess : excesses(name, cost, clauses))
    lines.push_back(excess.text + ", and its budget is " + std::to_string(excess.budget->count.value));
}

}  // namespace

std::vector<std::string> shortfalls(const PlannedModel& model, size_t layout) {
  std::vector<std::string> lines;
  const model::Pattern* last = nullptr;
  for (const PlannedPattern& each : model.plans[layout]) {
    // With all its parameters, which comes first.
    if (each.pattern == last) continue;
    last = each.pattern;
    if (each.ok()) {
      add_budgets(each.pattern->name, std::get<Plan>(each.plan).cost, each.pattern->syntax->clauses, lines);
    } else {
      lines.push_back(each.pattern->name + " cannot be answered: " + std::get<Refusal>(each.plan).message);
    }
  }
  for (const PlannedOperation& each : model.operations[layout]) {
    if (each.ok()) {
      add_budgets(each.operation->name, std::get<OperationPlan>(each.plan).cost,
                  each.operation->syntax->clauses, lines);
    } else {
      lines.push_back(each.operation->name +
                      " cannot be carried out: " + std::get<Refusal>(each.plan).message);
    }
  }
  return lines;
}

}  // namespace sheaf::plan

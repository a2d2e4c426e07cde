#include "plan/shortfalls.h"

namespace sheaf::plan {
namespace {

std::string number(double value) {
  std::string text = std::to_string(value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

void add_budgets(const std::string& name, const Cost& cost, const language::Clauses& clauses,
                 std::vector<std::string>& lines) {
  using Unit = language::Budget::Unit;
  for (const language::Budget& budget : clauses.budgets) {
    const double spent = budget.unit == Unit::kRequests ? cost.requests
                         : budget.unit == Unit::kRounds ? cost.rounds
                                                        : cost.units;
    if (spent <= static_cast<double>(budget.count.value)) continue;
    const std::string_view unit = budget.unit == Unit::kRequests ? "requests"
                                  : budget.unit == Unit::kRounds ? "rounds"
                                                                 : "units";
    lines.push_back(name + " takes " + number(spent) + " " + std::string(unit) + ", and its budget is " +
                    std::to_string(budget.count.value));
  }
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

#include "plan/budgets.h"

namespace sheaf::plan {

std::string number_text(double value) {
  std::string text = std::to_string(value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::vector<Excess> excesses(const std::string& name, const Cost& cost, const language::Clauses& clauses) {
  using Unit = language::Budget::Unit;
  std::vector<Excess> found;
  for (const language::Budget& budget : clauses.budgets) {
    const double spent = budget.unit == Unit::kRequests ? cost.requests
                         : budget.unit == Unit::kRounds ? cost.rounds
                                                        : cost.units;
    if (spent <= static_cast<double>(budget.count.value)) continue;
    const std::string what = budget.unit == Unit::kRequests ? "requests"
                             : budget.unit == Unit::kRounds ? "rounds"
                                                            : "units";
    found.push_back({.budget = &budget, .text = name + " takes " + number_text(spent) + " " + what});
  }
  return found;
}

}  // namespace sheaf::plan

#include "model/clause_check.h"

#include <cstdlib>

namespace sheaf::model {

void check_amounts(const language::Clauses& clauses, Mistakes& mistakes) {
  for (size_t i = 0; i < clauses.budgets.size(); ++i) {
    const language::Budget& budget = clauses.budgets[i];
    if (budget.count.value < 1)
      mistakes.tell("bad-number", budget.count.span, "a budget is at least 1", "write 1 or more");
    for (size_t j = 0; j < i; ++j) {
      if (clauses.budgets[j].unit == budget.unit)
        mistakes.tell("said-twice", budget.span, "this budget is said already", "keep one of the two",
                      {{.span = clauses.budgets[j].span, .text = "the first is here"}});
    }
  }
  if (clauses.rate && std::strtod(clauses.rate->count.c_str(), nullptr) <= 0)
    mistakes.tell("bad-number", clauses.rate->span, "a rate is above 0", "write how often, or remove it");
}

}  // namespace sheaf::model

#include "plan/planned_model.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "plan/budgets.h"
#include "plan/planner.h"

namespace sheaf::plan {
namespace {

std::string left_out(const PlannedPattern& planned) {
  std::string names;
  for (size_t i = 0; i < planned.given.size(); ++i) {
    if (!planned.given[i])
      names += (names.empty() ? " without " : ", ") + planned.pattern->parameters[i].name;
  }
  return names;
}

// Whether all hold.
bool check_budgets(const std::string& name, const Cost& cost, const language::Clauses& clauses,
                   std::string_view fix, language::Diagnostics& diagnostics) {
  const std::vector<Excess> found = excesses(name, cost, clauses);
  if (found.empty()) return true;
  diagnostics.add({.id = "over-budget",
                   .span = found.front().budget->span,
                   .message = found.front().text,
                   .fix = "see sheaf model plan; " + std::string(fix)});
  return false;
}

void tell(const PlannedOperation& planned, language::Diagnostics& diagnostics) {
  const std::string& name = planned.operation->name;
  if (planned.ok()) {
    check_budgets(name, std::get<OperationPlan>(planned.plan).cost, planned.operation->syntax->clauses,
                  "raise the budget, or store less that must be read before it is written", diagnostics);
    return;
  }
  const Refusal& refusal = std::get<Refusal>(planned.plan);
  diagnostics.add({.id = "unserved-operation",
                   .span = refusal.span.value_or(planned.operation->syntax->name.span),
                   .message = name + " cannot be carried out: " + refusal.message,
                   .fix = refusal.fix});
}

// Of one pattern: its plan with all parameters first, then those without some of the optional ones.
void tell(std::span<const PlannedPattern> plans, language::Diagnostics& diagnostics) {
  const PlannedPattern& whole = plans.front();
  const language::Span name = whole.pattern->syntax->name.span;
  if (!whole.ok()) {
    const Refusal& refusal = std::get<Refusal>(whole.plan);
    diagnostics.add({.id = refusal.id,
                     .span = refusal.span.value_or(name),
                     .message = whole.pattern->name + " cannot be answered: " + refusal.message,
                     .fix = refusal.fix,
                     .notes = refusal.notes});
    return;
  }
  for (const PlannedPattern& plan : plans) {
    if (plan.ok()) {
      if (check_budgets(plan.pattern->name + left_out(plan), std::get<Plan>(plan.plan).cost,
                        plan.pattern->syntax->clauses,
                        "raise the budget, copy what is read in the last request, or add an index",
                        diagnostics))
        continue;
      return;
    }
    const Refusal& refusal = std::get<Refusal>(plan.plan);
    diagnostics.add(
        {.id = "unserved-parameters",
         .span = name,
         .message = whole.pattern->name + left_out(plan) + " cannot be answered: " + refusal.message,
         .fix = refusal.fix,
         .severity = language::Severity::kWarning});
  }
}

}  // namespace

PlannedModel plan_model(model::CompiledModel compiled) {
  PlannedModel made{.compiled = std::move(compiled)};
  // Patterns are also looked at if others have mistakes: all that is wrong is told at once.
  const bool is_planned = made.compiled.ok();
  if (made.compiled.layouts.empty() || !made.compiled.layouts.front().is_sound) return made;
  for (const model::Layout& layout : made.compiled.layouts) {
    std::vector<PlannedPattern> plans;
    for (const model::Pattern& pattern : made.compiled.model.patterns) {
      const size_t first = plans.size();
      for (const std::vector<bool>& given : parameter_subsets(pattern))
        plans.push_back({.pattern = &pattern,
                         .given = given,
                         .plan = plan_pattern(made.compiled.model, layout, pattern, given)});
      if (layout.name != model::kDefaultLayout) continue;
      tell(std::span(plans).subspan(first), made.compiled.diagnostics);
    }
    made.plans.push_back(std::move(plans));
    std::vector<PlannedOperation> operations;
    for (const model::Operation& operation : made.compiled.model.operations) {
      operations.push_back(
          {.operation = &operation, .plan = plan_operation(made.compiled.model, layout, operation)});
      if (layout.name == model::kDefaultLayout) tell(operations.back(), made.compiled.diagnostics);
    }
    made.operations.push_back(std::move(operations));
    if (!is_planned) break;
  }
  if (!is_planned) made.plans.clear(), made.operations.clear();
  made.compiled.diagnostics.sort();
  return made;
}

}  // namespace sheaf::plan

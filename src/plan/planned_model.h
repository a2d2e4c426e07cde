// A model with the plans of all its patterns, in all its layouts.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "model/compiled_model.h"
#include "plan/operation_plan.h"
#include "plan/plan.h"

namespace sheaf::plan {

struct PlannedPattern {
  const model::Pattern* pattern = nullptr;
  std::vector<bool> given;
  std::variant<Plan, Refusal> plan;

  bool ok() const { return std::holds_alternative<Plan>(plan); }
};

struct PlannedOperation {
  const model::Operation* operation = nullptr;
  std::variant<OperationPlan, Refusal> plan;

  bool ok() const { return std::holds_alternative<OperationPlan>(plan); }
};

struct PlannedModel {
  model::CompiledModel compiled;
  std::vector<std::vector<PlannedPattern>> plans;         // one list a layout
  std::vector<std::vector<PlannedOperation>> operations;  // likewise
};

// Tells of patterns and operations of the layout `default` that no key serves, and of budgets that are
// exceeded there.
PlannedModel plan_model(model::CompiledModel compiled);

}  // namespace sheaf::plan

// Budgets of patterns and operations against what their plans cost.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace sheaf::plan {

// 3, 0.5
std::string number_text(double value);

struct Excess {
  const language::Budget* budget = nullptr;
  std::string text;  // NAME takes 3 requests
};
std::vector<Excess> excesses(const std::string& name, const Cost& cost, const language::Clauses& clauses);

}  // namespace sheaf::plan

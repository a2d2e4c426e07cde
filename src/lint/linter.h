// Looks at a model by all rules.
#pragma once

#include <vector>

#include "lint/finding.h"
#include "lint/options.h"
#include "lint/report.h"
#include "plan/planned_model.h"

namespace sheaf::lint {

// In these layouts of it, in the order of their places. What `sheaf model check` tells comes first, and if
// there are mistakes among that, it is all: rules are for models that can be used. What several layouts have
// in common is told once.
std::vector<Finding> lint(const plan::PlannedModel& planned, const std::vector<size_t>& layouts,
                          const Options& options);

// All rules, with their pages, for reports; with those that `check` has told of without being one of them.
std::vector<RuleText> rule_texts(const std::vector<Finding>& findings, const Options& options);
// Of one; empty if there is no page.
std::string_view page_of(std::string_view rule);

}  // namespace sheaf::lint

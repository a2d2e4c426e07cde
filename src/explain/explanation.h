// What patterns and operations of a layout take: as they are planned, as they were run, against their
// budgets, and whether it could be less.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lint/report.h"
#include "plan/explain.h"
#include "plan/fewer_requests.h"
#include "plan/planned_model.h"

namespace sheaf::explain {

// Of runs that were metered.
struct Actual {
  uint64_t runs = 0;
  uint64_t refused = 0;
  std::string refusal;  // the first one
  plan::Cost planned;   // of a run: the mean, where runs differ in the parameters that are given
  plan::Cost mean;      // of a run; of an operation without the jobs that it leaves
  plan::Cost most;      // of each the most that one run took
  double read_units = 0, write_units = 0;  // of a run, with its jobs
  double items_read = 0;                   // of a run
  double items_returned = 0;               // of those, and from inside of them, entities in the answer
};

struct Step {
  plan::RequestText text;
  double calls = 1;
  double items_read = 0;
  double units = 0;
  size_t round = 1;
};

struct Explanation {
  std::string name;
  bool is_operation = false;
  std::vector<std::string> parameters;  // that are given
  std::string consistency;              // eventual, strong or transactional
  // Why there is no plan; empty: there is one.
  std::string refusal;
  std::string fix;
  std::vector<Step> steps;         // of a pattern
  std::vector<std::string> lines;  // of an operation: its requests, and its jobs
  plan::Cost planned;
  double items_read = 0;
  double items_returned = 0;  // of those, and from inside of them, entities in the answer
  std::optional<plan::FewerRequests> fewer;
  plan::WaysTried tried;  // to find that
  std::optional<Actual> actual;
  const language::Clauses* clauses = nullptr;
  language::Span span;  // of its name

  bool is_served() const { return refusal.empty(); }
};

// Those of a layout, patterns first; of one name alone, if it is not empty. A pattern comes once for each set
// of optional parameters. `planned` outlives them.
std::vector<Explanation> explain(const plan::PlannedModel& planned, size_t layout, const std::string& name);

// No other strategy, copy, fuller index or sort key takes fewer requests, ..: what was tried, and no more.
std::string tried_text(const plan::WaysTried& tried);

// Budgets that a plan or a run exceeds, as errors; and what is not served, as notes.
lint::Report findings(const plan::PlannedModel& planned, size_t layout,
                      const std::vector<Explanation>& explanations);

// For people.
std::string to_text(const std::vector<Explanation>& explanations);
// {"model", "layout", "patterns": [..], "operations": [..], "findings": [..]}
struct JsonHeading {
  std::string model;
  std::string layout;
  std::string run_on;  // empty: nothing was run
};
std::string to_json(const JsonHeading& heading, const std::vector<Explanation>& explanations,
                    const lint::Report& report);

}  // namespace sheaf::explain

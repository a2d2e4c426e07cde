// What a model is expected to answer, tried on a database that is thrown away: the model's own `expect`
// lines, and a file of steps.
//   [ { "ask": "team", "with": ["d-1"], "answer": [{ "id": "e-1" }], "requests": 1 },
//     { "do": "move", "with": ["e-1", "d-2"], "requests": { "default": 1, "method3": 2 } },
//     { "do": "move", "with": ["e-1", "d-9"], "error": "there is no Department d-9" },
//     { "ask": "home", "with": ["e-1"], "answer": [{ "id": "d-2" }], "layouts": ["method1"] } ]
// A step is for all layouts unless it names some; its requests are those of the default layout, or of each
// that it names. "now": "2026-11-15T08:30:00.000Z" says when it happens.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "plan/planned_model.h"

namespace sheaf::run {

struct TestCase {
  std::string layout;
  std::string name;
  std::optional<std::string> failure;
  bool is_skipped = false;  // the layout cannot answer it: that is no failure
};

struct Expectations {
  std::string data;     // as JSON; empty: none
  std::string answers;  // as JSON; empty: none
  std::string layout;   // empty: all of them
};

// All steps in every layout, each on a database of its own; the `expect` lines in `default`, on data that no
// step has changed yet. kInvalid if data or answers cannot be read.
Result<std::vector<TestCase>> run_expectations(const plan::PlannedModel& planned, const Expectations& wanted);

// As build servers read it.
std::string to_junit(std::string_view suite, const std::vector<TestCase>& cases);

// The documents of a pattern with their lists sorted where the pattern promises no order: two answers are the
// same if these are.
std::string canonical_text(const model::Model& model, const model::Pattern& pattern,
                           const std::vector<Value>& documents);

}  // namespace sheaf::run

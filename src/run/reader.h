// Runs plans: makes their requests and puts documents together from what they find.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"
#include "run/cursor.h"
#include "run/figures.h"
#include "run/record.h"
#include "run/requests.h"

namespace sheaf::run {

struct Answer {
  std::vector<Value> documents;
  Figures figures;
  std::optional<Position> next;  // where the next page begins, if there is one
};

// kInvalid if an argument does not fit. `start` is an earlier answer's `next`. Buckets are read up to that of
// `now`.
Result<Answer> run_plan(Database& database, const model::Model& model, const model::Layout& layout,
                        const plan::Plan& plan, const std::vector<Argument>& arguments,
                        const Position* start = nullptr,
                        std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

// How many documents a plan gives at once, at most.
size_t documents_wanted(const plan::Plan& plan);
// kInvalid if `one` was asked for and there are more.
Result<void> check_one(const plan::Plan& plan, const Answer& answer);

}  // namespace sheaf::run

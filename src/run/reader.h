// Runs plans: makes their requests and puts documents together from what they find.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"
#include "run/record.h"

namespace sheaf::run {

// A parameter's value: the identity of an entity, or a value; nothing if it is left out.
struct Argument {
  Identity identity;
  std::optional<Value> value;
  bool is_given = true;
};

// What a run really took.
struct Figures {
  uint64_t requests = 0;
  uint64_t rounds = 0;
  uint64_t items_read = 0;
  double units = 0;
  uint64_t dangling = 0;  // references whose target is gone
  uint64_t foreign = 0;   // items that no entity or edge explains
};

struct Answer {
  std::vector<Value> documents;
  Figures figures;
  std::optional<Item> next;  // where the next page begins, if there is one
};

// kInvalid if an argument does not fit.
Result<Answer> run_plan(Database& database, const model::Model& model, const model::Layout& layout,
                        const plan::Plan& plan, const std::vector<Argument>& arguments,
                        const std::optional<Item>& start = std::nullopt);

}  // namespace sheaf::run

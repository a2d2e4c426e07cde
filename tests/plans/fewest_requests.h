// The oracle for plans: of all sequences of requests that answer a pattern, the cheapest. A search over what
// is known, with every GetItem, BatchGetItem and Query that a layout allows as a step; nothing is left out
// because it looks dear. It shares no code with the planner.
#pragma once

#include <optional>
#include <vector>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plans {

struct Fewest {
  double requests = 0;
  double units = 0;
  double rounds = 0;

  bool operator==(const Fewest&) const = default;
};

struct Answer {
  bool is_complete = true;       // or else there were too many ways to try them all
  std::optional<Fewest> fewest;  // none: no requests answer it
};

// `given`: which parameters there are.
Answer fewest_requests(const model::Model& model, const model::Layout& layout, const model::Pattern& pattern,
                       const std::vector<bool>& given);

}  // namespace sheaf::plans

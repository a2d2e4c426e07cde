// The edges that lead along an end, as they are stored.
#pragma once

#include <chrono>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/figures.h"
#include "run/record.h"

namespace sheaf::run {

struct FoundEdge {
  Edge edge;
  size_t table = 0;
  Item item;  // from an index, what that holds of it
};

// Strongly consistent if the table's own keys lead there. kInvalid if no key does.
Result<std::vector<FoundEdge>> find_edges(Database& database, const model::Model& model,
                                          const model::Layout& layout, model::EndId end, const Identity& from,
                                          std::chrono::system_clock::time_point now, Figures& figures);

}  // namespace sheaf::run

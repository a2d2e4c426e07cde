// Entries of relations that both sides keep in their own items: in a map, under the id of the one that it
// leads to, the fields of the edge and copies of that one.
//   movies: { "up#2009": { "role": "Carl", "movies_genre": "film", "_movies_v": 3 } }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/value.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/item_change.h"
#include "run/record.h"

namespace sheaf::run {

// Under which name the entry of an edge lies in the map of an end: the id of what that leads to, and those
// fields of the edge that tell parallel ones apart.
std::string entry_name(const model::Model& model, model::EndId end, const Edge& edge);
// What lies there.
Value entry_value(const model::Model& model, model::EndId end, const Edge& edge);
// The edge that an entry is, without the one who holds it. Nothing if it is none.
std::optional<Edge> entry_edge(const model::Model& model, const model::Layout& layout, model::EndId end,
                               std::string_view name, ValueView value);

// An entry that comes or goes.
struct EntryChange {
  model::EndId end;
  Edge edge;
  bool is_put = false;
  Error error;           // if it is there already, or is not
  bool is_race = false;  // it was read before
  // kPut, of an end that leads to one: that there is another. It was read before, if this is a race.
  Error taken{Code::kInUse, ""};
  bool is_taken_race = false;
};

// Puts into the change of their item what becomes of its entries.
Result<void> change_entries(const model::Model& model, const std::vector<EntryChange>& entries,
                            ItemChange& change);

}  // namespace sheaf::run

// Contributor Insights of tables and their global indexes: turning them on and off. As the rest of a table's
// settings they go when it goes, and an index's with the index.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "engine/table.h"

namespace sheaf::engine {

// A global index of the table; kNotFound if it has none of that name, whatever its status.
Result<const IndexSettings*> find_insights_index(const TableSettings& table, const std::string& name);

struct InsightsUpdate {
  std::optional<std::string> index;  // nothing: the table itself
  bool enabled = true;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;  // of no effect on what is turned off
};
struct InsightsUpdated {
  TableSettings table;   // as it is then
  bool changed = false;  // otherwise nothing was written
};
// kNotFound for a table or an index that is not there; kInvalid for what is to be turned on while it is being
// made or deleted.
Result<InsightsUpdated> update_insights(Engine& engine, std::string_view name, const InsightsUpdate& update);

}  // namespace sheaf::engine

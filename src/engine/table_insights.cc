#include "engine/table_insights.h"

#include "base/try.h"
#include "engine/tables.h"

namespace sheaf::engine {
namespace {

Error not_active(std::string_view what) {
  return {Code::kInvalid, "Table or Index is not in a valid state to update Key Access Insights: " +
                              std::string(what) + " must be ACTIVE to enable ContributorInsights."};
}

// Whether anything changes.
bool set(InsightsSettings& insights, const InsightsUpdate& update, int64_t now_us) {
  const bool mode_stays = !update.enabled || insights.mode == update.mode;
  if (insights.enabled == update.enabled && mode_stays) return false;
  if (update.enabled) {
    if (!insights.enabled) insights.enabled_us = now_us;
    insights.mode = update.mode;
  }
  insights.enabled = update.enabled;
  insights.changed_us = now_us;
  return true;
}

Result<bool> apply(TableSettings& table, const InsightsUpdate& update, int64_t now_us) {
  const bool table_is_active = table.status != TableStatus::kDeleting;
  if (!update.index) {
    if (update.enabled && !table_is_active) return not_active("TableStatus");
    return set(table.insights, update, now_us);
  }
  const IndexSettings* const found = TRY(find_insights_index(table, *update.index));
  if (update.enabled && !table_is_active) return not_active("TableStatus");
  if (update.enabled && found->status != IndexStatus::kActive) return not_active("IndexStatus");
  return set(table.indexes[static_cast<size_t>(found - table.indexes.data())].insights, update, now_us);
}

}  // namespace

Result<const IndexSettings*> find_insights_index(const TableSettings& table, const std::string& name) {
  const IndexSettings* const found = table.find_index(name);
  if (found != nullptr && !found->local) return found;
  return Error{Code::kNotFound,
               "Requested resource not found: Index: " + name + " not found for table: " + table.name};
}

Result<InsightsUpdated> update_insights(Engine& engine, std::string_view name, const InsightsUpdate& update) {
  const int64_t now_us = engine.clock.now_us();
  InsightsUpdated done;
  done.table = TRY(current_table(engine, name))->settings;
  done.changed = TRY(apply(done.table, update, now_us));
  if (!done.changed) return done;
  TRY(engine.catalog.change(name,
                            [&](const std::optional<TableSettings>& before, Catalog::Ids&,
                                store::Batch&) -> Result<std::optional<TableSettings>> {
                              if (!before) return no_such_table(name);
                              done.table = *before;
                              done.changed = TRY(apply(done.table, update, now_us));
                              return std::optional(done.table);
                            }));
  return done;
}

}  // namespace sheaf::engine

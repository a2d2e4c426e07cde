#include "cmd/observed_table.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::cmd {

Result<infer::ObservedTable> observe_table(Database& database, const std::string& table,
                                           const SampleOptions& options) {
  const TableDescription description = TRY(database.describe_table(table));
  infer::ObservedTable observed{.name = table, .key = description.key};
  for (const IndexDescription& index : description.indexes) {
    if (index.status == IndexStatus::kDeleting) continue;
    observed.indexes.push_back({.name = index.name,
                                .key = index.key,
                                .projection = index.projection,
                                .included = index.included,
                                .is_local = index.local});
  }
  if (description.ttl_enabled) observed.ttl = description.ttl_attribute;

  const Sampled sampled = TRY(sample_items(database, description, options,
                                           [&](ItemView item) { observed.items.emplace_back(item); }));
  const auto seen = static_cast<int64_t>(sampled.items);
  observed.item_count = sampled.is_whole ? seen : std::max<int64_t>(description.item_count, seen);
  return observed;
}

}  // namespace sheaf::cmd

#include "lint/limits.h"

namespace sheaf::lint {

std::span<const LimitName> limit_names() {
  static constexpr LimitName kNames[] = {
      {"item-bytes", "bytes that an item may have (large-item)", &Limits::item_bytes},
      {"few", "children that may be embedded (not-few)", &Limits::few},
      {"collection-bytes", "bytes of an item collection (large-collection)", &Limits::collection_bytes},
      {"collection-items", "items of an item collection (large-collection)", &Limits::collection_items},
      {"indexes", "indexes that a table may have (many-indexes)", &Limits::indexes},
      {"relation-indexes", "relations of one entity with an index each (index-per-relation)",
       &Limits::relation_indexes},
      {"levels", "levels from which a composite key is looked at (unused-levels, rigid-hierarchy)",
       &Limits::levels},
      {"copies", "copies of one field (many-copies)", &Limits::copies},
      {"copied-changes-per-day", "changes of a field that is copied (copied-often)",
       &Limits::copied_changes_per_day},
      {"edge-changes-per-day", "changes of what lies on edges (mutable-edge)", &Limits::edge_changes_per_day},
      {"sort-key-bytes", "bytes that a sort key may have (long-sort-key)", &Limits::sort_key_bytes},
      {"partition-values", "values of a partition key that are few (few-partitions)",
       &Limits::partition_values},
      {"dropped-percent", "of what a request reads, dropped (mixed-levels)", &Limits::dropped_percent},
      {"near-percent", "of a hard limit, near it (large-item, many-indexes, long-sort-key)",
       &Limits::near_percent},
      {"share-percent", "of a table in one partition key (uneven-partitions)", &Limits::share_percent},
      {"list-entries", "entries of a list, set or map in an item of a table (unbounded-field)",
       &Limits::list_entries},
  };
  return kNames;
}

}  // namespace sheaf::lint

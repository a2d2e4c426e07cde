// How many items of each kind can lie in one partition, at the sizes that a model declares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/rule.h"
#include "plan/plan.h"

namespace sheaf::lint {

// The items of one kind in one partition of a table or an index.
struct PartitionShare {
  size_t item_kind = 0;
  plan::View view;
  const model::KeyTemplate* key = nullptr;  // of the partition
  // Whose partition it is, if the key tells one entity, or a part of one that edges lead to.
  std::optional<model::EntityId> owner;
  std::vector<model::EndId> ends;  // from the owner to the items, which lead to many
  double count = 1;                // nobody said: as plans count
  bool is_unbounded = false;       // the model says so of one of the ends
  bool is_split = false;           // by buckets or shards
  // The same for kinds that lie together.
  std::string partition;
};

// Of all kinds in the table and in each index that they are in. Without those of which nobody can tell,
// because their partition is no entity's.
std::vector<PartitionShare> partition_shares(const Subject& subject);

// The bytes that an item of a kind has at the sizes that its fields declare: at least this many.
double declared_bytes(const Subject& subject, const model::ItemKind& kind);

// Where a key is written, or, if nobody wrote it, what it belongs to.
language::Span written_span(const model::ItemKind& kind, const model::KeyTemplate& key);
// The name of the table, or of its index.
std::string view_name(const model::Layout& layout, const plan::View& view);
// The table's own view, and those of all its indexes.
std::vector<plan::View> views_of(const model::Layout& layout, size_t table);

}  // namespace sheaf::lint

// The ways in which a layout lets one find the items of an entity, or the edges of a relation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// One of them, for one want.
struct AccessPath {
  bool is_point = false;  // by its address, which its identity gives
  View view;
  size_t anchor = 0;  // the node whose entities must be known; for a point: the node itself
  std::vector<Binding> partition;
  const model::KeyTemplate* pk = nullptr;
  const model::KeyTemplate* sk = nullptr;  // may be null
  SortRange sort;
  std::vector<const model::Condition*> served;
  std::vector<const model::Condition*> assured;  // by the `when` of the index
  // A range on it would be served if its key had the order of its values.
  const model::Hole* unordered = nullptr;
  // It finds what belongs to the parent and nothing else. If not, others' are read, too, and dropped.
  bool is_exact = true;
};

class AccessPaths {
 public:
  AccessPaths(const model::Model& model, const model::Layout& layout, const std::vector<DocumentNode>& nodes,
              const std::vector<bool>& given, bool is_strong)
      : model_(model), layout_(layout), nodes_(nodes), given_(given), is_strong_(is_strong) {}

  // To the items of a node by a Query: those that belong to its parent, that conditions find, or whose
  // identities are known.
  std::vector<AccessPath> to_items(size_t node) const;
  // By address alone.
  std::optional<AccessPath> point(size_t node) const;
  // To the edges between a node and its parent.
  std::vector<AccessPath> to_edges(size_t node) const;

  // The conditions of `where` on a node that are in force: all whose parameters are given.
  std::vector<const model::Condition*> conditions(size_t node) const;

 private:
  struct KeyPair {
    View view;
    const model::KeyTemplate* pk;
    const model::KeyTemplate* sk;
    const model::IndexEntry* entry = nullptr;  // of the index, unless that is over the table's keys
  };
  std::vector<KeyPair> views(const model::ItemKind& kind) const;
  // With what the entities up to `anchor_max` know: one below may bind more of the sort key, one above serves
  // all its descendants at once.
  std::optional<AccessPath> path(const KeyPair& keys, size_t node, bool is_edge, size_t anchor_max) const;
  std::vector<AccessPath> paths(const model::ItemKind& kind, size_t node, bool is_edge) const;
  std::optional<Binding> bind(const model::Hole& hole, size_t node, bool is_edge, size_t anchor_max,
                              AccessPath& path) const;
  // Of a bucket or a shard of a value that is not known: all of them.
  std::optional<Binding> spread(const model::Hole& hole, size_t node, bool is_edge,
                                const AccessPath& path) const;
  // Its identity is told by something else than its own items.
  bool is_known(size_t node) const;
  // Whether an index has all that is wanted: nothing that an absent value or a `when` keeps out of it.
  bool is_listed(const KeyPair& keys, AccessPath& path, size_t node) const;
  // Whether a whole key is that of one item.
  bool is_unique(const KeyPair& keys, size_t node, bool is_edge) const;
  bool is_always_there(const model::Hole& hole, size_t node) const;
  bool is_exact(const AccessPath& path, size_t node, bool is_edge) const;
  const model::Condition* condition_on(const model::Hole& hole, size_t node, bool is_edge,
                                       bool equality) const;
  bool is_on(const model::Condition& condition, const model::Hole& hole, size_t node, bool is_edge) const;

  const model::Model& model_;
  const model::Layout& layout_;
  const std::vector<DocumentNode>& nodes_;
  const std::vector<bool>& given_;
  const bool is_strong_;
};

}  // namespace sheaf::plan

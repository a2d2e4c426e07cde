// What patterns look for edges by, and plain edges cannot be found by: a part of the id of what they connect,
// or data of the pair. Edges of a graph have keys that are led by these (C4).
#pragma once

#include <optional>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "model/template_resolver.h"

namespace sheaf::model {

struct EdgeSearch {
  const Pattern* pattern = nullptr;
  int known = 0;                     // what the end of this side leads to is known,
  size_t parts = 0;                  // by so many parts of its id, from the first on,
  std::vector<FieldId> edge_fields;  // and these fields of the edge

  bool is_by_part() const { return edge_fields.empty(); }
};

// In the order of the patterns. None of a symmetric relation: both of its items lie with who asks.
std::vector<EdgeSearch> edge_searches(const Model& model, RelationId relation);

// The side in whose partitions edges of a graph lie, if nobody says so: where strong patterns find them, else
// where the index that is led by a search leads the other way; that of other edges if there are no searches.
// `has_items`: whether what the end of a side leads to has items.
int graph_side(const Model& model, RelationId relation, const bool (&has_items)[2]);

// The views that serve them, and the way back from the side where edges do not lie, the fewest first.
std::vector<IndexEntry> graph_views(const Model& model, const TemplateResolver& templates, int pk_side,
                                    const ItemKind& edge);

}  // namespace sheaf::model

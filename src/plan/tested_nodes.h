// Entities that conditions and orders of a document look at: `filter author.name = $n`, `order author.name`.
// They are nodes of its tree, too, so that plans read what they need of them.
#pragma once

#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// Adds, for each `filter` that is in force and each `order` over ends, the nodes that these lead to, unless
// the tree has them already. What `where` looks at is in the keys that serve it, and needs no node.
void add_tested_nodes(const model::Model& model, const model::Layout& layout, const std::vector<bool>& given,
                      std::vector<DocumentNode>& nodes);

// The nodes to go through from a node to what a place of its conditions or its order leads to; null if the
// place leads to no other node.
const Way* way_to(const DocumentNode& node, const model::Place& place);

}  // namespace sheaf::plan

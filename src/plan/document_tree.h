// The entities of a pattern's documents as a tree, and what has to be fetched of each.
#pragma once

#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// How a node is found from its parent in a layout.
enum class Link : uint8_t {
  kStart,      // node 0
  kItems,      // its own items know their parent
  kEdges,      // edges lead to it
  kReference,  // the parent's item names it
  kIdentity,   // the parent's identity contains its own
  kEmbedded,   // it lies in the parent's item
  kNone,       // this layout cannot
};

std::vector<DocumentNode> document_tree(const model::Model& model, const model::Pattern& pattern,
                                        size_t& result);

Link link_of(const model::Model& model, const model::Layout& layout, const DocumentNode& node);

// Fields that the link brings along: copies on the child, the edge or the list entry.
std::vector<model::FieldId> copied_fields(const model::Layout& layout, const DocumentNode& node);

// Whether the node's own item must be read: for fields that nothing else brings, or because it leads on.
bool needs_item(const model::Model& model, const model::Layout& layout,
                const std::vector<DocumentNode>& nodes, size_t node);

// Whether an index holds all that the document takes from the items that are wanted there.
bool holds_all(const model::Model& model, const model::Layout& layout, const std::vector<DocumentNode>& nodes,
               const Want& want, size_t table, const model::Index& index);

}  // namespace sheaf::plan

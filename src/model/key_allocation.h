// Keys, indexes and edges that nobody wrote down.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/model.h"
#include "model/template_resolver.h"

namespace sheaf::model {

// DEPARTMENT for Department, ORDER_LINE for OrderLine.
std::string key_word(std::string_view name);

// The key of an entity that stands alone: "ORDER#<id>" / "ORDER#<id>".
void allocate_own_key(const Model& model, const TemplateResolver& templates, const Table& table,
                      ItemKind& kind);
// In the partition of its parent, which is reached by `to_parent`; behind the parent's sort key with `path`.
void allocate_child_key(const Model& model, const TemplateResolver& templates, const ItemKind& parent,
                        EndId to_parent, bool path, ItemKind& kind);
// An edge in the partition of the entity that the end of `side` leads to.
void allocate_edge_key(const Model& model, const TemplateResolver& templates, const ItemKind& partition,
                       int side, ItemKind& edge);

// The children of a parent: "DEPARTMENT#<department.id>" / "EMPLOYEE#<id>".
IndexEntry child_view(const Model& model, const TemplateResolver& templates, EndId to_parent,
                      const ItemKind& kind);
// The parent among them: "DEPARTMENT#<id>" / "DEPARTMENT#<id>".
IndexEntry parent_view(const Model& model, const TemplateResolver& templates, EndId to_parent,
                       const ItemKind& parent);
// Edges by the end of `side`.
IndexEntry edge_view(const Model& model, const TemplateResolver& templates, int side, const ItemKind& edge);

}  // namespace sheaf::model

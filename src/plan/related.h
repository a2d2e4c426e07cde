// How what an end leads to is listed from one entity, for operations: children, or the edges to them.
#pragma once

#include <optional>

#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"

namespace sheaf::plan {

// A plan of one Query, anchored at node 0, whose items belong to node 1. It is strong if the table's own keys
// lead there, and through an index if not. Nothing if no key does, or if there is nothing to list: the
// relation is kept in the entity's own item.
std::optional<Plan> related_plan(const model::Model& model, const model::Layout& layout, model::EndId end);

// What one entity's identity alone finds it by, if its key needs more: an index that is led by the identity.
std::optional<Plan> lookup_plan(const model::Model& model, const model::Layout& layout,
                                model::EntityId entity);

}  // namespace sheaf::plan

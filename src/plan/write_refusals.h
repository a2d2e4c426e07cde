// What cannot be written in a layout, whatever the values: who depends on it could not be found. Asked by
// plans of operations, and again by those who carry them out.
#pragma once

#include <optional>
#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plan {

// Why no entity of this kind can be deleted: those that lead to it, or that go with it, cannot be found or
// written.
std::optional<std::string> why_undeletable(const model::Model& model, const model::Layout& layout,
                                           model::EntityId entity);

// Why a field does not change: it is copied, and no key leads to the copies.
std::optional<std::string> why_unchangeable(const model::Model& model, const model::Layout& layout,
                                            model::EntityId entity, model::FieldId field);

// Why an end that leads to one cannot be moved or removed: what it leads to is not kept with its holder.
std::optional<std::string> why_unmovable(const model::Model& model, const model::Layout& layout,
                                         model::EndId end);

}  // namespace sheaf::plan

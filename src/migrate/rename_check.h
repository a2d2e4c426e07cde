// What is said to be called otherwise, looked up in both models: a name that neither has would be passed
// over, and what it should have kept would be lost.
#pragma once

#include "sheaf/result.h"

#include "migrate/translation.h"
#include "model/model.h"

namespace sheaf::migrate {

// kInvalid, with the nearest name, unless each names an entity, a field, an end or a field of an edge in the
// old model, and its counterpart in the new one.
Result<void> check_renames(const model::Model& from, const model::Model& to, const Renames& renames);

}  // namespace sheaf::migrate

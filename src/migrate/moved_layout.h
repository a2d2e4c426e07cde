// Where a model is that was moved, for those who work on its items while nothing moves.
#pragma once

#include "sheaf/database.h"

#include "plan/planned_model.h"

namespace sheaf::migrate {

struct MovedLayout {
  size_t id = 0;  // of those that the model has
  model::Layout layout;
};

// The layout that a model is stored in, under the names that it and its tables have there, if it is said to
// be `layout`; that one itself if the model never moved. kConflict while it is being moved, kInvalid if the
// model lacks the layout.
Result<MovedLayout> stored_layout(Database& database, const model::CompiledModel& compiled, size_t layout);

// Lets `layout` of the model be that.
Result<void> follow_moves(Database& database, plan::PlannedModel& planned, size_t& layout);

}  // namespace sheaf::migrate

#include "migrate/moved_layout.h"

#include <algorithm>

#include "base/try.h"
#include "migrate/version.h"
#include "run/system_table.h"

namespace sheaf::migrate {

Result<MovedLayout> stored_layout(Database& database, const model::CompiledModel& compiled, size_t layout) {
  const std::vector<model::Layout>& layouts = compiled.layouts;
  const std::string name = compiled.model.name();
  const auto record = TRY(read_versions(database, run::system_table_name(compiled.model)));
  if (!record || !record->layouts.contains(layouts[layout].name))
    return MovedLayout{.id = layout, .layout = layouts[layout]};
  if (record->phase != Phase::kOne)
    return Error{Code::kConflict,
                 "the model " + name +
                     " is being moved to another layout: sheaf model migrate --status tells how far it is"};
  const auto stored = std::find_if(layouts.begin(), layouts.end(), [&](const model::Layout& each) {
    return each.name == record->current.layout;
  });
  if (stored == layouts.end())
    return Error{Code::kInvalid, "the model " + name + " was moved to the layout " + record->current.layout +
                                     ", which this file does not have"};
  MovedLayout moved{.id = static_cast<size_t>(stored - layouts.begin()), .layout = *stored};
  rename_as(record->current, moved.layout);
  return moved;
}

Result<void> follow_moves(Database& database, plan::PlannedModel& planned, size_t& layout) {
  MovedLayout moved = TRY(stored_layout(database, planned.compiled, layout));
  layout = moved.id;
  // Plans refer to the rest of it.
  model::Layout& stored = planned.compiled.layouts[layout];
  stored.name = std::move(moved.layout.name);
  for (size_t i = 0; i < stored.tables.size(); ++i)
    stored.tables[i].name = std::move(moved.layout.tables[i].name);
  return {};
}

}  // namespace sheaf::migrate

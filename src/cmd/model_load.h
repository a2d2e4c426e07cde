// Data into the tables of a model, and what is told of it.
#pragma once

#include "sheaf/database.h"

#include "cmd/chosen_model.h"
#include "cmd/data_input.h"
#include "run/data_writer.h"
#include "run/link_check.h"

namespace sheaf::cmd {

struct LoadedData {
  run::Written written;
  run::DanglingLinks dangling;
};

// Into tables of a layout that is applied. Ends early, between two entities or links, if the program is told
// to. `loaded` also has what was written before an error.
Result<void> load_data(Database& database, const ChosenModel& chosen, DataInput& input,
                       run::WhatIsThere what_is_there, LoadedData& loaded);

// Of what was loaded and leads to nobody, on the standard error.
void complain_of_links(const run::DanglingLinks& dangling);

}  // namespace sheaf::cmd

// Models whose tables are watched, as commands are given them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "model/compiled_model.h"
#include "watch/key_names.h"

namespace sheaf::cmd {

struct WatchedModels {
  std::vector<std::unique_ptr<model::CompiledModel>> compiled;
  watch::KeyNames names;  // of them
};

// FILE, FILE:LAYOUT, or a directory, as `sheaf serve --model` takes them. kInvalid, with all that is wrong.
// With a database, models that were moved there are those that they were moved to.
Result<WatchedModels> read_watched_models(const std::vector<std::string>& named,
                                          Database* database = nullptr);

}  // namespace sheaf::cmd

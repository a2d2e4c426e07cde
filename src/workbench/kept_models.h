// Models that were given to a running server, kept in a table of its own, so that it offers them again after
// a start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "service/served_model.h"

namespace sheaf::workbench {

inline constexpr std::string_view kKeptModelsTable = "sheaf-workbench";

// By name. None if nothing was ever kept.
Result<std::vector<service::ModelSource>> read_kept_models(Database& database);
// Makes the table if there is none. `name` is that of the model.
Result<void> keep_model(Database& database, const std::string& name, const service::ModelSource& source);
Result<void> forget_model(Database& database, const std::string& name);

}  // namespace sheaf::workbench

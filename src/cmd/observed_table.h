// A table as the inference wants it: its description, and items from all over its keys.
#pragma once

#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cmd/table_sample.h"
#include "infer/observed.h"

namespace sheaf::cmd {

// kNotFound if there is no such table.
Result<infer::ObservedTable> observe_table(Database& database, const std::string& table,
                                           const SampleOptions& options);

}  // namespace sheaf::cmd

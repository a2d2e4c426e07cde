// The tables of a layout on a database.
#pragma once

#include "sheaf/database.h"

#include "model/layout.h"

namespace sheaf::run {

// The request that makes a table as the layout has it.
CreateTable create_request(const model::Table& table);

// Makes the tables and indexes that are not there. Those that are must have the same keys: kInvalid says what
// differs, and nothing is changed then.
Result<void> apply_tables(Database& database, const model::Layout& layout);

}  // namespace sheaf::run

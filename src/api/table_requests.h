// CreateTable, UpdateTable and what describes a table.
#pragma once

#include <string_view>

#include "sheaf/table.h"

#include "engine/engine.h"

namespace sheaf::api {

Result<TableDescription> create_table(engine::Engine& engine, const CreateTable& request);
Result<TableDescription> update_table(engine::Engine& engine, const UpdateTable& request);
Result<TableDescription> delete_table(engine::Engine& engine, std::string_view table);
Result<TableDescription> describe_table(engine::Engine& engine, std::string_view table);

}  // namespace sheaf::api

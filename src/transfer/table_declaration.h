// A table's keys and indexes as a file, so that it can be made again elsewhere: the request CreateTable, as
// `aws dynamodb create-table --cli-input-json` takes it.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/table.h"

namespace sheaf::transfer {

// Keys, indexes, billing and the stream; none of the rest of its settings.
CreateTable declaration_of(const TableDescription& table);
std::string to_json(const CreateTable& request);
// kInvalid if something that a table needs is missing, or is of a kind that does not exist. The rest,
// create_table checks.
Result<CreateTable> read_declaration(std::string_view json);

// PK:S,SK:N: one or two attributes with their types.
Result<KeySchema> parse_key(std::string_view text);

}  // namespace sheaf::transfer

// TableDescription, as CreateTable, DescribeTable, UpdateTable and DeleteTable answer it.
#pragma once

#include <string>

#include "sheaf/table.h"

#include "wire/operation.h"

namespace sheaf::wire {

// What was just done to the table. DynamoDB does it afterwards and answers with what the table is becoming;
// here it is done already, except for indexes that are being filled or removed and items that are being
// deleted.
enum class Telling : uint8_t {
  kAsItIs,
  kCreated,  // CREATING, with its global indexes
  kUpdated,  // UPDATING
  kDeleted,  // DELETING, and little else
};

// {"TableName":...,...}
void append_table(std::string& out, const TableDescription& table, const Account& account, int64_t now_us,
                  Telling telling);

// [{"AttributeName":...,"KeyType":...},...]
void append_key_schema(std::string& out, const KeySchema& key);

std::string_view view_name(StreamView view);

}  // namespace sheaf::wire

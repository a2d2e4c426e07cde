// Requests on items as DynamoDB's JSON. What they consume is always asked for, index by index.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/request.h"
#include "sheaf/statement.h"

namespace sheaf::remote {

std::string to_json(const PutItem& request);
std::string to_json(const UpdateItem& request);
std::string to_json(const DeleteItem& request);
std::string to_json(const GetItem& request);
std::string to_json(const Query& request);
std::string to_json(const Scan& request);
std::string to_json(const BatchGetItems& request);
std::string to_json(const BatchWriteItems& request);
// With `token` in place of its own.
std::string to_json(const TransactWriteItems& request, std::string_view token);
std::string to_json(const TransactGetItems& request);
std::string to_json(const ExecuteStatement& request);
std::string to_json(const BatchExecuteStatement& request);
// With `token` in place of its own; none if that is empty.
std::string to_json(const ExecuteTransaction& request, std::string_view token);

}  // namespace sheaf::remote

// How tables, indexes and streams are called outside: ARNs, ids and labels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "wire/operation.h"

namespace sheaf::wire {

// "arn:aws:dynamodb:us-east-1:000000000000:"
std::string arn_prefix(const Account& account);
std::string table_arn(const Account& account, std::string_view table);
std::string index_arn(const Account& account, std::string_view table, std::string_view index);
std::string stream_arn(const Account& account, std::string_view table, int64_t created_us);

// When a stream was opened: 2026-11-15T08:35:37.123
std::string stream_label(int64_t created_us);

// A UUID that is always the same for a table, and another for one that is made anew under its name.
std::string table_uuid(std::string_view table, uint32_t id, int64_t created_us);

struct StreamName {
  std::string table;
  std::string label;
};
// Error if `arn` is not of a stream's form. Region and account are not compared: there is one of each here.
Result<StreamName> parse_stream_arn(std::string_view arn);

struct ResourceName {
  std::string account;
  std::string table;
};
// The table of a ResourceArn of the tag operations, in the same way.
Result<ResourceName> parse_resource_arn(std::string_view arn);

}  // namespace sheaf::wire

// Requests on tables as DynamoDB's JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/table.h"

namespace sheaf::remote {

std::string to_json(const CreateTable& request);
std::string to_json(const UpdateTable& request);

// UpdateTimeToLive
std::string time_to_live_json(std::string_view table, std::string_view attribute, bool enabled);
// TagResource and UntagResource
std::string tag_json(std::string_view arn, const std::map<std::string, std::string>& tags);
std::string untag_json(std::string_view arn, const std::vector<std::string>& keys);

// {"name":"value",...} of texts and whole numbers; texts that are empty are left out.
struct Field {
  std::string_view name;
  std::string_view text = {};
  std::optional<int64_t> number = std::nullopt;
};
std::string object_json(std::initializer_list<Field> fields);

}  // namespace sheaf::remote

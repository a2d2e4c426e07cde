// Values and items as DynamoDB's JSON, appended to a buffer.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/value.h"

namespace sheaf {

// {"S":"text"}
void append_json(std::string& out, ValueView value);

// {"name":{"S":"text"},...}
void append_json(std::string& out, ItemView item);

// "text", quoted and escaped. `text` is UTF-8 and stays so.
void append_json_string(std::string& out, std::string_view text);

}  // namespace sheaf

// Items as lines of plain JSON: {"pk":"a","count":3}.
//
// What JSON has no form for is an object of one marked member: {"$B":"base64"} is a binary, {"$SS":["a"]},
// {"$NS":[1]} and {"$BS":["base64"]} are sets. A map that could be taken for one of them is {"$M":{...}}. So
// every item comes back as it was.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/value.h"

namespace sheaf::transfer {

// kInvalid if it is no object of JSON, or a mark holds what it cannot.
Result<Item> read_plain_item(std::string_view line);
void append_plain_line(std::string& out, ItemView item);

// The same for one value, without a line end.
Result<Value> read_plain_value(std::string_view text);
std::string plain_text(ValueView value);

}  // namespace sheaf::transfer

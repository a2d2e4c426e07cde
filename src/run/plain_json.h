// Values as people write them in JSON: 3 is a number, "x" a text. Types of the model decide where JSON leaves
// it open.
#pragma once

#include <string>
#include <string_view>

#include "sheaf/result.h"
#include "sheaf/value.h"

namespace sheaf::run {

// Documents may be nested deeper than the items that are made of them.
inline constexpr int kJsonNestingMax = 200;

// {"name":"acme","seats":40}. Binaries are base64, sets are lists.
std::string to_plain_json(ValueView value);
// With line breaks, two spaces a level.
std::string to_pretty_json(ValueView value);
// With lists sorted, to compare what has no promised order.
std::string sorted_text(ValueView value);
// Objects become maps, arrays lists. Errors say where.
Result<Value> from_plain_json(std::string_view text);

}  // namespace sheaf::run

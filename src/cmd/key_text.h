// Keys as people read them: texts without quotation marks.
#pragma once

#include <string>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

namespace sheaf::cmd {

std::string key_text(ValueView value);
// Those that the item has, in their order.
std::string key_text(const std::vector<KeyAttribute>& attributes, ItemView item);

}  // namespace sheaf::cmd

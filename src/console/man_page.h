// Manual pages, made of the tree of commands.
#pragma once

#include <string>

#include "console/command_shape.h"

namespace sheaf::console {

// The page of the last command of the path, in roff with man's macros. `version` is the program's.
std::string man_page(const CommandPath& path, std::string_view version);

// sheaf-table-create.1
std::string man_page_name(const CommandPath& path);

}  // namespace sheaf::console

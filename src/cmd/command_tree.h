// The commands of an application as data.
#pragma once

#include "console/command_shape.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

// All that its help would tell, hidden options left out.
console::CommandShape shape_of(const CLI::App& app);

}  // namespace sheaf::cmd

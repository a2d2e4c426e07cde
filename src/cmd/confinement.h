// A process that gives up what it does not need: one that the workbench has started, for a page, has files in
// its own directory alone, and asks no server but its own. Which words such a command may have is looked at
// before (workbench/command_check.h); this holds where that has missed something.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sheaf/result.h"

namespace sheaf::cmd {

struct Confinement {
  std::string directory;         // what is beneath can be read, written and removed, but not executed
  std::optional<uint16_t> port;  // TCP connections go there, on any address; without it there are none
};

// Whether the kernel has Landlock; it does from Linux 5.13 on, unless it is turned off.
bool can_confine();
// Until the process ends; also for threads that it begins from now on, not for those that it has. Files that
// are open stay so. False: the kernel cannot, and nothing has changed. TCP is left alone before Linux 6.7.
Result<bool> confine_to(const Confinement& confinement);
// As the environment says, if it does: SHEAF_CONFINED is the directory, SHEAF_CONFINED_PORT the port. An
// error if the kernel can but it could not be done: the program must not go on then. To be called first in
// main, while there is one thread.
Result<void> confine();

}  // namespace sheaf::cmd

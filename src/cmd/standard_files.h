// The standard input, output and error, which whoever starts a program may have closed.
#pragma once

#include "sheaf/result.h"

namespace sheaf::cmd {

// Opens nothing in the place of those that are closed: the next file that is opened would take it, a
// database's log, a connection, and what is told would be written there. Who writes to it learns that it
// cannot be. To be called first in main. kIo if `nothing` cannot be opened: the program must not go on then.
Result<void> hold_standard_files(const char* nothing = "/dev/null");

}  // namespace sheaf::cmd

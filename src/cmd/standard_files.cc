#include "cmd/standard_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace sheaf::cmd {

Result<void> hold_standard_files(const char* nothing) {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0) continue;
    // The lowest that is free, which is this one. For reading: nothing can be written to it.
    if (::open(nothing, O_RDONLY) == file) continue;
    return Error{Code::kIo, std::string("a standard file is closed, and ") + nothing +
                                " cannot be opened in its place: " + std::strerror(errno)};
  }
  return {};
}

}  // namespace sheaf::cmd

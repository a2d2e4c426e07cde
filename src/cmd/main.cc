// The program: sheaf COMMAND.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/confinement.h"
#include "cmd/program.h"

namespace {

int run(int count, char** arguments) {
  sheaf::cmd::CommandSession session;
  CLI::App app;
  sheaf::cmd::add_commands(app, session);
  return sheaf::cmd::run_command_line(app, {arguments + std::min(count, 1), arguments + count},
                                      session.status);
}

// Who starts the program may have closed these. The next file that is opened would take their place: a
// database's log, a connection; and what is told would be written there.
void hold_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0) continue;
    // Nothing can be written to it, so that who writes learns of it.
    if (::open("/dev/null", O_RDONLY) != file) std::abort();
  }
}

}  // namespace

int main(int count, char** arguments) {
  hold_standard_files();
  if (const sheaf::Result<void> confined = sheaf::cmd::confine(); !confined.ok())
    return sheaf::cmd::fail(confined.error().message);
  int status = sheaf::cmd::kWrongUse;
  try {
    status = run(count, arguments);
  } catch (const std::exception& error) {
    status = sheaf::cmd::fail(error.what());
  }
  // Whoever reads a file of what was told must know if it is not all.
  if (!std::cout.flush()) status = sheaf::cmd::fail("cannot write the standard output");
  return status;
}

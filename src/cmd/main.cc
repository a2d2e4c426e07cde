// The program: sheaf COMMAND.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/confinement.h"
#include "cmd/program.h"
#include "cmd/standard_files.h"

namespace {

int run(int count, char** arguments) {
  sheaf::cmd::CommandSession session;
  CLI::App app;
  sheaf::cmd::add_commands(app, session);
  return sheaf::cmd::run_command_line(app, {arguments + std::min(count, 1), arguments + count},
                                      session.status);
}

}  // namespace

int main(int count, char** arguments) {
  if (const sheaf::Result<void> held = sheaf::cmd::hold_standard_files(); !held.ok())
    return sheaf::cmd::fail(held.error().message);
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

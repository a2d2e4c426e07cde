// The program: sheaf COMMAND.
#include <CLI/CLI.hpp>

#include "cmd/chosen_model.h"
#include "cmd/program.h"

int main(int count, char** arguments) {
  sheaf::cmd::CommandSession session;
  CLI::App app;
  sheaf::cmd::add_commands(app, session);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    // Help is no error; of what else CLI11 tells apart with a status of its own, all is wrong use.
    return app.exit(error) == 0 ? 0 : sheaf::cmd::kWrongUse;
  }
  return session.status;
}

// The program: sheaf COMMAND.
#include <CLI/CLI.hpp>

#include "cmd/lint_table_command.h"
#include "cmd/model_command.h"
#include "cmd/serve_command.h"
#include "cmd/statement_command.h"
#include "cmd/top_command.h"
#include "cmd/watch_command.h"

int main(int count, char** arguments) {
  CLI::App app("Sheaf: a database for item collections and the relationships between them", "sheaf");
  app.set_version_flag("--version", "sheaf " SHEAF_VERSION);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of all commands");
  int status = 0;
  sheaf::cmd::add_serve_command(app, status);
  sheaf::cmd::add_model_command(app, status);
  sheaf::cmd::add_statement_command(app, status);
  sheaf::cmd::add_lint_table_command(app, status);
  sheaf::cmd::add_top_command(app, status);
  sheaf::cmd::add_watch_command(app, status);
  CLI11_PARSE(app, count, arguments);
  return status;
}

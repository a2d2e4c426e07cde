#include "cmd/program.h"

#include <CLI/CLI.hpp>

#include "cmd/bench_command.h"
#include "cmd/command_line.h"
#include "cmd/doctor_command.h"
#include "cmd/dump_command.h"
#include "cmd/item_command.h"
#include "cmd/lint_table_command.h"
#include "cmd/load_command.h"
#include "cmd/manual_command.h"
#include "cmd/model_command.h"
#include "cmd/query_command.h"
#include "cmd/serve_command.h"
#include "cmd/shell_command.h"
#include "cmd/sql_command.h"
#include "cmd/table_command.h"
#include "cmd/top_command.h"
#include "cmd/watch_command.h"

namespace sheaf::cmd {

void add_data_commands(CLI::App& app, CommandSession& session) {
  add_table_command(app, session);
  add_item_command(app, session);
  add_query_command(app, session);
  add_scan_command(app, session);
  add_sql_command(app, session);
  add_load_command(app, session);
  add_dump_command(app, session);
}

void add_commands(CLI::App& app, CommandSession& session) {
  app.name("sheaf");
  app.description("Sheaf: a database for item collections and the relationships between them");
  app.set_version_flag("--version", "sheaf " SHEAF_VERSION);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of all commands");
  add_serve_command(app, session.status);
  add_model_command(app, session.status);
  add_data_commands(app, session);
  add_shell_command(app, session);
  add_bench_command(app, session.status);
  add_doctor_command(app, session.status);
  add_lint_table_command(app, session.status);
  add_top_command(app, session.status);
  add_watch_command(app, session.status);
  add_completion_command(app, session);
  add_manual_command(app, session);
  finish_commands(app);
}

}  // namespace sheaf::cmd

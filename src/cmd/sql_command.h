// sheaf sql: PartiQL from the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/statement.h"

#include "cmd/item_output.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Sets the session's status when it was run. It must outlive the application. "statement" is another name of
// it.
void add_sql_command(CLI::App& app, CommandSession& session);

struct SqlOptions {
  std::optional<uint64_t> limit;  // of items that are shown
  bool reads_all = false;         // and not a screen of them, on a terminal
  std::string token;
  OutputChoice output;
};
// Runs a statement and shows what it selects. The exit status.
int run_sql(const CommandSession& session, Database& database, const Statement& statement,
            const SqlOptions& options);

}  // namespace sheaf::cmd

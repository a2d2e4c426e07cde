// Where a command runs: by itself, with a database of its own, or in a shell, where all have the same.
#pragma once

#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>

#include "sheaf/database.h"
#include "sheaf/result.h"

#include "cmd/database_option.h"
#include "cmd/terminal.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession {
  Database* database = nullptr;  // of a shell; null: each command is told its own
  Terminal terminal = standard_terminal();
  bool wants_json = false;                           // of a shell; else each command is told
  std::set<std::string>* seen_attributes = nullptr;  // of items that were shown; null: nobody wants them
  // Of a shell at a terminal: whether Ctrl-C was pressed since the command began. Empty: it ends the program.
  std::function<bool()> is_ended;
  int status = 0;  // of the command that was run: the program's exit status

  bool is_shell() const { return database != nullptr; }
};

// The database of one command.
class SessionDatabase {
 public:
  // --data and --endpoint, unless the session has one. Must outlive the application. Only commands that make
  // tables make a database where there is none.
  void add_options(CLI::App& command, const CommandSession& session);
  // For who asks an endpoint again by itself, later and later, from so many threads: each call tries only
  // twice. Before `open`.
  void ask_from(size_t threads);
  // Opens what was chosen, the first time. Lives as long as this.
  Result<Database*> open(const CommandSession& session);

 private:
  DatabaseChoice choice_;
  std::unique_ptr<Database> opened_;
};

}  // namespace sheaf::cmd

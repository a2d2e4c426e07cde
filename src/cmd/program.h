// The commands of the program, as one tree: what main parses, and what help, completion and manual pages are
// made of.
#pragma once

#include "cmd/command_session.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

// The program's name, its own options and all commands. `session` must outlive the application.
void add_commands(CLI::App& app, CommandSession& session);
// Those on tables and items, which a shell has, too.
void add_data_commands(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

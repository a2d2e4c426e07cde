// sheaf dump: a table's items into a file or a folder.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Sets the session's status when it was run. It must outlive the application.
void add_dump_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

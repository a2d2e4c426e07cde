// sheaf table list, show, create, update and delete.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Sets the session's status when it was run. It must outlive the application.
void add_table_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

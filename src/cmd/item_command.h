// sheaf item get, put, update and delete.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Sets the session's status when it was run. It must outlive the application.
void add_item_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

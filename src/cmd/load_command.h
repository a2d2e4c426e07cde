// sheaf load: items from files into a table.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Sets the session's status when it was run. It must outlive the application.
void add_load_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

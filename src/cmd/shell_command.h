// sheaf shell: commands and statements, one after the other, on one database.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Sets the session's status when it was run. It must outlive the application.
void add_shell_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

// sheaf man and sheaf completion: what is made of the commands themselves.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Both are about all commands of `app`, those that are added later, too. They set the session's status when
// they were run; it must outlive the application.
void add_manual_command(CLI::App& app, CommandSession& session);
void add_completion_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

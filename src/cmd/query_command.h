// sheaf query and sheaf scan: items of a table or an index, page after page.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

struct CommandSession;

// Both set the session's status when they were run. It must outlive the application.
void add_query_command(CLI::App& app, CommandSession& session);
void add_scan_command(CLI::App& app, CommandSession& session);

}  // namespace sheaf::cmd

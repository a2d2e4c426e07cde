// sheaf top: what a running server is busy with, live.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// `status` is set to the exit status when the command has run.
void add_top_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

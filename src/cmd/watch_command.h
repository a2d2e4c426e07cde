// sheaf watch: growth and heat against limits, with forecasts.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// `status` is set to the exit status when the command has run.
void add_watch_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

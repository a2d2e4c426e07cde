// sheaf bench: a quick measure of a database.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Adds the command to `app`. `status` gets its exit status.
void add_bench_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

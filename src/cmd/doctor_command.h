// sheaf doctor: checks a data directory, and repairs what can be.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Adds the command to `app`. `status` gets its exit status.
void add_doctor_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

// sheaf model migrate: a model moves from one layout to another while it is used.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Adds `migrate` to the command `model`. Sets `status` to the program's exit status when it has run.
void add_migrate_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

// sheaf model export: a layout for other tools.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Adds `export` to the command `model`. Sets `status` to the program's exit status when it has run.
void add_export_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

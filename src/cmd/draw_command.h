// sheaf model draw: drawings of a model.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Adds `draw` to the command `model`. Sets `status` to the program's exit status when it has run.
void add_draw_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

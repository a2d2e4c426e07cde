// sheaf model infer, sheaf model import: models from tables that exist, and from data models of other tools.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Adds both to the command `model`. Sets `status` to the program's exit status when one has run.
void add_infer_commands(CLI::App& model, int& status);

}  // namespace sheaf::cmd

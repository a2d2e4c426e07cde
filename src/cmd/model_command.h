// sheaf model: checks, formats, draws and runs model files.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Sets `status` to the program's exit status when the command has run.
void add_model_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

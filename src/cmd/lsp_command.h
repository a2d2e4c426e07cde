// `sheaf model lsp`.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// To `sheaf model`. The exit status of what is run is left in `status`.
void add_lsp_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

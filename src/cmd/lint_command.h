// sheaf model lint: anti-patterns in model files.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_lint_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

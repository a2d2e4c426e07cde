// sheaf model client: typed clients of a model's routes.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_client_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

// sheaf model generate: data from a model, in given sizes, the same for the same seed.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_generate_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

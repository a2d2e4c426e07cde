// sheaf model advise: how relations should be stored, and why.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_advise_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

// sheaf model measure: every legal way to store a relation, on the user's data and patterns.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_measure_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

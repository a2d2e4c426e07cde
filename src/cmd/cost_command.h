// sheaf model cost: what a month of a model costs, in one layout or in several.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_cost_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

// sheaf model plan: the requests behind every pattern and operation.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_plan_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

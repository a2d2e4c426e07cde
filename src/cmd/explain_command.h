// sheaf model explain: what patterns and operations take, planned against actual, and budgets that fail a
// build.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_explain_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

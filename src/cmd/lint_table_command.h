// sheaf lint-table: what the items of a table tell, without a model.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_lint_table_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

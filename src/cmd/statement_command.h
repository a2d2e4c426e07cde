// sheaf statement: PartiQL from the command line.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// `status` is the program's exit status if the command was chosen. It must outlive the application.
void add_statement_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

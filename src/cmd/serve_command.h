// sheaf serve: the DynamoDB API and models over HTTP.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Sets `status` to the program's exit status when the command has run.
void add_serve_command(CLI::App& app, int& status);

}  // namespace sheaf::cmd

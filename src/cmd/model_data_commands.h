// sheaf model apply|load|run|work|audit|test: models on databases.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_model_data_commands(CLI::App& model, int& status);

}  // namespace sheaf::cmd

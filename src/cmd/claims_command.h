// sheaf model claims: what the documents say of each strategy, held against measured figures.
#pragma once

namespace CLI {
class App;
}

namespace sheaf::cmd {

void add_claims_command(CLI::App& model, int& status);

}  // namespace sheaf::cmd

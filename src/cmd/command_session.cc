#include "cmd/command_session.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "base/try.h"

namespace sheaf::cmd {
namespace {

// These make tables. All others would find nothing in a database that is new: where there is none, a name was
// mistyped.
constexpr std::array<std::string_view, 3> kMakers = {"create", "load", "shell"};

}  // namespace

void SessionDatabase::add_options(CLI::App& command, const CommandSession& session) {
  choice_.must_exist = std::find(kMakers.begin(), kMakers.end(), command.get_name()) == kMakers.end();
  if (!session.is_shell()) add_database_options(command, choice_, DatabaseNeed::kRequired);
}

void SessionDatabase::ask_from(size_t threads) {
  // Twice: a connection that was kept may be closed by the time it is used.
  constexpr uint32_t kAttempts = 2;
  choice_.attempts_max = kAttempts;
  choice_.connections_max = threads;
}

Result<Database*> SessionDatabase::open(const CommandSession& session) {
  if (session.is_shell()) return session.database;
  if (opened_ == nullptr) opened_ = TRY(open_database(choice_));
  return opened_.get();
}

}  // namespace sheaf::cmd

#include "cmd/command_session.h"

#include "base/try.h"

namespace sheaf::cmd {

void SessionDatabase::add_options(CLI::App& command, const CommandSession& session) {
  if (!session.is_shell()) add_database_options(command, choice_, DatabaseNeed::kRequired);
}

Result<Database*> SessionDatabase::open(const CommandSession& session) {
  if (session.is_shell()) return session.database;
  if (opened_ == nullptr) opened_ = TRY(open_database(choice_));
  return opened_.get();
}

}  // namespace sheaf::cmd

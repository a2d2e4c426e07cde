#include "cmd/statement_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "api/explain_statement.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "run/plain_json.h"

namespace sheaf::cmd {
namespace {

struct StatementArguments {
  DatabaseChoice database;
  std::string text;
  std::vector<std::string> parameters;
  uint32_t limit = 0;
  std::string token;
  bool is_consistent = false;
  bool explains = false;
  bool tells_cost = false;
};

// JSON, or else a text.
Value parameter_of(const std::string& text) {
  Result<Value> value = run::from_plain_json(text);
  return value.ok() ? std::move(*value) : Value(text);
}

int execute(Database& database, const StatementArguments& arguments, Statement statement) {
  ExecuteStatement request{.statement = std::move(statement)};
  if (arguments.limit > 0) request.limit = arguments.limit;
  if (!arguments.token.empty()) request.next_token = arguments.token;
  const Result<StatementDone> done = database.execute_statement(request);
  if (!done.ok()) return fail(done.error().message);
  if (!done->condition_met) return fail("the condition does not hold, and nothing was changed");
  for (size_t i = 0; i < done->items.size(); ++i)
    std::cout << run::to_plain_json(Value(Item(done->items[i]))) << "\n";
  if (done->next_token) std::cerr << "more: --token " << *done->next_token << "\n";
  if (arguments.tells_cost) std::cerr << done->capacity.total() << " units\n";
  return 0;
}

int run_statement(const StatementArguments& arguments) {
  Result<std::unique_ptr<Database>> database = open_database(arguments.database);
  if (!database.ok()) return fail(database.error().message);
  Statement statement{.text = arguments.text, .consistent = arguments.is_consistent};
  for (const std::string& parameter : arguments.parameters)
    statement.parameters.push_back(parameter_of(parameter));
  if (!arguments.explains) return execute(**database, arguments, std::move(statement));
  const Result<std::string> plan = api::explain_statement(**database, statement);
  if (!plan.ok()) return fail(plan.error().message);
  std::cout << *plan;
  return 0;
}

}  // namespace

void add_statement_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<StatementArguments>();
  CLI::App& command = *app.add_subcommand("statement", "Run a statement of PartiQL, or say how it is run");
  command.add_option("text", arguments->text, "SELECT, INSERT, UPDATE or DELETE")->required();
  command.add_option("parameters", arguments->parameters,
                     "For the question marks in it, in their order: JSON, or else a text");
  add_database_options(command, arguments->database, DatabaseNeed::kRequired);
  command.add_flag("--explain", arguments->explains, "Say which requests it stands for, and run nothing");
  command.add_option("--limit", arguments->limit, "Read so many items at most");
  command.add_option("--token", arguments->token, "Go on where the page before ended");
  command.add_flag("--consistent", arguments->is_consistent, "Read what was written last");
  command.add_flag("--cost", arguments->tells_cost, "Tell the units that it took");
  command.callback([arguments, &status] { status = run_statement(*arguments); });
}

}  // namespace sheaf::cmd

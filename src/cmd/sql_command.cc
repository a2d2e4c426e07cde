#include "cmd/sql_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "api/explain_statement.h"
#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/command_session.h"
#include "console/table_page.h"
#include "run/plain_json.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

// Of a table: as many items as fit below them, so that a token can tell where to go on.
constexpr size_t kHeadLines = 2;
// For a screen of items that are seldom, at a time.
constexpr uint64_t kLookedAtMax = 10'000;

struct SqlArguments {
  SessionDatabase database;
  std::string text;
  std::vector<std::string> parameters;
  bool is_consistent = false;
  bool explains = false;
  SqlOptions options;
};

// JSON, or else a text.
Value parameter_of(const std::string& text) {
  Result<Value> value = run::from_plain_json(text);
  return value.ok() ? std::move(*value) : Value(text);
}

void print_json(const api::StatementRequest& request) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.text("operation", request.operation);
    object.text("table", request.table);
    if (request.index) object.text("index", *request.index);
    object.text("text", request.text);
    if (!request.fix.empty()) object.text("fix", request.fix);
  }
  std::cout << out << "\n";
}

int explain(Database& database, const Statement& statement, bool as_json) {
  if (as_json) {
    const auto requests = api::requests_of_statement(database, statement);
    if (!requests.ok()) return fail(requests.error().message);
    for (const api::StatementRequest& each : *requests) print_json(each);
    return 0;
  }
  const Result<std::string> plan = api::explain_statement(database, statement);
  if (!plan.ok()) return fail(plan.error().message);
  std::cout << *plan;
  return 0;
}

int run_sql_command(const CommandSession& session, SqlArguments& arguments) {
  const Result<Database*> database = arguments.database.open(session);
  if (!database.ok()) return fail(database.error().message);
  Statement statement{.text = arguments.text, .consistent = arguments.is_consistent};
  for (const std::string& parameter : arguments.parameters)
    statement.parameters.push_back(parameter_of(parameter));
  if (!arguments.explains) return run_sql(session, **database, statement, arguments.options);
  return explain(**database, statement, arguments.options.output.is_json);
}

// Its keys come first, if what was selected tells the table.
KeySchema key_of_table(Database& database, const std::string& table) {
  const Result<TableDescription> description = database.describe_table(table);
  return description.ok() ? description->key : KeySchema{};
}

bool is_select(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  constexpr std::string_view kSelect = "SELECT";
  if (begin == std::string_view::npos || text.size() - begin < kSelect.size()) return false;
  return std::equal(kSelect.begin(), kSelect.end(), text.begin() + static_cast<ptrdiff_t>(begin),
                    [](char a, char b) { return a == std::toupper(static_cast<unsigned char>(b)); });
}

}  // namespace

int run_sql(const CommandSession& session, Database& database, const Statement& statement,
            const SqlOptions& options) {
  std::optional<ItemPrinter> printer;
  printer.emplace(session, options.output, KeySchema{});
  const bool reads = is_select(statement.text);
  const bool is_screen =
      reads && printer->draws() && session.terminal.is_one && !options.limit && !options.reads_all;
  const std::optional<uint64_t> items_max =
      is_screen ? std::optional<uint64_t>(session.terminal.item_lines() - kHeadLines) : options.limit;
  uint64_t screen_limit = items_max.value_or(0);
  ExecuteStatement request{.statement = statement};
  if (!options.token.empty()) request.next_token = options.token;
  Capacity capacity;
  uint64_t shown = 0;
  uint64_t left_out = 0;
  bool is_ended = false;
  do {
    if (items_max)
      request.limit = static_cast<uint32_t>(
          std::min<uint64_t>(is_screen ? screen_limit : *items_max - shown, UINT32_MAX));
    const Result<StatementDone> done = database.execute_statement(request);
    if (!done.ok()) {
      printer->finish();
      // Refused like a condition that does not hold, and so it ends.
      if (done.error().code != Code::kDuplicate) return fail(done.error().message);
      complain("there is such an item already, and nothing was changed");
      return kWrongModel;
    }
    if (!done->condition_met) {
      complain("the condition does not hold, and nothing was changed");
      return kWrongModel;
    }
    if (printer->draws() && shown == 0 && !done->items.empty())
      printer.emplace(session, options.output, key_of_table(database, done->table));
    for (size_t i = 0; i < done->items.size(); ++i) {
      const bool is_wanted = !items_max || shown < *items_max;
      if (is_wanted) printer->add(done->items[i]);
      ++(is_wanted ? shown : left_out);
    }
    capacity.table += done->capacity.table;
    for (const auto& [name, units] : done->capacity.indexes) capacity.indexes[name] += units;
    request.next_token = done->next_token;
    // A limit counts what is looked at. Where little of it is selected, more is looked at the next time.
    if (done->items.size() < screen_limit) screen_limit = std::min(screen_limit * 4, kLookedAtMax);
    is_ended = request.next_token && session.is_ended && session.is_ended();
  } while (request.next_token && !is_ended && (!items_max || shown < *items_max));
  const size_t undrawn =
      printer->finish(is_screen ? std::optional(session.terminal.item_lines()) : std::nullopt);
  left_out += undrawn;
  std::cout << std::flush;
  const bool is_cut = left_out > 0 || request.next_token;
  if (reads) {
    tell_people(session, counted(shown - undrawn, "item", "items") +
                             (is_screen && is_cut ? " on this screen; --all for all, --limit for more" : ""));
  } else {
    tell_people(session, "done");
  }
  // A token is of a whole page: with it, what was left out would be skipped.
  if (request.next_token && left_out == 0)
    std::cerr << "more: --token " << console::shell_word(*request.next_token) << "\n";
  tell_cost(session, options.output, capacity);
  return is_ended ? fail("interrupted: this is not all") : 0;
}

void add_sql_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<SqlArguments>();
  CLI::App& command = *app.add_subcommand("sql", "Run a statement of PartiQL, or say how it is run");
  command.alias("statement");
  command.add_option("STATEMENT", arguments->text, "SELECT, INSERT, UPDATE or DELETE")->required();
  add_words_option(command, "PARAMETER", arguments->parameters,
                   "For the question marks in it, in their order: JSON, or else a text");
  arguments->database.add_options(command, session);
  command.add_flag("--explain", arguments->explains,
                   "Say which requests it stands for, and run nothing; with --json an object a line");
  CLI::Option* const limit =
      command
          .add_option("--limit", arguments->options.limit,
                      "So many items at most; without it a screen of them on a terminal, else all")
          ->check(CLI::PositiveNumber);
  command.add_flag("--all", arguments->options.reads_all, "All items, on a terminal too")->excludes(limit);
  command.add_option("--token", arguments->options.token, "Go on where the page before ended");
  command.add_flag("--consistent", arguments->is_consistent, "Read what was written last");
  add_output_options(command, arguments->options.output);
  command.footer(
      "sheaf sql \"SELECT * FROM app WHERE PK = ? AND seats > ?\" ORG#acme 10\n"
      "sheaf sql --explain \"SELECT * FROM app WHERE seats > 10\"");
  command.callback([arguments, &session] { session.status = run_sql_command(session, *arguments); });
}

}  // namespace sheaf::cmd

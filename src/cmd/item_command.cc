#include "cmd/item_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/command_session.h"
#include "cmd/expression_option.h"
#include "cmd/item_output.h"
#include "cmd/progress.h"
#include "cmd/put_items.h"
#include "console/key_words.h"

namespace sheaf::cmd {
namespace {

// What all of them have.
struct ItemArguments {
  SessionDatabase database;
  std::string table;
  std::vector<std::string> keys;
  OutputChoice output;
};

struct GetArguments : ItemArguments {
  std::vector<std::string> attributes;
  bool is_consistent = false;
};

struct WriteArguments : ItemArguments {
  std::string condition;
  ExpressionChoice expressions;
  bool shows_old = false;
  bool shows_new = false;
};

struct PutArguments : WriteArguments {
  std::vector<std::string> items;
  bool must_be_new = false;
};

struct UpdateArguments : WriteArguments {
  std::vector<std::string> sets, removes, adds, deletes;
};

// The table and the item that a command is about.
struct Addressed {
  Database* database = nullptr;
  KeySchema schema;
  Item key;
};

Result<Addressed> address(const CommandSession& session, ItemArguments& arguments) {
  Addressed addressed;
  addressed.database = TRY(arguments.database.open(session));
  addressed.schema = TRY(addressed.database->describe_table(arguments.table)).key;
  addressed.key = TRY(console::item_key(arguments.table, addressed.schema, arguments.keys));
  return addressed;
}

int not_met() {
  complain("the condition does not hold, and nothing was changed");
  return kWrongModel;
}

void show(const CommandSession& session, const OutputChoice& output, const KeySchema& schema, ItemView item) {
  OutputChoice choice = output;
  // One item is better read from above to below.
  if (choice.form.empty() && ItemPrinter(session, choice, schema).draws()) choice.form = "list";
  ItemPrinter printer(session, choice, schema);
  printer.add(item);
  printer.finish();
}

int told(const CommandSession& session, const WriteArguments& arguments, const KeySchema& schema,
         const Result<Written>& written, const std::string& done) {
  if (!written.ok()) return fail(written.error().message);
  if (!written->condition_met) return not_met();
  if ((arguments.shows_old || arguments.shows_new) && written->attributes)
    show(session, arguments.output, schema, *written->attributes);
  std::cout << std::flush;
  tell_people(session, done);
  tell_cost(session, arguments.output, written->capacity);
  return 0;
}

int run_get(const CommandSession& session, GetArguments& arguments) {
  const auto run = [&]() -> Result<int> {
    const Addressed addressed = TRY(address(session, arguments));
    console::WrittenExpressions written;
    GetItem request{.table = arguments.table, .key = addressed.key, .consistent = arguments.is_consistent};
    const std::string projection = TRY(console::projection_of(arguments.attributes, written));
    if (!projection.empty()) request.projection = projection;
    request.names = written.names();
    const Got got = TRY(addressed.database->get_item(request));
    if (got.item) show(session, arguments.output, addressed.schema, *got.item);
    std::cout << std::flush;
    if (!got.item) complain("there is no such item in " + arguments.table);
    tell_cost(session, arguments.output, got.capacity);
    return got.item ? 0 : kWrongModel;
  };
  const Result<int> status = run();
  return status.ok() ? *status : fail(status.error().message);
}

Result<Capacity> put_many(const CommandSession& session, Database& database, const std::string& table,
                          const KeySchema& key, const std::vector<console::ReadItem>& items) {
  Progress progress("item", "items");
  const PutOptions options{.table = table,
                           .key = key,
                           .progress = [&](uint64_t put) { progress.tell(put, items.size()); },
                           .is_ended = session.is_ended};
  return put_in_batches(database, options, items);
}

int run_put(const CommandSession& session, PutArguments& arguments) {
  const auto run = [&]() -> Result<int> {
    Database* const database = TRY(arguments.database.open(session));
    const KeySchema schema = TRY(database->describe_table(arguments.table)).key;
    const std::vector<console::ReadItem> items =
        TRY(given_items(arguments.items, arguments.output.json_form(), schema));
    console::WrittenExpressions written = TRY(written_of(arguments.expressions));
    PutItem request{.table = arguments.table};
    if (arguments.shows_old) request.return_values = ReturnValues::kAllOld;
    if (!arguments.condition.empty()) request.condition = TRY(written.add(arguments.condition));
    if (arguments.must_be_new)
      request.condition = "attribute_not_exists(" + written.name(schema.partition.front().name) + ")";
    request.names = written.names();
    request.values = written.values();
    if (items.size() > 1 && !request.condition && !arguments.shows_old) {
      const Capacity capacity = TRY(put_many(session, *database, arguments.table, schema, items));
      tell_people(session, counted(items.size(), "item", "items") + " put");
      tell_cost(session, arguments.output, capacity);
      return 0;
    }
    int status = 0;
    for (const console::ReadItem& each : items) {
      request.item = each.item;
      const int one = told(session, arguments, schema, database->put_item(request), "1 item put");
      if (one != 0 && items.size() > 1) complain("that was the item of line " + std::to_string(each.line));
      status = std::max(status, one);
      if (one == kWrongUse) break;
    }
    return status;
  };
  const Result<int> status = run();
  return status.ok() ? *status : fail(status.error().message);
}

// "SET a = :sheaf1, b = :sheaf2 REMOVE c"
Result<std::string> update_of(const UpdateArguments& arguments, console::WrittenExpressions& written) {
  using Kind = console::WrittenExpressions::Kind;
  struct Clause {
    const char* word;
    const std::vector<std::string>* parts;
    Kind kind;
  };
  std::string update;
  for (const Clause& clause :
       {Clause{"SET", &arguments.sets, Kind::kUsual}, Clause{"REMOVE", &arguments.removes, Kind::kUsual},
        Clause{"ADD", &arguments.adds, Kind::kPairs}, Clause{"DELETE", &arguments.deletes, Kind::kPairs}}) {
    if (clause.parts->empty()) continue;
    update += (update.empty() ? "" : " ") + std::string(clause.word) + " ";
    for (const std::string& part : *clause.parts) {
      if (&part != &clause.parts->front()) update += ", ";
      update += TRY(written.add(part, clause.kind));
    }
  }
  return update;
}

int run_update(const CommandSession& session, UpdateArguments& arguments) {
  const auto run = [&]() -> Result<int> {
    const Addressed addressed = TRY(address(session, arguments));
    console::WrittenExpressions written = TRY(written_of(arguments.expressions));
    UpdateItem request{.table = arguments.table, .key = addressed.key};
    request.update = TRY(update_of(arguments, written));
    if (!arguments.condition.empty()) request.condition = TRY(written.add(arguments.condition));
    request.names = written.names();
    request.values = written.values();
    if (arguments.shows_old) request.return_values = ReturnValues::kAllOld;
    if (arguments.shows_new) request.return_values = ReturnValues::kAllNew;
    return told(session, arguments, addressed.schema, addressed.database->update_item(request),
                "1 item updated");
  };
  const Result<int> status = run();
  return status.ok() ? *status : fail(status.error().message);
}

int run_delete(const CommandSession& session, WriteArguments& arguments) {
  const auto run = [&]() -> Result<int> {
    const Addressed addressed = TRY(address(session, arguments));
    console::WrittenExpressions written = TRY(written_of(arguments.expressions));
    DeleteItem request{.table = arguments.table, .key = addressed.key};
    if (!arguments.condition.empty()) request.condition = TRY(written.add(arguments.condition));
    request.names = written.names();
    request.values = written.values();
    request.return_values = ReturnValues::kAllOld;
    const Result<Written> done = addressed.database->delete_item(request);
    const bool was_there = done.ok() && done->attributes && !done->attributes->empty();
    return told(session, arguments, addressed.schema, done,
                was_there ? "1 item deleted" : "there was no such item");
  };
  const Result<int> status = run();
  return status.ok() ? *status : fail(status.error().message);
}

void add_table_and_key(CLI::App& command, ItemArguments& arguments, const CommandSession& session) {
  command.add_option("TABLE", arguments.table, "Of which table")->required();
  add_words_option(
      command, "KEY", arguments.keys,
      "The partition key and, if the table has one, the sort key: a text as it is, a number, or base64")
      .required()
      ->expected(1, 2);
  arguments.database.add_options(command, session);
}

void add_write_options(CLI::App& command, WriteArguments& arguments) {
  command.add_option("--if", arguments.condition,
                     "Change it only if this holds, as in \"attribute_exists(PK) AND total < 10\"");
  add_expression_options(command, arguments.expressions);
  add_output_options(command, arguments.output);
}

void add_get(CLI::App& item, CommandSession& session) {
  auto arguments = std::make_shared<GetArguments>();
  CLI::App& command = *item.add_subcommand("get", "Show an item; status 1 if there is none");
  add_table_and_key(command, *arguments, session);
  command.add_option("--attributes", arguments->attributes, "Only these of it: a,b.c")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--consistent", arguments->is_consistent, "Read what was written last");
  add_output_options(command, arguments->output);
  command.footer(
      "sheaf item get app ORG#acme USER#ada --data ./data\nsheaf item get app ORG#acme USER#ada --attributes "
      "name,address.city");
  command.callback([arguments, &session] { session.status = run_get(session, *arguments); });
}

void add_put(CLI::App& item, CommandSession& session) {
  auto arguments = std::make_shared<PutArguments>();
  CLI::App& command =
      *item.add_subcommand("put", "Put items: new ones, or in the place of those with the same key");
  command.add_option("TABLE", arguments->table, "Into which table")->required();
  add_words_option(
      command, "ITEM", arguments->items,
      "The item as JSON, {\"PK\": \"a\", \"n\": 1}; - reads the standard input, an item a line, and "
      "looks at all before the first is put; for files that are large there is `sheaf load`")
      .required();
  arguments->database.add_options(command, session);
  CLI::Option* const is_new =
      command.add_flag("--new", arguments->must_be_new, "Only if there is no item with that key yet");
  add_write_options(command, *arguments);
  is_new->excludes("--if");
  command.add_flag("--old", arguments->shows_old, "Show what was there before");
  command.footer(
      "sheaf item put app '{\"PK\": \"ORG#acme\", \"SK\": \"METADATA\", \"seats\": 40}' --new\n"
      "sheaf item put app - < items.jsonl");
  command.callback([arguments, &session] { session.status = run_put(session, *arguments); });
}

void add_update(CLI::App& item, CommandSession& session) {
  auto arguments = std::make_shared<UpdateArguments>();
  CLI::App& command =
      *item.add_subcommand("update", "Change attributes of an item, which is made if it is not there");
  add_table_and_key(command, *arguments, session);
  CLI::Option_group* const changes = command.add_option_group("changes", "What is changed");
  add_repeated_option(*changes, "--set", arguments->sets,
                      "Set attributes, as in \"n = n + 1, tags = ['a']\"");
  add_repeated_option(*changes, "--remove", arguments->removes, "Remove attributes: a, b.c, list[0]");
  add_repeated_option(*changes, "--add", arguments->adds,
                      "Add to a number or a set: \"n 1\", \"tags <<'a'>>\"");
  add_repeated_option(*changes, "--delete", arguments->deletes, "Remove from a set: \"tags <<'a'>>\"");
  changes->require_option(1, 0);
  add_write_options(command, *arguments);
  CLI::Option* const old = command.add_flag("--old", arguments->shows_old, "Show the item as it was before");
  command.add_flag("--new", arguments->shows_new, "Show the item as it is now")->excludes(old);
  command.footer(
      "sheaf item update app ORG#acme METADATA --set \"seats = seats + 1, status = 'OPEN'\" --if 'seats < "
      "100' --new\n"
      "sheaf item update app ORG#acme METADATA --remove note --add \"tags <<'large'>>\"");
  command.callback([arguments, &session] { session.status = run_update(session, *arguments); });
}

void add_delete(CLI::App& item, CommandSession& session) {
  auto arguments = std::make_shared<WriteArguments>();
  CLI::App& command = *item.add_subcommand("delete", "Delete an item; none is deleted if there is none");
  add_table_and_key(command, *arguments, session);
  add_write_options(command, *arguments);
  command.add_flag("--old", arguments->shows_old, "Show what was there");
  command.footer("sheaf item delete app ORG#acme METADATA --if 'seats = 0' --old");
  command.callback([arguments, &session] { session.status = run_delete(session, *arguments); });
}

}  // namespace

void add_item_command(CLI::App& app, CommandSession& session) {
  CLI::App& item = *app.add_subcommand("item", "Get, put, update and delete single items");
  item.require_subcommand(1);
  add_get(item, session);
  add_put(item, session);
  add_update(item, session);
  add_delete(item, session);
}

}  // namespace sheaf::cmd

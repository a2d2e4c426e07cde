#include "cmd/table_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/command_session.h"
#include "cmd/expression_option.h"
#include "cmd/table_wait.h"
#include "console/table_page.h"
#include "console/table_words.h"

namespace sheaf::cmd {
namespace {

const std::map<std::string, StreamView> kStreamViews{{"keys", StreamView::kKeysOnly},
                                                     {"new", StreamView::kNewImage},
                                                     {"old", StreamView::kOldImage},
                                                     {"both", StreamView::kNewAndOldImages}};
const char* const kOff = "off";

struct ListArguments {
  SessionDatabase database;
  bool is_long = false;
  bool is_json = false;
};

struct ShowArguments {
  SessionDatabase database;
  std::string table;
  bool is_json = false;
  bool is_command = false;
};

struct CreateArguments {
  SessionDatabase database;
  console::TableWords words;
  std::string provisioned;
  std::string stream;
  std::string ttl;
  bool is_protected = false;
  bool if_missing = false;
  std::vector<std::string> tags;
  bool is_json = false;
};

struct TableUpdateArguments {
  SessionDatabase database;
  std::string table;
  std::vector<std::string> added, removed;
  std::string provisioned;
  bool is_on_demand = false;
  std::string stream;
  std::string ttl;
  bool protects = false;
  bool unprotects = false;
  std::vector<std::string> tags, untags;
  bool leaves = false;
  bool is_json = false;
};

struct TableDeleteArguments {
  SessionDatabase database;
  std::string table;
  bool is_sure = false;
  bool leaves = false;
  bool is_json = false;
};

Result<std::map<std::string, std::string>> tags_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> tags;
  for (const std::string& text : texts) {
    const size_t place = text.find('=');
    if (place == std::string::npos || place == 0)
      return Error{Code::kInvalid, "--tag " + text + ": it wants key=value"};
    tags[text.substr(0, place)] = text.substr(place + 1);
  }
  return tags;
}

Result<void> list_tables(const CommandSession& session, ListArguments& arguments) {
  Database* const database = TRY(arguments.database.open(session));
  const std::vector<std::string> names = TRY(database->list_tables());
  if (!arguments.is_long && !arguments.is_json && !session.wants_json) {
    for (const std::string& name : names) std::cout << name << "\n";
    return {};
  }
  std::vector<TableDescription> tables;
  for (const std::string& name : names) tables.push_back(TRY(database->describe_table(name)));
  if (arguments.is_json || session.wants_json) {
    for (const TableDescription& each : tables) std::cout << console::table_json(each) << "\n";
    return {};
  }
  if (!tables.empty()) std::cout << console::tables_page(tables, session.terminal.look);
  return {};
}

Result<void> show_table(const CommandSession& session, ShowArguments& arguments) {
  Database* const database = TRY(arguments.database.open(session));
  const TableDescription table = TRY(database->describe_table(arguments.table));
  if (arguments.is_command) {
    std::cout << "sheaf table create " << console::create_words(table) << "\n";
  } else if (arguments.is_json || session.wants_json) {
    std::cout << console::table_json(table) << "\n";
  } else {
    std::cout << console::table_page(table, session.terminal.look);
  }
  return {};
}

Result<void> print_description(Database& database, const std::string& table) {
  std::cout << console::table_json(TRY(database.describe_table(table))) << "\n";
  return {};
}

Result<void> create_table(const CommandSession& session, CreateArguments& arguments) {
  CreateTable request = TRY(console::create_table_of(arguments.words));
  request.tags = TRY(tags_of(arguments.tags));
  request.deletion_protected = arguments.is_protected;
  if (!arguments.stream.empty()) request.stream = kStreamViews.at(arguments.stream);
  if (!arguments.provisioned.empty()) {
    request.billing = BillingMode::kProvisioned;
    request.throughput = TRY(console::units_of(arguments.provisioned));
    for (IndexDeclaration& index : request.global_indexes) index.throughput = request.throughput;
  }
  Database* const database = TRY(arguments.database.open(session));
  if (arguments.if_missing) {
    const Result<TableDescription> there = database->describe_table(request.table);
    if (there.ok() && there->key != request.key) {
      return Error{Code::kInUse,
                   request.table + " is there already, with another key: " + console::words_of(there->key)};
    }
    if (there.ok()) {
      if (arguments.is_json) std::cout << console::table_json(*there) << "\n";
      return {};
    }
    if (there.error().code != Code::kNotFound) return there.error();
  }
  TRY(database->create_table(request));
  if (!arguments.ttl.empty()) TRY(database->update_time_to_live(request.table, arguments.ttl, true));
  if (arguments.is_json) TRY(print_description(*database, request.table));
  return {};
}

// One request a kind of change: DynamoDB takes no more at once.
Result<std::vector<UpdateTable>> settings_of(const TableUpdateArguments& arguments,
                                             const TableDescription& table) {
  std::vector<UpdateTable> changes;
  const auto add = [&]() -> UpdateTable& {
    changes.push_back({.table = arguments.table});
    return changes.back();
  };
  if (arguments.protects || arguments.unprotects) add().deletion_protected = arguments.protects;
  if (arguments.is_on_demand) add().billing = BillingMode::kOnDemand;
  if (!arguments.provisioned.empty()) {
    const Throughput units = TRY(console::units_of(arguments.provisioned));
    UpdateTable& change = add();
    change.billing = BillingMode::kProvisioned;
    change.throughput = units;
    for (const IndexDescription& index : table.indexes)
      if (!index.local) change.index_throughput[index.name] = units;
  }
  if (arguments.stream == kOff) {
    add().close_stream = true;
  } else if (!arguments.stream.empty()) {
    add().open_stream = kStreamViews.at(arguments.stream);
  }
  return changes;
}

Result<void> update_table(const CommandSession& session, TableUpdateArguments& arguments) {
  const std::map<std::string, std::string> tags = TRY(tags_of(arguments.tags));
  Database* const database = TRY(arguments.database.open(session));
  const std::string& name = arguments.table;
  const TableDescription table = TRY(database->describe_table(name));
  std::vector<UpdateTable> changes = TRY(settings_of(arguments, table));
  for (const std::string& index : arguments.removed) {
    UpdateTable change{.table = name};
    change.remove_index = index;
    changes.push_back(std::move(change));
  }
  for (const std::string& words : arguments.added) {
    UpdateTable change{.table = name};
    change.add_index = TRY(console::added_index_of(words, table));
    change.add_index->throughput =
        arguments.provisioned.empty() ? table.throughput : TRY(console::units_of(arguments.provisioned));
    changes.push_back(std::move(change));
  }
  for (size_t i = 0; i < changes.size(); ++i) {
    if (i > 0) TRY(wait_until_ready(*database, name));
    TRY(database->update_table(changes[i]));
  }
  if (!changes.empty() && !arguments.leaves) TRY(wait_until_ready(*database, name));
  if (arguments.ttl == kOff && table.ttl_enabled)
    TRY(database->update_time_to_live(name, table.ttl_attribute, false));
  if (!arguments.ttl.empty() && arguments.ttl != kOff)
    TRY(database->update_time_to_live(name, arguments.ttl, true));
  if (!tags.empty()) TRY(database->tag_table(name, tags));
  if (!arguments.untags.empty()) TRY(database->untag_table(name, arguments.untags));
  if (arguments.is_json) TRY(print_description(*database, name));
  return {};
}

// Others than Sheaf count now and then, AWS every six hours: their 0 is looked into.
std::string items_of(Database& database, const TableDescription& table) {
  if (table.item_count > 0) return counted(static_cast<size_t>(table.item_count), "item", "items");
  const Result<Page> page = database.scan({.table = table.name, .limit = 1});
  return page.ok() && page->items.empty() ? "no items" : "items that were not counted yet";
}

// On a terminal the name has to be typed; elsewhere --yes says it.
Result<void> make_sure(Database& database, const TableDescription& table) {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1)
    return Error{Code::kInvalid, "deleting " + table.name + " cannot be undone: --yes says that it is meant"};
  std::cerr << "This deletes " << table.name << " with " << items_of(database, table)
            << ", and cannot be undone. Type its name to go on: " << std::flush;
  std::string typed;
  std::getline(std::cin, typed);
  if (typed == table.name) return {};
  return Error{Code::kInvalid, "that is not its name, and nothing was deleted"};
}

Result<void> delete_table(const CommandSession& session, TableDeleteArguments& arguments) {
  Database* const database = TRY(arguments.database.open(session));
  const TableDescription table = TRY(database->describe_table(arguments.table));
  if (!arguments.is_sure) TRY(make_sure(*database, table));
  TRY(database->delete_table(arguments.table));
  if (!arguments.leaves) TRY(wait_until_gone(*database, arguments.table));
  if (arguments.is_json) std::cout << console::table_json(table) << "\n";
  return {};
}

int status_of(const Result<void>& done) { return done.ok() ? 0 : fail(done.error().message); }

void add_list(CLI::App& table, CommandSession& session) {
  auto arguments = std::make_shared<ListArguments>();
  CLI::App& command = *table.add_subcommand("list", "The names of all tables");
  arguments->database.add_options(command, session);
  command.add_flag("-l,--long", arguments->is_long, "Keys, indexes and sizes, too");
  command.add_flag("--json", arguments->is_json, "As DescribeTable tells them, one a line");
  command.callback([arguments, &session] { session.status = status_of(list_tables(session, *arguments)); });
}

void add_show(CLI::App& table, CommandSession& session) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App& command = *table.add_subcommand("show", "Keys, indexes, sizes and settings of a table");
  command.add_option("TABLE", arguments->table, "Which table")->required();
  arguments->database.add_options(command, session);
  CLI::Option* const json =
      command.add_flag("--json", arguments->is_json, "As DescribeTable tells it, on one line");
  command.add_flag("--command", arguments->is_command, "The command that makes a table like it")
      ->excludes(json);
  command.callback([arguments, &session] { session.status = status_of(show_table(session, *arguments)); });
}

std::vector<std::string> stream_words(bool with_off) {
  std::vector<std::string> words;
  for (const auto& [word, view] : kStreamViews) words.push_back(word);
  if (with_off) words.emplace_back(kOff);
  return words;
}

void add_create(CLI::App& table, CommandSession& session) {
  auto arguments = std::make_shared<CreateArguments>();
  CLI::App& command = *table.add_subcommand("create", "Create a table");
  command.add_option("TABLE", arguments->words.table, "Its name")->required();
  arguments->database.add_options(command, session);
  command.add_option("--key", arguments->words.key, "The partition key: PK, id:N (number), hash:B (binary)")
      ->required();
  command.add_option("--sort", arguments->words.sort, "The sort key: SK, date:N");
  add_repeated_option(
      command, "--gsi", arguments->words.global_indexes,
      "A global index: 'GSI1=GSI1PK/GSI1SK', 'byDate=date:N keys', 'byTeam=team include title,total', "
      "'byPlace=country,city/date'");
  add_repeated_option(command, "--lsi", arguments->words.local_indexes,
                      "A local index, which has another sort key: 'byDate=date:N'");
  command.add_option(
      "--provisioned", arguments->provisioned,
      "Units to read and to write, of the table and of each global index, as in 5/10; else on demand");
  command.add_option("--stream", arguments->stream, "What its stream has of changed items")
      ->check(CLI::IsMember(stream_words(false)));
  command.add_option("--ttl", arguments->ttl, "Delete items when the time in this attribute has come");
  command.add_flag("--protect", arguments->is_protected, "It cannot be deleted before that is taken back");
  add_repeated_option(command, "--tag", arguments->tags, "A tag: key=value");
  command.add_flag("--if-missing", arguments->if_missing, "Leave a table of that name and key as it is");
  command.add_flag("--json", arguments->is_json, "Tell of the table as DescribeTable does, on one line");
  command.footer(
      "sheaf table create app --key PK --sort SK --gsi 'GSI1=GSI1PK/GSI1SK' --gsi 'byDate=date:N keys'");
  command.callback([arguments, &session] { session.status = status_of(create_table(session, *arguments)); });
}

void add_table_update(CLI::App& table, CommandSession& session) {
  auto arguments = std::make_shared<TableUpdateArguments>();
  CLI::App& command = *table.add_subcommand("update", "Add and remove indexes, change settings");
  command.add_option("TABLE", arguments->table, "Which table")->required();
  arguments->database.add_options(command, session);
  CLI::Option_group* const changes = command.add_option_group("changes", "What is changed");
  add_repeated_option(*changes, "--gsi", arguments->added, "Add a global index, written as for create");
  add_repeated_option(*changes, "--remove-gsi", arguments->removed, "Remove a global index");
  CLI::Option* const units =
      changes->add_option("--provisioned", arguments->provisioned, "Units to read and to write, as in 5/10");
  changes->add_flag("--on-demand", arguments->is_on_demand, "As many units as are used")->excludes(units);
  changes->add_option("--stream", arguments->stream, "What its stream has of changed items; off: no stream")
      ->check(CLI::IsMember(stream_words(true)));
  changes->add_option("--ttl", arguments->ttl,
                      "Delete items when the time in this attribute has come; off: never");
  CLI::Option* const protects = changes->add_flag("--protect", arguments->protects, "It cannot be deleted");
  changes->add_flag("--unprotect", arguments->unprotects, "It can be deleted")->excludes(protects);
  add_repeated_option(*changes, "--tag", arguments->tags, "Set a tag: key=value");
  add_repeated_option(*changes, "--untag", arguments->untags, "Remove a tag");
  changes->require_option(1, 0);
  command.add_flag("--no-wait", arguments->leaves, "Do not wait until indexes are filled");
  command.add_flag("--json", arguments->is_json,
                   "Tell of the table as it is then, as DescribeTable does, on one line");
  command.footer(
      "sheaf table update app --gsi 'byStatus=status/total:N' --ttl expires\n"
      "sheaf table update app --remove-gsi byStatus --stream both");
  command.callback([arguments, &session] { session.status = status_of(update_table(session, *arguments)); });
}

void add_table_delete(CLI::App& table, CommandSession& session) {
  auto arguments = std::make_shared<TableDeleteArguments>();
  CLI::App& command = *table.add_subcommand("delete", "Delete a table with all its items");
  command.add_option("TABLE", arguments->table, "Which table")->required();
  arguments->database.add_options(command, session);
  command.add_flag("--yes", arguments->is_sure, "Do not ask for its name; needed where nobody can be asked");
  command.add_flag("--no-wait", arguments->leaves, "Do not wait until its items are removed");
  command.add_flag("--json", arguments->is_json,
                   "Tell of the table as it was, as DescribeTable does, on one line");
  command.callback([arguments, &session] { session.status = status_of(delete_table(session, *arguments)); });
}

}  // namespace

void add_table_command(CLI::App& app, CommandSession& session) {
  CLI::App& table = *app.add_subcommand("table", "List, show, create, update and delete tables");
  table.require_subcommand(1);
  add_list(table, session);
  add_show(table, session);
  add_create(table, session);
  add_table_update(table, session);
  add_table_delete(table, session);
}

}  // namespace sheaf::cmd

#include "cmd/query_command.h"

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
#include "console/key_words.h"
#include "console/read_pages.h"
#include "console/table_page.h"

namespace sheaf::cmd {
namespace {

constexpr uint32_t kSegmentsMax = 64;

// What query and scan have in common.
struct ReadArguments {
  SessionDatabase database;
  std::string table;
  std::optional<std::string> index;
  std::string filter;
  std::vector<std::string> attributes;
  ExpressionChoice expressions;
  std::optional<uint64_t> limit;
  bool reads_all = false;
  bool is_consistent = false;
  bool counts = false;
  std::string start_key;
  uint32_t segments = 1;  // of a scan
  OutputChoice output;
};

struct QueryArguments : ReadArguments {
  std::vector<std::string> keys;
  console::SortRange range;
  bool is_reversed = false;
};

void add_read_options(CLI::App& command, ReadArguments& arguments, const CommandSession& session) {
  arguments.database.add_options(command, session);
  command.add_option("--index", arguments.index, "Read this index");
  command.add_option("--filter", arguments.filter,
                     "Leave out items for which this does not hold, as in \"total > 10\"");
  command.add_option("--attributes", arguments.attributes, "Only these of each item: a,b.c")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_expression_options(command, arguments.expressions);
  CLI::Option* const limit =
      command
          .add_option("--limit", arguments.limit,
                      "So many items at most; without it a screen of them on a terminal, else all")
          ->check(CLI::PositiveNumber);
  command.add_flag("--all", arguments.reads_all, "All items, on a terminal too")->excludes(limit);
  command.add_option("--start-key", arguments.start_key,
                     "Go on behind this key, which the page before ended with, in DynamoDB's JSON");
  command.add_flag("--consistent", arguments.is_consistent, "Read what was written last");
  command.add_flag("--count", arguments.counts, "Only say how many there are, up to --limit");
  add_output_options(command, arguments.output);
}

// What is the same in a Query and a Scan.
template <typename Request>
Result<void> fill_request(const ReadArguments& arguments, console::WrittenExpressions& written,
                          Request& request) {
  request.table = arguments.table;
  request.index = arguments.index;
  request.consistent = arguments.is_consistent;
  if (!arguments.filter.empty()) request.filter = TRY(written.add(arguments.filter));
  const std::string projection = TRY(console::projection_of(arguments.attributes, written));
  if (arguments.counts && !projection.empty())
    return Error{Code::kInvalid, "--count has no attributes: leave --attributes out"};
  if (!projection.empty()) request.projection = projection;
  if (arguments.counts) request.select = Select::kCount;
  if (!arguments.start_key.empty())
    request.start_key = TRY(console::item_of(arguments.start_key, console::JsonForm::kDynamo));
  request.names = written.names();
  request.values = written.values();
  return {};
}

// Reads, shows and tells.
class Reading {
 public:
  Reading(const CommandSession& session, const ReadArguments& arguments, const TableDescription& table,
          const KeySchema& key)
      : session_(session), arguments_(arguments), table_(table), printer_(session, arguments.output, key) {
    is_screen_ = printer_.draws() && session.terminal.is_one && !arguments.limit && !arguments.reads_all;
  }

  console::PagesUntil until() const {
    // There is no screen of a number.
    const bool is_screen = is_screen_ && !arguments_.counts;
    return {
        .items_max = is_screen ? std::optional<uint64_t>(session_.terminal.item_lines()) : arguments_.limit,
        .is_ended = session_.is_ended};
  }

  console::OnItem on_item() {
    return [this](ItemView item) { printer_.add(item); };
  }

  int finish(const Result<console::PagesRead>& read) {
    if (!read.ok()) {
      printer_.finish();
      return fail(read.error().message);
    }
    const size_t left_out =
        printer_.finish(is_screen_ ? std::optional(session_.terminal.item_lines()) : std::nullopt);
    if (arguments_.counts) std::cout << read->items << "\n";
    std::cout << std::flush;
    if (!arguments_.counts) tell_items(*read, left_out);
    if (arguments_.counts && read->is_cut && !read->is_ended) tell_more(read->next_key, "raise --limit");
    if (arguments_.output.tells_cost) std::cerr << counted(read->scanned, "item", "items") << " read, ";
    if (arguments_.output.tells_cost) std::cerr << counted(read->requests, "request", "requests") << ", ";
    tell_cost(session_, arguments_.output, read->capacity);
    return read->is_ended ? fail("interrupted: this is not all") : 0;
  }

 private:
  void tell_items(const console::PagesRead& read, size_t left_out) const {
    const bool is_cut = read.is_cut || left_out > 0;
    tell_people(session_,
                counted(read.items - left_out, "item", "items") +
                    (is_cut && is_screen_ ? " on this screen; --all for all, --limit for more" : ""));
    if (!is_cut) return;
    std::optional<Item> next = left_out > 0 ? std::nullopt : read.next_key;
    if (!next && printer_.last())
      next = console::start_key_of(table_, arguments_.index, printer_.last()->view());
    tell_more(next, "add the key to --attributes to go on");
  }

  void tell_more(const std::optional<Item>& next, std::string_view otherwise) const {
    if (arguments_.segments > 1) {
      // Each segment has a place of its own where it goes on.
      std::cerr << "more: leave --segments out to go on page by page\n";
      return;
    }
    if (next) {
      std::cerr << "more: --start-key " << console::shell_word(next->to_json()) << "\n";
    } else {
      std::cerr << "more: there are more; " << otherwise << "\n";
    }
  }

  const CommandSession& session_;
  const ReadArguments& arguments_;
  const TableDescription& table_;
  ItemPrinter printer_;
  bool is_screen_ = false;
};

int run_query(const CommandSession& session, QueryArguments& arguments) {
  const Result<Database*> database = arguments.database.open(session);
  if (!database.ok()) return fail(database.error().message);
  const Result<TableDescription> table = (*database)->describe_table(arguments.table);
  if (!table.ok()) return fail(table.error().message);
  const Result<KeySchema> key = console::key_of_view(*table, arguments.index);
  if (!key.ok()) return fail(key.error().message);
  const auto build = [&]() -> Result<Query> {
    console::WrittenExpressions written = TRY(written_of(arguments.expressions));
    Query query{.descending = arguments.is_reversed};
    query.key_condition = TRY(console::key_condition_of(*key, arguments.keys, arguments.range, written));
    TRY(fill_request(arguments, written, query));
    return query;
  };
  const Result<Query> query = build();
  if (!query.ok()) return fail(query.error().message);
  Reading reading(session, arguments, *table, *key);
  return reading.finish(console::read_pages(**database, *query, reading.until(), reading.on_item()));
}

int run_scan(const CommandSession& session, ReadArguments& arguments) {
  if (arguments.segments > 1 && !arguments.start_key.empty())
    return fail("--start-key is of one segment: leave --segments out");
  const Result<Database*> database = arguments.database.open(session);
  if (!database.ok()) return fail(database.error().message);
  const Result<TableDescription> table = (*database)->describe_table(arguments.table);
  if (!table.ok()) return fail(table.error().message);
  const Result<KeySchema> key = console::key_of_view(*table, arguments.index);
  if (!key.ok()) return fail(key.error().message);
  const auto build = [&]() -> Result<Scan> {
    console::WrittenExpressions written = TRY(written_of(arguments.expressions));
    Scan scan;
    TRY(fill_request(arguments, written, scan));
    return scan;
  };
  const Result<Scan> scan = build();
  if (!scan.ok()) return fail(scan.error().message);
  Reading reading(session, arguments, *table, *key);
  if (arguments.segments > 1) {
    return reading.finish(
        console::read_segments(**database, *scan, arguments.segments, reading.until(), reading.on_item()));
  }
  return reading.finish(console::read_pages(**database, *scan, reading.until(), reading.on_item()));
}

}  // namespace

void add_query_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<QueryArguments>();
  CLI::App& command = *app.add_subcommand("query", "Items of one partition, in the order of their sort keys");
  command.add_option("TABLE", arguments->table, "Of which table")->required();
  add_words_option(
      command, "KEY", arguments->keys,
      "The partition key; behind it, if it is to be equal, the sort key. Of an index with several key "
      "attributes, their values in order")
      .required();
  command.add_option("--begins", arguments->range.begins, "Sort keys that begin with this")
      ->group("Sort key");
  command.add_option("--from", arguments->range.from, "Sort keys from this on")->group("Sort key");
  command.add_option("--to", arguments->range.to, "Sort keys up to this, which is included")
      ->group("Sort key");
  command.add_option("--after", arguments->range.after, "Sort keys behind this")->group("Sort key");
  command.add_option("--before", arguments->range.before, "Sort keys before this")->group("Sort key");
  command.add_flag("--reverse", arguments->is_reversed, "The last ones first");
  add_read_options(command, *arguments, session);
  command.footer(
      "sheaf query app ORG#acme --begins USER# --reverse --limit 20\n"
      "sheaf query app OPEN --index byStatus --from 2026-01 --filter \"total > 10 AND country = 'CH'\"");
  command.callback([arguments, &session] { session.status = run_query(session, *arguments); });
}

void add_scan_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<ReadArguments>();
  CLI::App& command = *app.add_subcommand("scan", "All items of a table or an index, in no promised order");
  command.add_option("TABLE", arguments->table, "Of which table")->required();
  command.add_option("--segments", arguments->segments, "Read so many parts of it at the same time")
      ->check(CLI::Range(1u, kSegmentsMax))
      ->capture_default_str();
  add_read_options(command, *arguments, session);
  command.footer(
      "sheaf scan app --filter 'attribute_not_exists(email)' --segments 4 --cost\n"
      "sheaf scan app --count");
  command.callback([arguments, &session] { session.status = run_scan(session, *arguments); });
}

}  // namespace sheaf::cmd

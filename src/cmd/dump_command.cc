#include "cmd/dump_command.h"

#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/command_session.h"
#include "cmd/progress.h"
#include "cmd/until_told.h"
#include "console/table_page.h"
#include "transfer/dump.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

using transfer::Dumped;
using transfer::DumpOptions;

constexpr int kGaps = 1;

struct DumpArguments {
  SessionDatabase database;
  std::string table;
  std::string format;
  std::string compression;
  bool is_in_json = false;
  DumpOptions options;
};

// What load must be told to read the columns as they are.
std::string types_to_tell(const Dumped& dumped, const TableDescription& table) {
  const transfer::ColumnTypes known = transfer::with_keys({}, table);
  transfer::ColumnTypes types;
  for (const transfer::Column& column : dumped.columns) {
    const std::string key = transfer::column_key(column.name);
    const auto found = known.find(key);
    if (column.type != (found == known.end() ? transfer::ColumnType() : found->second))
      types.emplace(key, column.type);
  }
  return transfer::to_text(types);
}

void tell_dumped(const DumpArguments& arguments, const TableDescription& table, const Dumped& dumped,
                 double seconds) {
  // What is written to the standard output is not to be mixed with words.
  std::ostream& out = arguments.options.out == "-" ? std::cerr : std::cout;
  const std::string types = types_to_tell(dumped, table);
  if (arguments.is_in_json) {
    std::string text;
    {
      wire::JsonObject object(text);
      object.text("table", arguments.table);
      object.integer("items", static_cast<int64_t>(dumped.items));
      if (arguments.options.is_salvage) object.integer("gaps", static_cast<int64_t>(dumped.gaps));
      object.integer("bytes", static_cast<int64_t>(dumped.text_bytes));
      object.integer("milliseconds", static_cast<int64_t>(seconds * 1000));
      if (arguments.options.format == transfer::Format::kCsv) object.text("types", types);
    }
    out << text << "\n";
    return;
  }
  if (dumped.was_whole) {
    out << "all of it was dumped before; nothing was done\n";
    return;
  }
  out << counted(dumped.items, "item", "items") << " of " << arguments.table << std::fixed
      << std::setprecision(1) << " (" << seconds << " s";
  if (!dumped.is_resumed && seconds > 0)
    out << ", " << static_cast<uint64_t>(static_cast<double>(dumped.items) / seconds) << " a second, "
        << static_cast<double>(dumped.text_bytes) / 1e6 / seconds << " MB/s";
  out << ")\n";
  if (!types.empty()) out << "to load it as it is: --types " << console::shell_word(types) << "\n";
}

int tell_dump_ended(const DumpArguments& arguments) {
  complain(std::string("interrupted; ") +
           (!arguments.options.position_path.empty() ? "the same command goes on from here"
            : arguments.options.out == "-"           ? "this is not all"
                                           : "nothing of use is left; --resume FILE remembers where it is"));
  return kWrongUse;
}

int run_dump(const CommandSession& session, DumpArguments& arguments) {
  DumpOptions& options = arguments.options;
  const transfer::NamedForm named = transfer::form_of_path(options.out);
  options.format = !arguments.format.empty() ? *transfer::format_of(arguments.format)
                                             : named.format.value_or(transfer::Format::kDynamoJson);
  options.compression =
      arguments.compression.empty() ? named.compression : *transfer::compression_of(arguments.compression);
  if (options.out == "-" && !options.position_path.empty())
    return fail("what went to the standard output cannot be gone on with: name a file with --out");
  arguments.database.ask_from(options.segments);
  const Result<Database*> database = arguments.database.open(session);
  if (!database.ok()) return fail(database.error().message);
  const Result<TableDescription> table = (*database)->describe_table(arguments.table);
  if (!table.ok()) {
    return fail(table.error().code == Code::kNotFound ? "there is no table " + arguments.table
                                                      : table.error().message);
  }
  const auto begin = std::chrono::steady_clock::now();
  Result<Dumped> dumped = Error{Code::kInvalid, ""};
  {
    Progress progress("item", "items");
    const auto all = static_cast<double>(table->item_count);
    options.progress = [&](const transfer::DumpFigures& figures) {
      // CSV is read twice.
      const double passes = options.format == transfer::Format::kCsv ? 2 : 1;
      const double before = passes == 2 && !figures.is_looking ? 0.5 : 0;
      Progress::Amount amount{.done = figures.items};
      if (all > 0) amount.part = std::min(1.0, before + static_cast<double>(figures.items) / all / passes);
      progress.tell(amount);
    };
    options.waiting = [&](const Error& why, std::chrono::milliseconds since) {
      progress.tell_waiting(why.message, since);
    };
    options.silence = [&](std::chrono::milliseconds since) { progress.tell_silence(since); };
    options.ending = [&](size_t requests) { progress.tell_ending(requests); };
    std::optional<UntilTold> until_told;
    if (!session.is_ended) until_told.emplace();
    options.is_ended = session.is_ended ? session.is_ended : UntilTold::is_told;
    dumped = transfer::dump(**database, *table, options);
  }
  if (!dumped.ok()) {
    const int status = fail(dumped.error().message);
    if (dumped.error().code == Code::kCorrupt && !options.is_salvage)
      complain("`sheaf doctor` says what is damaged; --salvage writes all that can be read");
    return status;
  }
  if (dumped->is_ended) return tell_dump_ended(arguments);
  tell_dumped(arguments, *table, *dumped,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (dumped->gaps == 0) return 0;
  complain(counted(dumped->gaps, "gap", "gaps") + ": what lies there is damaged and could not be read");
  return kGaps;
}

}  // namespace

void add_dump_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<DumpArguments>();
  DumpOptions& options = arguments->options;
  CLI::App& command = *app.add_subcommand("dump", "Write the items of a table into a file");
  command.add_option("TABLE", arguments->table, "Whose items")->required();
  arguments->database.add_options(command, session);
  command
      .add_option("--out,--output", options.out,
                  "The file or, of an export, the folder; - is the standard output")
      ->capture_default_str();
  command
      .add_option("--format", arguments->format,
                  "dynamodb: lines of DynamoDB's JSON; json: of plain JSON; csv; export: a folder as AWS's "
                  "exports are. "
                  "Otherwise csv if the file ends with .csv, or else dynamodb")
      ->check(CLI::IsMember({"dynamodb", "json", "csv", "export"}));
  command
      .add_option("--compress", arguments->compression,
                  "gzip, zstd or none; otherwise as the file's name ends, with .gz or .zst")
      ->check(CLI::IsMember({"none", "gzip", "zstd"}));
  command.add_flag("--consistent", options.is_consistent, "Read what was written last");
  command.add_option("--segments", options.segments, "That are read at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  CLI::Option* const resume =
      command.add_option("--resume", options.position_path,
                         "Keep the position in this file, and go on from there if there is one");
  command
      .add_flag(
          "--salvage", options.is_salvage,
          "Of a directory that is damaged: write all items that can be read, and say how many gaps there are")
      ->excludes(resume);
  command.add_flag("--json", arguments->is_in_json, "Say what was done in JSON");
  command.footer(
      "sheaf dump app --out app.jsonl.zst --data ./data\n"
      "sheaf dump app --format export --out export --resume position --endpoint http://127.0.0.1:8000");
  command.callback([arguments, &session] { session.status = run_dump(session, *arguments); });
}

}  // namespace sheaf::cmd

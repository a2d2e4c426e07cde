#include "cmd/load_command.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/command_session.h"
#include "cmd/progress.h"
#include "cmd/until_told.h"
#include "transfer/export_folder.h"
#include "transfer/load.h"
#include "transfer/load_position.h"
#include "transfer/table_declaration.h"
#include "transfer/whole_file.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

using transfer::ExportFolder;
using transfer::Loaded;
using transfer::LoadOptions;

constexpr int kBadLines = 1;

struct LoadArguments {
  SessionDatabase database;
  std::string table;
  std::vector<std::string> files;
  std::string format;
  std::string types;
  std::string key;
  std::string like;
  bool is_replacing = false;
  bool is_in_json = false;
  LoadOptions options;
};

// The data files of exports in the place of their folders, and what these say about the table.
struct Inputs {
  std::vector<std::string> files;
  std::optional<CreateTable> declaration;
  uint64_t bytes = 0;  // 0: not known
};

Result<void> add_input(const std::string& path, Inputs& inputs) {
  if (path == "-") {
    inputs.files.push_back(path);
  } else if (!TRY(transfer::is_there(path))) {
    return Error{Code::kNotFound, "there is no file " + path};
  } else if (TRY(transfer::is_folder(path))) {
    ExportFolder folder = TRY(transfer::read_export_folder(path));
    if (folder.declaration) inputs.declaration = std::move(folder.declaration);
    for (transfer::ExportFile& file : folder.files) inputs.files.push_back(std::move(file.path));
  } else {
    inputs.files.push_back(path);
  }
  return {};
}

Result<Inputs> find_inputs(const LoadArguments& arguments) {
  Inputs inputs;
  for (const std::string& path : arguments.files) {
    if (path == "-" && arguments.files.size() > 1)
      return Error{Code::kInvalid, "- stands for itself: give no files beside it"};
    TRY(add_input(path, inputs));
  }
  for (const std::string& file : inputs.files) {
    std::error_code none;
    const uint64_t bytes = std::filesystem::file_size(file, none);
    if (!none) inputs.bytes += bytes;
  }
  return inputs;
}

// How the table is to be made, if it is missing.
Result<CreateTable> declaration(Database& database, const LoadArguments& arguments, const Inputs& inputs) {
  CreateTable request;
  if (!arguments.key.empty()) {
    request.key = TRY(transfer::parse_key(arguments.key));
  } else if (!arguments.like.empty()) {
    const TableDescription like = TRY(database.describe_table(arguments.like));
    request = transfer::declaration_of(like);
  } else if (inputs.declaration) {
    request = *inputs.declaration;
  } else {
    return Error{
        Code::kNotFound,
        "there is no table " + arguments.table +
            ", and nothing here says how to make it. Its key does: --key PK:S, or --key PK:S,SK:N; or "
            "another table: --like TABLE"};
  }
  request.table = arguments.table;
  return request;
}

// What is known of a table that is still to be made.
TableDescription description_of(const CreateTable& request) {
  TableDescription table{.name = request.table, .key = request.key};
  for (const bool local : {true, false}) {
    for (const auto& index : local ? request.local_indexes : request.global_indexes)
      table.indexes.push_back({.name = index.name, .local = local, .key = index.key});
  }
  return table;
}

// The table, or what makes it when it is known that there is something to put into it.
struct Target {
  TableDescription table;
  std::optional<CreateTable> request;
};

Result<Target> find_table(Database& database, const LoadArguments& arguments, const Inputs& inputs) {
  const std::string& path = arguments.options.position_path;
  std::optional<transfer::LoadPosition> kept;
  if (!path.empty()) kept = TRY(transfer::kept_load_position(path));
  Result<TableDescription> table = database.describe_table(arguments.table);
  if (!table.ok()) {
    if (table.error().code != Code::kNotFound) return table.error();
    if (kept) TRY(transfer::check_no_load(path, *kept));
    CreateTable request = TRY(declaration(database, arguments, inputs));
    TableDescription described = description_of(request);
    return Target{.table = std::move(described), .request = std::move(request)};
  }
  // Of another table, load refuses it if it has begun; otherwise this one is as any.
  const bool is_going_on = kept && (kept->is_of(*table) || kept->has_begun());
  if (arguments.is_replacing || arguments.options.is_if_absent || is_going_on)
    return Target{.table = std::move(*table)};
  const Page page = TRY(database.scan({.table = arguments.table, .limit = 1}));
  if (page.items.empty()) return Target{.table = std::move(*table)};
  return Error{Code::kInUse,
               arguments.table +
                   " has items already. --replace puts those of the files over the ones with the same "
                   "key; --if-absent leaves these as they are"};
}

void tell_loaded(const LoadArguments& arguments, const Loaded& loaded, double seconds) {
  const double rate = seconds > 0 ? static_cast<double>(loaded.items) / seconds : 0;
  const double megabytes = static_cast<double>(loaded.text_bytes) / 1e6;
  if (arguments.is_in_json) {
    std::string out;
    {
      wire::JsonObject object(out);
      object.text("table", arguments.table);
      object.integer("items", static_cast<int64_t>(loaded.items));
      object.integer("before", static_cast<int64_t>(loaded.items_before));
      object.integer("there", static_cast<int64_t>(loaded.there));
      object.integer("bad", static_cast<int64_t>(loaded.bad));
      object.flag("whole", !loaded.is_given_up && !loaded.is_ended);
      object.integer("bytes", static_cast<int64_t>(loaded.text_bytes));
      object.integer("milliseconds", static_cast<int64_t>(seconds * 1000));
    }
    std::cout << out << "\n";
    return;
  }
  if (loaded.was_whole) {
    std::cout << "all of it was loaded before; nothing was done\n";
    return;
  }
  std::cout << counted(loaded.items, "item", "items") << " put into " << arguments.table;
  if (loaded.is_resumed) std::cout << ", and " << loaded.items_before << " before";
  if (loaded.there > 0)
    std::cout << ", " << loaded.there
              << (loaded.is_resumed ? " were there already or put by a call before" : " were there already");
  std::cout << std::fixed << std::setprecision(1) << " (" << seconds << " s, " << static_cast<uint64_t>(rate)
            << " a second, " << megabytes / std::max(seconds, 1e-3) << " MB/s)\n";
}

int tell_bad(const LoadArguments& arguments, const Loaded& loaded) {
  if (loaded.bad == 0) return 0;
  for (const std::string& line : loaded.bad_lines) std::cerr << line << "\n";
  if (loaded.bad > loaded.bad_lines.size())
    std::cerr << "... and " << loaded.bad - loaded.bad_lines.size() << " more\n";
  std::cerr << "sheaf: " << counted(loaded.bad, "line", "lines") << " could not be loaded";
  if (loaded.is_given_up) {
    std::cerr << ", so this ends here; --skip-bad N goes on over N such lines";
    if (!arguments.options.position_path.empty()) std::cerr << ", with --resume from where it is";
  }
  std::cerr << "\n";
  return kBadLines;
}

std::string how_to_go_on(const LoadArguments& arguments) {
  if (!arguments.options.position_path.empty()) return "the same command goes on from here";
  return "what was put stays: --if-absent goes on without putting it again, --resume FILE remembers where it "
         "is";
}

// An error has ended it.
int tell_load_failed(const LoadArguments& arguments, const Error& error, uint64_t items) {
  const int status = fail(error.message);
  if (items > 0)
    std::cerr << "sheaf: " << counted(items, "item", "items")
              << " and perhaps some more were put before that; " << how_to_go_on(arguments) << "\n";
  return status;
}

int load_into(const CommandSession& session, LoadArguments& arguments, Database& database,
              const Target& target, uint64_t bytes) {
  LoadOptions& options = arguments.options;
  const auto begin = std::chrono::steady_clock::now();
  uint64_t items = 0;
  Result<Loaded> loaded = Error{Code::kInvalid, ""};
  {
    Progress progress("item", "items");
    options.progress = [&](const transfer::LoadFigures& figures) {
      items = figures.items;
      Progress::Amount amount{.done = figures.items, .bytes = figures.taken_bytes};
      if (bytes > 0)
        amount.part = std::min(1.0, static_cast<double>(figures.done_bytes) / static_cast<double>(bytes));
      progress.tell(amount);
    };
    options.waiting = [&](const Error& why, std::chrono::milliseconds since) {
      progress.tell_waiting(why.message, since);
    };
    options.silence = [&](std::chrono::milliseconds since) { progress.tell_silence(since); };
    options.ending = [&](size_t requests) { progress.tell_ending(requests); };
    if (target.request) options.make_table = [&] { return database.create_table(*target.request); };
    std::optional<UntilTold> until_told;
    if (!session.is_ended) until_told.emplace();
    options.is_ended = session.is_ended ? session.is_ended : UntilTold::is_told;
    loaded = transfer::load(database, target.table, options);
  }
  if (!loaded.ok()) return tell_load_failed(arguments, loaded.error(), items);
  tell_loaded(arguments, *loaded,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  const int status = tell_bad(arguments, *loaded);
  if (!loaded->is_ended) return status;
  std::cerr << "sheaf: interrupted; " << how_to_go_on(arguments) << "\n";
  return kWrongUse;
}

int run_load(const CommandSession& session, LoadArguments& arguments) {
  if (!arguments.format.empty()) arguments.options.format = transfer::format_of(arguments.format);
  if (!arguments.types.empty()) {
    Result<transfer::ColumnTypes> types = transfer::parse_column_types(arguments.types);
    if (!types.ok()) return fail("--types: " + types.error().message);
    arguments.options.types = std::move(*types);
  }
  if (!arguments.key.empty()) {
    if (const Result<KeySchema> key = transfer::parse_key(arguments.key); !key.ok())
      return fail("--key: " + key.error().message);
  }
  const Result<Inputs> inputs = find_inputs(arguments);
  if (!inputs.ok()) return fail(inputs.error().message);
  arguments.options.files = inputs->files;
  if (arguments.options.files == std::vector<std::string>{"-"} && !arguments.options.position_path.empty())
    return fail("the standard input cannot be gone on with: --resume needs files");

  arguments.database.ask_from(arguments.options.threads);
  const Result<Database*> database = arguments.database.open(session);
  if (!database.ok()) return fail(database.error().message);
  const Result<Target> target = find_table(**database, arguments, *inputs);
  if (!target.ok()) return fail(target.error().message);
  return load_into(session, arguments, **database, *target, inputs->bytes);
}

}  // namespace

void add_load_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<LoadArguments>();
  CLI::App& command = *app.add_subcommand("load", "Put items of files into a table");
  command.add_option("TABLE", arguments->table, "Made if it is missing and it is known how")->required();
  command
      .add_option(
          "FILE", arguments->files,
          "JSON, CSV, or a folder of an AWS export; compressed by gzip or zstd or not; - is the standard "
          "input")
      ->required();
  arguments->database.add_options(command, session);
  command.add_option("--format", arguments->format, "What the files are, if it is not to be found out")
      ->check(CLI::IsMember({"dynamodb", "json", "csv"}));
  command.add_option(
      "--types", arguments->types,
      "Of the columns of CSV: NAME:TYPE,... with S, N, B, BOOL, NULL, M, L, SS, NS, BS, any or guess; * "
      "is every other column. Otherwise keys have the table's types, and the others those of their heads, "
      "as in age:N, or else S");
  CLI::Option* const key = command.add_option(
      "--key", arguments->key, "Make the table, if it is missing, with this key: PK:S or PK:S,SK:N");
  command.add_option("--like", arguments->like, "Make the table, if it is missing, as this other one is")
      ->excludes(key);
  CLI::Option* const replaces = command.add_flag("--replace", arguments->is_replacing,
                                                 "Put items over those that are there with the same key");
  command.add_flag("--if-absent", arguments->options.is_if_absent, "Leave items that are there as they are")
      ->excludes(replaces);
  command.add_option("--skip-bad", arguments->options.bad_max, "Leave out so many lines that are wrong");
  command.add_option("--resume", arguments->options.position_path,
                     "Keep the position in this file, and go on from there if there is one");
  command.add_option("--threads", arguments->options.threads, "That write at the same time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.add_flag("--json", arguments->is_in_json, "Say what was done in JSON");
  command.footer(
      "sheaf load people people.csv --key id:N --types born:N --data ./data\n"
      "sheaf load app export/ --resume position --endpoint http://127.0.0.1:8000");
  command.callback([arguments, &session] { session.status = run_load(session, *arguments); });
}

}  // namespace sheaf::cmd

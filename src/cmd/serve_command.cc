#include "cmd/serve_command.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "base/log.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/lag_option.h"
#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "plan/planned_model.h"
#include "server/serve.h"

namespace sheaf::cmd {
namespace {

using server::Durability;
using server::ServeOptions;

struct ServeArguments {
  ServeOptions options;
  std::vector<std::string> models;
  DatabaseChoice elsewhere;
  bool in_memory = false;
  bool no_heat = false;
  bool no_watch = false;
  bool no_workbench = false;
  std::vector<std::string> watch_limits;
  std::vector<std::string> index_lags, read_lags;
  std::string certificate, key;
  std::string config_path;
  int admin_port = 8001;
  std::string durability = "durable";
  std::string log_format = "text";
  std::string log_level = "info";
};

// What was asked for is right, and does not go: a port in use, a directory that another process has.
constexpr int kCannotServe = 1;

void tell(const std::string& message) {
  const bool has_colour = errors_have_colour();
  std::cerr << console::painted("sheaf serve:", console::Paint::kWrong, has_colour) << " "
            << console::painted_findings(message, has_colour) << "\n";
}

int refuse(const std::string& message) {
  tell(message);
  return kWrongUse;
}

// Of what is found only on the way: options that contradict what is there, and all that does not go.
int fail_to_serve(const Error& error) {
  tell(error.message);
  return error.code == Code::kInvalid ? kWrongUse : kCannotServe;
}

LogLevel log_level(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "warning") return LogLevel::kWarning;
  return name == "error" ? LogLevel::kError : LogLevel::kInfo;
}

// Gives `command` the options that its command line does not have; returns what was wrong, or nothing. By
// hand, because CLI11 reads such files for the whole program only; what it finds wrong itself, it throws to
// its parser.
std::string read_config(CLI::App& command, const std::string& path) {
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_file(path)) {
    CLI::Option* const option = command.get_option_no_throw("--" + item.fullname());
    if (option == nullptr || !option->get_configurable())
      return path + ": there is no option " + item.fullname();
    if (option->count() > 0) continue;
    option->add_result(item.inputs);
    option->run_callback();
  }
  return {};
}

int run(ServeArguments& arguments) {
  ServeOptions& options = arguments.options;
  const bool is_elsewhere = !arguments.elsewhere.endpoint.empty();
  const int places =
      (arguments.in_memory ? 1 : 0) + (options.data_directory.empty() ? 0 : 1) + (is_elsewhere ? 1 : 0);
  if (places > 1)
    return refuse(
        "--data, --in-memory and --endpoint exclude each other: each says where the data is, so give one of "
        "them");
  if (places == 0)
    return refuse(
        "say where the data is to be kept, --data DIRECTORY, or that it is not, --in-memory; or which "
        "endpoint has it: --endpoint URL");
  if (is_elsewhere && !(arguments.index_lags.empty() && arguments.read_lags.empty()))
    return refuse("--index-lag and --read-lag are for data that is kept here, not for --endpoint");
  Result<std::vector<service::ModelSource>> models = read_models(arguments.models);
  if (!models.ok()) return refuse(models.error().message);
  options.models = std::move(*models);
  for (const service::ModelSource& each : options.models) {
    const plan::PlannedModel planned = plan::plan_model(model::compile(each.path, each.text));
    const model::CompiledModel& compiled = planned.compiled;
    if (!compiled.ok()) {
      tell(compiled.rendered());
      return kWrongModel;
    }
    const std::string& name = compiled.model.name();
    arguments.elsewhere.writer += (arguments.elsewhere.writer.empty() ? "" : ",") + name;
  }
  std::unique_ptr<Database> elsewhere;
  if (is_elsewhere) {
    if (options.models.empty())
      return refuse("--endpoint needs --model: in front of an endpoint, models are all that is served");
    Result<std::unique_ptr<Database>> database = open_database(arguments.elsewhere);
    if (!database.ok()) return fail_to_serve(database.error());
    elsewhere = std::move(*database);
    options.elsewhere = server::Elsewhere{
        .database = elsewhere.get(), .url = arguments.elsewhere.endpoint, .index_lag = kIndexLag};
  }
  Result<std::vector<Lag>> index_lags = read_lags("--index-lag", arguments.index_lags);
  if (!index_lags.ok()) return refuse(index_lags.error().message);
  options.index_lags = std::move(*index_lags);
  Result<std::vector<Lag>> eventual_lags = read_lags("--read-lag", arguments.read_lags);
  if (!eventual_lags.ok()) return refuse(eventual_lags.error().message);
  options.read_lags = std::move(*eventual_lags);
  if (arguments.certificate.empty() != arguments.key.empty())
    return refuse("--tls-certificate and --tls-key belong together");
  if (!arguments.certificate.empty())
    options.tls = http::TlsFiles{.certificate_path = arguments.certificate, .key_path = arguments.key};
  options.heat = !arguments.no_heat;
  options.watch = !arguments.no_watch;
  options.workbench = !arguments.no_workbench;
  std::error_code unknown;
  options.program = std::filesystem::read_symlink("/proc/self/exe", unknown).string();
  options.version = SHEAF_VERSION;
  for (const std::string& each : arguments.watch_limits) {
    const Result<void> set = watch::set_line(options.watch_lines, each);
    if (!set.ok()) return refuse("--watch-limit: " + set.error().message);
  }
  if (arguments.admin_port >= 0) options.admin_port = static_cast<uint16_t>(arguments.admin_port);
  options.durability = arguments.durability == "relaxed" ? Durability::kRelaxed : Durability::kDurable;
  set_log_format(arguments.log_format == "json" ? LogFormat::kJson : LogFormat::kText);
  set_log_level(log_level(arguments.log_level));

  const Result<void> served = server::serve(options, [&](const server::Listening& listening) {
    const bool development = options.credentials_path.empty();
    if (development)
      log(LogLevel::kWarning, "development mode: any credentials are accepted, from this machine only");
    if (!options.index_lags.empty() || !options.read_lags.empty())
      log(LogLevel::kWarning, "reads may be late: --index-lag and --read-lag hold changes back");
    // The last line, so that whoever starts a server sees where it is.
    log(LogLevel::kInfo, "serving",
        {{"url", listening.url},
         {"workbench", listening.workbench_url.empty() ? "none" : listening.workbench_url},
         {"admin", listening.admin_url},
         {"data", is_elsewhere                     ? arguments.elsewhere.endpoint
                  : options.data_directory.empty() ? "in memory"
                                                   : options.data_directory},
         {"durability", is_elsewhere                                 ? "its own"
                        : options.data_directory.empty()             ? "none"
                        : options.durability == Durability::kRelaxed ? "relaxed"
                                                                     : "durable"},
         {"mode", development ? "development" : "credentials"}});
  });
  if (!served.ok()) return fail_to_serve(served.error());
  return 0;
}

}  // namespace

void add_serve_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<ServeArguments>();
  ServeOptions& options = arguments->options;
  CLI::App* const serve = app.add_subcommand("serve", "Serve the DynamoDB API, and models, over HTTP");
  serve->add_option("--data", options.data_directory,
                    "Keep the data in this directory (made if it is not there)");
  serve->add_flag("--in-memory", arguments->in_memory,
                  "Keep nothing: all data is gone when the server stops");
  serve->add_option(
      "--model", arguments->models,
      "Offer a model over HTTP, at /models/NAME: FILE or FILE:LAYOUT, or a directory for all .sheaf "
      "files in it (may be repeated)");
  DatabaseChoice& elsewhere = arguments->elsewhere;
  serve->add_option(
      "--endpoint", elsewhere.endpoint,
      "Serve models alone, whose items are behind this URL, which speaks the DynamoDB API; aws: "
      "AWS itself");
  serve->add_option("--endpoint-region", elsewhere.region,
                    "Its region; else AWS_REGION or AWS_DEFAULT_REGION");
  serve->add_option("--endpoint-profile", elsewhere.profile,
                    "Sign requests to it with the key of this profile of the credentials file");
  serve->add_option(
      "--endpoint-credentials", elsewhere.credentials_path,
      "The credentials file for it, in AWS's form; without it and a profile: AWS_ACCESS_KEY_ID and "
      "AWS_SECRET_ACCESS_KEY, then ~/.aws/credentials");
  serve->add_option("--endpoint-ca-file", elsewhere.authorities_path,
                    "PEM file: trust the certificates of these authorities instead of the system's");
  serve->add_option("--address", options.address, "Listen on this address")->capture_default_str();
  serve->add_option("--port", options.port, "and port (0: any that is free)")->capture_default_str();
  serve
      ->add_option("--durability", arguments->durability,
                   "durable: an acknowledged write survives power loss; relaxed: it survives a crash of the "
                   "process, and power loss may take the last second")
      ->check(CLI::IsMember({"durable", "relaxed"}))
      ->capture_default_str();
  serve
      ->add_option("--memory", options.memory_bytes,
                   "What the process may use: block cache, write buffers, requests, answers; 128MB or more")
      ->transform(CLI::AsSizeValue(false))
      ->default_str("512MB");
  serve->add_flag(
      "--throttle", options.throttle,
      "Hold tables and indexes to their provisioned throughput, or to their on-demand maxima, with "
      "bursts of 300 seconds, as DynamoDB does");
  serve->add_flag(
      "--throttle-partitions", options.throttle_partitions,
      "Hold each partition to 3,000 reads and 1,000 writes a second, and split those that stay hot");
  serve->add_flag("--no-heat", arguments->no_heat,
                  "Do not count which keys are read and written most (GET /heat)");
  serve->add_flag("--no-workbench", arguments->no_workbench,
                  "Do not serve the workbench, the page at /workbench/");
  serve->add_flag("--no-watch", arguments->no_watch,
                  "Do not watch what grows and what is hot in the tables of models against limits");
  serve
      ->add_option("--watch-limit", arguments->watch_limits,
                   "NAME=VALUE: where one of them is (sheaf watch --list has them; may be repeated)")
      ->allow_extra_args(false);
  serve->add_option(
      "--index-lag", arguments->index_lags,
      "Show changes in the global indexes of a table only after so many milliseconds, as DynamoDB may: "
      "TABLE=MS, or TABLE=MIN-MAX for a time of its own for each change; *=... is for all other tables; at "
      "most 60000 (may be repeated)");
  serve->add_option("--read-lag", arguments->read_lags,
                    "The same for eventually consistent reads of the table and of its local indexes");
  serve->add_option("--lag-seed", options.lag_seed, "What the times between MIN and MAX are drawn from")
      ->capture_default_str();
  serve->add_option("--threads", options.loops, "Event loops (0: one for each processor)")
      ->capture_default_str();
  serve->add_option(
      "--credentials", options.credentials_path,
      "Let in only who is in this file, in the form of AWS's credentials file; without it the server "
      "is in development mode: any credentials, on loopback only");
  serve->add_option("--audit-log", options.audit_path,
                    "Write control operations and denials to this file instead of the log");
  serve->add_option("--tls-certificate", arguments->certificate, "PEM file: the certificate and its chain");
  serve->add_option("--tls-key", arguments->key, "PEM file: its key");
  serve->add_option("--allow-origin", options.allowed_origins,
                    "Let pages of this origin read answers, e.g. http://localhost:3000 (may be repeated)");
  serve->add_option("--region", options.region, "The region in ARNs")->capture_default_str();
  serve->add_option("--account", options.account_id, "The account in ARNs")->capture_default_str();
  serve
      ->add_option("--admin-port", arguments->admin_port,
                   "Serve /healthz and /metrics on this port of loopback (-1: nowhere)")
      ->capture_default_str();
  serve->add_option("--log-format", arguments->log_format, "How log lines look")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  serve->add_option("--log-level", arguments->log_level, "The least that is logged")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->capture_default_str();
  serve
      ->add_option("--config", arguments->config_path,
                   "Read options from this file: one `name = value` a line; the command line goes before it")
      ->configurable(false);
  serve->callback([arguments, serve, &status] {
    const std::string wrong =
        arguments->config_path.empty() ? "" : read_config(*serve, arguments->config_path);
    status = wrong.empty() ? run(*arguments) : refuse(wrong);
  });
}

}  // namespace sheaf::cmd

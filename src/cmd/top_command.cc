#include "cmd/top_command.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/duration_option.h"
#include "cmd/screen.h"
#include "cmd/terminal.h"
#include "cmd/top_look.h"
#include "cmd/top_screen.h"
#include "cmd/until_told.h"
#include "cmd/watched_models.h"

namespace sheaf::cmd {
namespace {

// Where `sheaf serve` is if it is told nothing else.
constexpr const char* kUsualEndpoint = "http://127.0.0.1:8000";
constexpr const char* kUsualAdmin = "http://127.0.0.1:8001";

struct TopArguments {
  DatabaseChoice database;
  std::string admin;
  std::vector<std::string> models;
  int64_t seconds = 60;
  size_t rows = 10;
  std::string every = "1s";
  std::string lasts;  // empty: until it is told to end
  bool once = false;
  bool as_json = false;
};

Result<TopOptions> top_options(const TopArguments& arguments) {
  TopOptions options{.admin_url = arguments.admin, .seconds = arguments.seconds, .rows_max = arguments.rows};
  DatabaseChoice choice = arguments.database;
  if (choice.endpoint.empty()) choice.endpoint = remote::process_environment("SHEAF_ENDPOINT").value_or("");
  if (choice.endpoint.empty() && options.admin_url.empty()) {
    choice.endpoint = kUsualEndpoint;
    options.admin_url = kUsualAdmin;
    options.admin_may_be_absent = true;
  }
  if (choice.endpoint == "aws")
    return Error{Code::kInvalid, "AWS does not tell its heat: sheaf top is for Sheaf servers"};
  if (!choice.endpoint.empty()) options.endpoint = TRY(endpoint_of(choice));
  return options;
}

struct TopTimes {
  std::chrono::milliseconds every{1000};
  std::optional<double> lasts;  // in seconds
};

class TopRun {
 public:
  TopRun(TopOptions options, const watch::KeyNames& names, const TopTimes& times, bool as_json)
      : look_(std::move(options), names), times_(times), as_json_(as_json) {}

  int run_once(bool has_endpoint) {
    Result<TopSnapshot> snapshot = look_.look();
    // Counters tell something only when they are seen twice.
    if (snapshot.ok() && !has_endpoint && !until_.wait(times_.every)) {
      TopSnapshot before = std::move(*snapshot);
      snapshot = look_.look();
      // Where nothing was asked meanwhile, there is what was before.
      if (snapshot.ok() && snapshot->latencies.empty()) {
        snapshot->latencies = std::move(before.latencies);
        snapshot->is_since_start = before.is_since_start;
      }
    }
    if (!snapshot.ok()) return fail(snapshot.error().message);
    std::cout << (as_json_ ? top_json(*snapshot) + "\n" : top_text(*snapshot));
    return 0;
  }

  int run_lines() {
    return run_until([&](const TopSnapshot& snapshot) { std::cout << top_json(snapshot) << std::endl; },
                     [&] { return until_.wait(times_.every); });
  }

  int run_on_screen() {
    std::optional<Screen> screen;
    const bool has_colour = standard_terminal().look.has_colour;
    const int status = run_until(
        [&](const TopSnapshot& snapshot) {
          if (!screen) screen.emplace();
          screen->draw(top_screen(snapshot, screen->rows(), has_colour));
        },
        [&] { return screen->is_left_within(times_.every) || until_.wait(std::chrono::milliseconds(0)); });
    screen.reset();
    if (!complaint_.empty()) complain(complaint_);
    return status;
  }

 private:
  template <typename Show, typename Wait>
  int run_until(Show show, Wait wait) {
    const auto begin = std::chrono::steady_clock::now();
    TopSnapshot last;
    for (bool is_first = true;; is_first = false) {
      Result<TopSnapshot> snapshot = look_.look();
      if (!snapshot.ok() && is_first) return fail(snapshot.error().message);
      complaint_ = snapshot.ok() ? "" : snapshot.error().message;
      // What was last known, and that it is old.
      if (snapshot.ok()) last = std::move(*snapshot);
      if (!complaint_.empty()) last.trouble = complaint_;
      show(last);
      const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
      if ((times_.lasts && since.count() >= *times_.lasts) || wait()) return 0;
    }
  }

  const UntilTold until_;
  TopLook look_;
  const TopTimes times_;
  const bool as_json_;
  std::string complaint_;
};

int run_top(const TopArguments& arguments) {
  Result<TopOptions> options = top_options(arguments);
  if (!options.ok()) return fail(options.error().message);
  const Result<WatchedModels> models = read_watched_models(arguments.models);
  if (!models.ok()) return fail(models.error().message);
  const Result<double> every = read_duration("--every", arguments.every, 0.1);
  if (!every.ok()) return fail(every.error().message);
  TopTimes times{.every = std::chrono::milliseconds(static_cast<int64_t>(std::ceil(*every * 1000)))};
  if (!arguments.lasts.empty()) {
    const Result<double> lasts = read_duration("--for", arguments.lasts);
    if (!lasts.ok()) return fail(lasts.error().message);
    times.lasts = *lasts;
  }
  const bool has_endpoint = !options->endpoint.url.empty();
  TopRun run(std::move(*options), models->names, times, arguments.as_json);
  const bool is_once = arguments.once || (!arguments.as_json && !Screen::is_possible());
  if (is_once) return run.run_once(has_endpoint);
  return arguments.as_json ? run.run_lines() : run.run_on_screen();
}

}  // namespace

void add_top_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<TopArguments>();
  CLI::App& command = *app.add_subcommand(
      "top", "Show what a running server is busy with: tables, entities, keys, collections that grow");
  DatabaseChoice& database = arguments->database;
  command.add_option("--endpoint", database.endpoint, "Where it is; else what SHEAF_ENDPOINT has")
      ->default_str(std::string(kUsualEndpoint));
  command
      .add_option(
          "--admin", arguments->admin,
          "Its admin port, for latencies; without an endpoint: what that port knows, which is no keys")
      ->default_str(std::string(kUsualAdmin) + " if no endpoint is given");
  command.add_option("--region", database.region, "Its region; else AWS_REGION or AWS_DEFAULT_REGION");
  command.add_option("--profile", database.profile,
                     "Sign with the key of this profile of the credentials file");
  command.add_option("--credentials", database.credentials_path, "The credentials file, in AWS's form");
  command.add_option("--ca-file", database.authorities_path,
                     "PEM file: trust the certificates of these authorities instead of the system's");
  command
      .add_option("--model", arguments->models,
                  "Name keys by this model: FILE or FILE:LAYOUT (may be repeated); else by the models that "
                  "the server serves")
      ->allow_extra_args(false);
  command.add_option("--seconds", arguments->seconds, "Rates are of so many seconds")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command.add_option("--rows", arguments->rows, "So many of each kind")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command.add_option("--every", arguments->every, "Look so often: 1s, 0.5s, 1m")->capture_default_str();
  command.add_option("--for", arguments->lasts, "End after this time: 30s, 10m; else on q or Ctrl-C");
  command.add_flag("--once", arguments->once, "Tell it once, and end; so it is, too, without a terminal");
  command.add_flag("--json", arguments->as_json, "Tell it as JSON, a line each time");
  command.callback([arguments, &status] { status = run_top(*arguments); });
}

}  // namespace sheaf::cmd

#include "cmd/watch_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "base/clock.h"
#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/database_option.h"
#include "cmd/duration_option.h"
#include "cmd/heat_client.h"
#include "cmd/until_told.h"
#include "cmd/watched_models.h"
#include "watch/forms.h"
#include "watch/sampler.h"
#include "watch/text_table.h"
#include "wire/json_object.h"

namespace sheaf::cmd {
namespace {

struct WatchArguments {
  std::vector<std::string> models;
  DatabaseChoice database;
  std::string lasts;  // empty: until it is told to end
  std::string every = "10s";
  std::string horizon = "30d";
  std::string needs = "1m";
  double requests = 60;
  std::vector<std::string> limits;
  std::string fail_on = "warning";
  bool as_json = false;
  bool lists = false;
};

struct WatchChoice {
  std::optional<double> lasts;
  double every = 10;
  watch::WatchOptions watching;
  watch::SamplerOptions sampling;
  lint::Severity fail_on = lint::Severity::kWarning;
};

Result<WatchChoice> read_choice(const WatchArguments& arguments) {
  WatchChoice choice;
  if (!arguments.lasts.empty()) choice.lasts = TRY(read_duration("--for", arguments.lasts));
  choice.every = TRY(read_duration("--every", arguments.every, 1));
  choice.watching.horizon_seconds = TRY(read_duration("--horizon", arguments.horizon));
  choice.watching.needs.seconds = TRY(read_duration("--forecast-after", arguments.needs, 1));
  choice.sampling.requests_per_minute = arguments.requests;
  for (const std::string& each : arguments.limits) TRY(watch::set_line(choice.watching.lines, each));
  choice.fail_on = lint::severity_named(arguments.fail_on).value_or(lint::Severity::kWarning);
  return choice;
}

bool has_line(const watch::LimitText& limit) {
  return limit.measure != watch::Measure::kFlag && limit.limit != watch::Limit::kThrottled;
}

// Of what lies in one item, one more than the line is too many.
double told_line(const watch::LimitText& limit, const watch::Lines& lines) {
  return watch::line_of(limit.limit, lines) - (limit.limit == watch::Limit::kEmbedded ? 1 : 0);
}

void print_json(const watch::LimitText& limit, const watch::Lines& lines) {
  std::string out;
  {
    wire::JsonObject object(out);
    object.text("limit", limit.name);
    object.text("point", limit.point);
    if (has_line(limit)) {
      object.integer("line", std::llround(told_line(limit, lines)));
      // What is a hair above the line is, in whole numbers, one more.
      object.integer("warns_from",
                     static_cast<int64_t>(std::ceil(watch::warning_line_of(limit.limit, lines))));
    }
    object.text("meaning", limit.meaning);
  }
  std::cout << out << "\n";
}

int list_limits(const watch::Lines& lines, bool as_json) {
  if (as_json) {
    for (const watch::LimitText& limit : watch::limit_texts()) print_json(limit, lines);
    return 0;
  }
  std::vector<watch::TextRow> rows = {{"limit", "point", "line", "warns from", "what"}};
  for (const watch::LimitText& limit : watch::limit_texts()) {
    rows.push_back({std::string(limit.name), std::string(limit.point),
                    has_line(limit) ? watch::amount_text(limit.limit, told_line(limit, lines)) : "",
                    has_line(limit)
                        ? watch::amount_text(limit.limit, watch::warning_line_of(limit.limit, lines))
                        : "any",
                    std::string(limit.meaning)});
  }
  std::cout << watch::text_table(rows);
  return 0;
}

// What it does, round by round.
class WatchRun {
 public:
  WatchRun(watch::Source source, const watch::KeyNames& names, const WatchChoice& choice, bool as_json)
      : watcher_(choice.watching),
        sampler_(std::move(source), names, {}, choice.sampling),
        choice_(choice),
        as_json_(as_json),
        begin_us_(clock_.now_us()) {}

  int run() {
    const UntilTold until;
    for (;;) {
      const auto events = sampler_.look(watcher_, clock_.now_us());
      if (!events.ok() && rounds_ == 0) {
        const bool is_missing = events.error().code == Code::kNotFound;
        return fail(events.error().message +
                    (is_missing ? "; sheaf model apply makes the tables of a model" : ""));
      }
      if (!events.ok() && events.error().message != complaint_) {
        complaint_ = events.error().message;
        complain(complaint_ + "; trying again");
      }
      if (events.ok()) tell(*events);
      ++rounds_;
      const double left = choice_.lasts ? *choice_.lasts - watched() : choice_.every;
      if (left <= 0) break;
      const double wait = std::min(left, choice_.every);
      show_progress();
      if (until.wait(std::chrono::milliseconds(static_cast<int64_t>(std::ceil(wait * 1000))))) break;
    }
    conclude();
    return has_failed_ ? kWrongModel : 0;
  }

 private:
  double watched() const { return static_cast<double>(clock_.now_us() - begin_us_) / 1e6; }

  void tell(const std::vector<watch::Event>& events) {
    if (!events.empty()) clear_progress();
    for (const watch::Event& event : events) {
      std::cout << (as_json_ ? watch::event_json(event) : watch::event_text(event)) << "\n";
      if (event.change == watch::Event::Change::kEnds) continue;
      if (event.change == watch::Event::Change::kBegins) ++begun_;
      if (event.severity >= choice_.fail_on) has_failed_ = true;
    }
    std::cout.flush();
  }

  void conclude() {
    clear_progress();
    const std::vector<watch::Figure> figures = watcher_.figures();
    const watch::Sampler::Done& done = sampler_.done();
    if (as_json_) {
      for (const watch::Figure& figure : figures) std::cout << watch::figure_json(figure) << "\n";
      std::string out;
      {
        wire::JsonObject object(out);
        object.text("event", "end");
        object.integer("watched_seconds", static_cast<int64_t>(watched()));
        object.integer("tables", static_cast<int64_t>(done.tables));
        object.integer("requests", static_cast<int64_t>(done.requests));
        object.integer("items", static_cast<int64_t>(done.items));
        object.integer("begun", static_cast<int64_t>(begun_));
        object.flag("heat", done.tells_heat);
        object.flag("failed", has_failed_);
      }
      std::cout << out << "\n";
      return;
    }
    std::cout << watch::figures_text(figures) << "watched " << counted(done.tables, "table", "tables")
              << " for " << watch::duration_text(watched()) << ": "
              << counted(done.requests, "request", "requests") << ", " << counted(done.items, "item", "items")
              << " looked at; " << counted(begun_, "event", "events") << "\n";
    if (!done.tells_heat)
      std::cout << "this endpoint does not tell its heat: throughput and throttling were not watched\n";
  }

  // On a terminal: that it is there, and how far.
  void show_progress() {
    if (isatty(STDERR_FILENO) != 1) return;
    std::cerr << "\rwatched for " << watch::duration_text(watched()) << ", "
              << counted(sampler_.done().requests, "request", "requests") << ", "
              << counted(watcher_.subjects(), "figure", "figures") << "   " << std::flush;
    is_shown_ = true;
  }
  void clear_progress() {
    if (std::exchange(is_shown_, false)) std::cerr << "\r\033[K" << std::flush;
  }

  const SystemClock clock_;
  watch::Watcher watcher_;
  watch::Sampler sampler_;
  const WatchChoice choice_;
  const bool as_json_;
  const int64_t begin_us_;
  size_t rounds_ = 0;
  size_t begun_ = 0;
  bool has_failed_ = false;
  bool is_shown_ = false;
  std::string complaint_;
};

int run_watch(const WatchArguments& arguments) {
  const Result<WatchChoice> choice = read_choice(arguments);
  if (!choice.ok()) return fail(choice.error().message);
  if (arguments.lists) return list_limits(choice->watching.lines, arguments.as_json);
  if (arguments.models.empty())
    return fail("say whose tables are to be watched: --model FILE (--list lists the limits)");
  if (arguments.database.is_in_memory() && !arguments.database.is_ambiguous)
    return fail("say where the data is: --endpoint URL, or --data DIRECTORY if no server has it");
  const Result<std::unique_ptr<Database>> database = open_database(arguments.database);
  if (!database.ok()) return fail(database.error().message);
  const Result<WatchedModels> models = read_watched_models(arguments.models, database->get());
  if (!models.ok()) return fail(models.error().message);
  if (arguments.database.endpoint.empty())
    return WatchRun(watch::source_of(**database), models->names, *choice, arguments.as_json).run();
  const Result<Endpoint> endpoint = endpoint_of(arguments.database);
  if (!endpoint.ok()) return fail(endpoint.error().message);
  return WatchRun(source_behind(**database, *endpoint), models->names, *choice, arguments.as_json).run();
}

}  // namespace

void add_watch_command(CLI::App& app, int& status) {
  auto arguments = std::make_shared<WatchArguments>();
  CLI::App& command = *app.add_subcommand(
      "watch", "Watch what grows and what is hot in a model's tables, and say when limits will be reached");
  command
      .add_option("--model", arguments->models,
                  "Whose tables: FILE or FILE:LAYOUT, or a directory for all .sheaf files in it (may be "
                  "repeated)")
      ->allow_extra_args(false);
  arguments->database.must_exist = true;
  add_database_options(command, arguments->database, DatabaseNeed::kUsual);
  command.add_option("--for", arguments->lasts, "End after this time: 30s, 10m, 12h, 5d; else on Ctrl-C");
  command.add_option("--every", arguments->every, "Look so often")->capture_default_str();
  command
      .add_option("--requests", arguments->requests,
                  "Read items with so many requests a minute at most: Query, GetItem, Scan")
      ->check(CLI::Range(1.0, 100'000.0))
      ->capture_default_str();
  command.add_option("--limit", arguments->limits, "NAME=VALUE: where a limit is (--list; again for each)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--horizon", arguments->horizon, "Note what reaches its limit within this time")
      ->capture_default_str();
  command
      .add_option("--forecast-after", arguments->needs, "Make no forecast of what was watched for less time")
      ->capture_default_str();
  command
      .add_option("--fail-on", arguments->fail_on,
                  "What ends with status 1: note, warning or error and what is graver")
      ->check(CLI::IsMember({"note", "warning", "error"}))
      ->capture_default_str();
  command.add_flag("--json", arguments->as_json,
                   "Tell events and, at the end, figures as JSON, a line each; so it is with --list");
  command.add_flag("--list", arguments->lists, "List the limits, and watch nothing");
  command.callback([arguments, &status] { status = run_watch(*arguments); });
}

}  // namespace sheaf::cmd

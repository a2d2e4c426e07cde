#include "cmd/cost_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/largest_collection.h"
#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "cmd/trial_data.h"
#include "console/painted_text.h"
#include "cost/cost_report.h"
#include "cost/rate.h"
#include "measure/candidates.h"
#include "measure/comparison.h"

namespace sheaf::cmd {
namespace {

struct CostArguments {
  ModelChoice model;
  TrialChoice trial;
  bool compares = false;
  std::string relation;  // of which strategies are compared
  std::vector<std::string> rates;
  std::string prices_path;
  bool shows_prices = false;
  std::string table_class = "standard";
  std::string mode = "on-demand";
  std::string peak = "1";
  uint64_t utilisation_percent = 70;
  std::vector<std::string> capacities;
  bool has_recovery = false;
  uint64_t backups = 0;
  std::string stream_reads;
  bool as_json = false;
};

using Rates = std::map<std::string, cost::Fraction>;

Error wrong_option(std::string message) { return {.code = Code::kInvalid, .message = std::move(message)}; }

// As the model declares them, and as the command line says instead: NAME=5/s.
Result<Rates> rates_of(const model::Model& model, const measure::Script& script,
                       const std::vector<std::string>& given) {
  Rates rates;
  const auto declare = [&](const std::string& name, const language::Clauses& clauses) {
    if (clauses.rate) rates[name] = cost::per_second(*clauses.rate);
  };
  for (const model::Pattern& each : model.patterns) declare(each.name, each.syntax->clauses);
  for (const model::Operation& each : model.operations) declare(each.name, each.syntax->clauses);
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
      return wrong_option("--rate takes NAME=RATE, as in team=1000/s, not " + text);
    const std::string name = text.substr(0, equals);
    const bool is_asked = std::any_of(script.subjects.begin(), script.subjects.end(),
                                      [&](const measure::Subject& each) { return each.name == name; });
    if (!is_asked && model.find_pattern(name) == nullptr && model.find_operation(name) == nullptr)
      return wrong_option("there is no pattern or operation " + name);
    rates[name] = TRY(cost::read_rate(text.substr(equals + 1)));
  }
  return rates;
}

// Names of tables and of indexes may have dots, too: what is a table's whole name means that table, and what
// comes before the dot is one that there is.
cost::Resource resource_named(const std::string& name, const std::set<std::string>& tables) {
  size_t dot = name.rfind('.');
  while (dot != std::string::npos && dot > 0 && !tables.contains(name.substr(0, dot)))
    dot = name.rfind('.', dot - 1);
  if (tables.contains(name)) dot = std::string::npos;
  return {.table = name.substr(0, dot), .index = dot == std::string::npos ? "" : name.substr(dot + 1)};
}

// TABLE=READS/WRITES, TABLE.INDEX=READS/WRITES
Result<std::map<cost::Resource, cost::Capacity>> capacities_of(const std::vector<std::string>& texts,
                                                               const std::set<std::string>& tables) {
  std::map<cost::Resource, cost::Capacity> made;
  for (const std::string& text : texts) {
    const size_t equals = text.find('='), slash = text.find('/', equals + 1);
    const auto number = [](const std::string& digits) -> std::optional<uint64_t> {
      const bool is_number = !digits.empty() && digits.size() <= 9 &&
                             digits.find_first_not_of("0123456789") == std::string::npos;
      return is_number ? std::optional(std::stoull(digits)) : std::nullopt;
    };
    const bool has_form = equals != std::string::npos && slash != std::string::npos;
    const auto reads = has_form ? number(text.substr(equals + 1, slash - equals - 1)) : std::nullopt;
    const auto writes = has_form ? number(text.substr(slash + 1)) : std::nullopt;
    if (!reads || !writes || *reads == 0 || *writes == 0)
      return wrong_option("--capacity takes TABLE=READS/WRITES or TABLE.INDEX=READS/WRITES, from 1 on, not " +
                          text);
    made[resource_named(text.substr(0, equals), tables)] = {.reads = *reads, .writes = *writes};
  }
  return made;
}

Result<cost::BillOptions> bill_options(const CostArguments& arguments, const std::set<std::string>& tables) {
  cost::BillOptions options{.utilisation_percent = arguments.utilisation_percent,
                            .has_recovery = arguments.has_recovery,
                            .backups = arguments.backups};
  if (arguments.table_class == "ia") options.table_class = cost::TableClass::kInfrequentAccess;
  const std::optional<cost::Fraction> peak = cost::Fraction::parse(arguments.peak);
  if (!peak || peak->is_zero())
    return wrong_option("--peak takes a number such as 2.5, not " + arguments.peak);
  options.peak = *peak;
  options.capacities = TRY(capacities_of(arguments.capacities, tables));
  if (!arguments.stream_reads.empty())
    options.stream_reads_per_second = TRY(cost::read_rate(arguments.stream_reads));
  return options;
}

Result<cost::Prices> prices_of(const std::string& path) {
  if (path.empty()) return cost::read_prices(cost::example_prices());
  const std::string text = TRY(read_file(path));
  Result<cost::Prices> prices = cost::read_prices(text);
  if (!prices.ok()) return wrong_option(path + ": " + prices.error().message);
  return prices;
}

uint64_t halves(double units) { return static_cast<uint64_t>(std::llround(2 * units)); }

cost::Work work_of(const measure::Subject& subject, const measure::Measured& measured, const Rates& rates) {
  // DynamoDB charges for a condition that failed, too.
  cost::Work work{.name = subject.name,
                  .is_operation = !subject.is_read(),
                  .runs = measured.runs + measured.refused_metered,
                  .tried = measured.runs + measured.refused,
                  .refused = measured.refused,
                  .refusal = measured.refusal};
  if (const auto rate = rates.find(subject.name); rate != rates.end()) work.per_second = rate->second;
  const auto add = [&](const std::map<std::string, Capacity>& tables, uint64_t cost::HalfUnits::*what) {
    for (const auto& [table, capacity] : tables) {
      if (capacity.table > 0) work.used[{.table = table}].*what += halves(capacity.table);
      for (const auto& [index, units] : capacity.indexes) {
        if (units > 0) work.used[{.table = table, .index = index}].*what += halves(units);
      }
    }
  };
  for (const measure::Usage* usage : {&measured.usage, &measured.refused_usage}) {
    add(usage->reads, &cost::HalfUnits::reads);
    add(usage->writes, &cost::HalfUnits::writes);
  }
  return work;
}

// How much there is of something of which `loaded` was seen, `fixed` of it before there was any data.
uint64_t grown(int64_t loaded, int64_t fixed, const TrialData::Size& size) {
  const auto with_data = static_cast<uint64_t>(std::max<int64_t>(0, loaded - fixed));
  const cost::Fraction all =
      cost::Fraction(with_data) * cost::Fraction(size.all) / cost::Fraction(size.loaded);
  return static_cast<uint64_t>(loaded) - with_data + static_cast<uint64_t>(all.rounded().value_or(0));
}

cost::StorageFigures figures_of(const cost::Resource& resource, const measure::StoredView& loaded,
                                const measure::StoredView& fixed, const TrialData::Size& size) {
  return {.loaded = {.resource = resource,
                     .items = static_cast<uint64_t>(loaded.items),
                     .bytes = static_cast<uint64_t>(loaded.bytes)},
          .all = {.resource = resource,
                  .items = grown(loaded.items, fixed.items, size),
                  .bytes = grown(loaded.bytes, fixed.bytes, size)}};
}

// All that was loaded, and what it would be if all of it were. Both have the same tables.
std::vector<cost::StorageFigures> storage_of(const measure::Stored& loaded, const measure::Stored& fixed,
                                             const TrialData& data, const measure::PlannedLayout& layout) {
  std::vector<cost::StorageFigures> made;
  for (size_t i = 0; i < loaded.tables.size(); ++i) {
    const std::string& table = loaded.tables[i].table.name;
    made.push_back(figures_of({.table = table}, loaded.tables[i].table, fixed.tables[i].table,
                              data.size(layout, table, "")));
    for (size_t j = 0; j < loaded.tables[i].indexes.size(); ++j) {
      const measure::StoredView& index = loaded.tables[i].indexes[j];
      made.push_back(figures_of({.table = table, .index = index.name}, index, fixed.tables[i].indexes[j],
                                data.size(layout, table, index.name)));
    }
  }
  return made;
}

std::optional<std::string> why_unserved(const std::string& name, const measure::Measured& measured) {
  if (measured.runs > 0) return std::nullopt;
  if (measured.unserved > 0) return name + " cannot be done in this layout, and is not in the bill";
  if (measured.refused > 0)
    return name + " was refused each time, and " +
           (measured.refused_metered > 0 ? "only that is in the bill: " : "is not in the bill: ") +
           measured.refusal;
  return std::nullopt;
}

struct Billing {
  const cost::Prices& prices;
  const cost::BillOptions& options;
  const Rates& rates;
};

// A way to store the model, under the name that the report has for it.
struct Priced {
  std::string name;
  measure::PlannedLayout layout;
};

Result<cost::LayoutCost> cost_of(const Priced& priced, const TrialData& data, const Billing& billing) {
  std::map<cost::Resource, cost::Collection> largest;
  const measure::PlannedLayout& layout = priced.layout;
  const measure::Trial trial = TRY(data.run(layout, [&](Database& database) -> Result<void> {
    const measure::Stored stored = TRY(measure::stored(database, layout.model(), layout.stored()));
    for (const measure::StoredTable& table : stored.tables) {
      largest[{.table = table.table.name}] = TRY(largest_collection(database, table.table.name, ""));
      for (const measure::StoredView& index : table.indexes)
        largest[{.table = table.table.name, .index = index.name}] =
            TRY(largest_collection(database, table.table.name, index.name));
    }
    return {};
  }));
  cost::LayoutCost made;
  made.layout = priced.name;
  for (size_t i = 0; i < trial.measured.size(); ++i) {
    const measure::Subject& subject = data.script().subjects[i];
    made.works.push_back(work_of(subject, trial.measured[i], billing.rates));
    if (auto why = why_unserved(subject.name, trial.measured[i])) made.unserved.push_back(std::move(*why));
  }
  const measure::Stored fixed = TRY(TrialData::stored_without_data(layout));
  made.stored = storage_of(trial.before, fixed, data, layout);
  for (cost::StorageFigures& each : made.stored) each.largest = largest[each.all.resource];
  std::vector<cost::StoredBytes> stored;
  for (const cost::StorageFigures& each : made.stored) stored.push_back(each.all);
  cost::BillOptions options = billing.options;
  options.mode = cost::Mode::kOnDemand;
  made.on_demand = TRY(cost::make_bill(billing.prices, options, made.works, stored));
  options.mode = cost::Mode::kProvisioned;
  made.provisioned = TRY(cost::make_bill(billing.prices, options, made.works, stored));
  return made;
}

// The layout that is chosen, or all of the model's.
std::vector<Priced> layouts_to_price(const ChosenModel& chosen, bool compares) {
  if (!compares) return {{.name = chosen.stored().name, .layout = chosen.planned_layout()}};
  std::vector<Priced> all;
  for (const model::Layout& each : chosen.planned.compiled.layouts)
    all.push_back({.name = each.name, .layout = {.planned = &chosen.planned, .layout = all.size()}});
  return all;
}

// `candidates`: those of a relation, if strategies are to be compared; it keeps their models.
Result<std::vector<Priced>> to_price(const ChosenModel& chosen, const CostArguments& arguments,
                                     measure::Candidates& candidates) {
  if (arguments.relation.empty()) return layouts_to_price(chosen, arguments.compares);
  const model::RelationId relation = TRY(measure::find_relation(chosen.model(), arguments.relation));
  candidates = measure::all_strategies(chosen.planned, chosen.layout, relation);
  std::vector<Priced> all;
  for (const measure::Candidate& each : candidates.legal)
    all.push_back({.name = each.name, .layout = each.stored});
  if (all.empty())
    return wrong_option("there is no other way to store " + arguments.relation + ": " +
                        candidates.rejected.front().reason);
  return all;
}

Result<cost::CostReport> report_of(const ChosenModel& chosen, const CostArguments& arguments) {
  const cost::Prices prices = TRY(prices_of(arguments.prices_path));
  measure::Candidates candidates;
  const std::vector<Priced> all = TRY(to_price(chosen, arguments, candidates));
  std::set<std::string> tables;
  std::vector<measure::PlannedLayout> layouts;
  for (const Priced& each : all) {
    layouts.push_back(each.layout);
    for (const model::Table& table : each.layout.stored().tables) tables.insert(table.name);
  }
  const cost::BillOptions options = TRY(bill_options(arguments, tables));
  const std::unique_ptr<TrialData> data =
      TRY(TrialData::make(layouts, arguments.trial, arguments.model.path));
  const Rates rates = TRY(rates_of(chosen.model(), data->script(), arguments.rates));
  cost::CostReport report{
      .model = arguments.model.path,
      .prices = prices,
      .mode = arguments.mode == "provisioned" ? cost::Mode::kProvisioned : cost::Mode::kOnDemand,
      .data = data->text(),
      .is_sample = data->is_sample()};
  for (const measure::Rejected& each : candidates.rejected) {
    if (!each.is_same) report.unpriced.push_back({.name = each.name, .reason = each.reason});
  }
  for (const Priced& each : all) {
    Result<cost::LayoutCost> made =
        cost_of(each, *data, {.prices = prices, .options = options, .rates = rates});
    if (made.ok()) {
      report.layouts.push_back(std::move(*made));
    } else if (!arguments.relation.empty() && measure::is_misfit(made.error())) {
      report.unpriced.push_back(
          {.name = each.name, .reason = "the data does not fit: " + made.error().message});
    } else {
      return made.error();
    }
  }
  if (report.layouts.empty())
    return wrong_option(report.unpriced.back().name + ": " + report.unpriced.back().reason);
  if (!arguments.relation.empty()) cost::sort_by_price(report);
  return report;
}

int cost_command(const CostArguments& arguments) {
  if (arguments.shows_prices) {
    std::cout << cost::example_prices();
    return 0;
  }
  if (arguments.model.path.empty()) return fail("name the model file, or ask for --example-prices");
  const auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  if (!chosen.planned.compiled.ok()) return kWrongModel;
  const Result<cost::CostReport> report = report_of(chosen, arguments);
  if (!report.ok()) return fail(report.error().message);
  const bool ranks = !arguments.relation.empty();
  if (arguments.as_json) {
    std::cout << cost::to_json(*report);
    return 0;
  }
  const std::string text = ranks                ? cost::to_ranking(*report)
                           : arguments.compares ? cost::to_comparison(*report)
                                                : cost::to_text(*report);
  std::cout << console::painted_report(text, {{"total", console::Paint::kHead}},
                                       standard_terminal().look.has_colour);
  return 0;
}

}  // namespace

void add_cost_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<CostArguments>();
  CLI::App& command = *model.add_subcommand(
      "cost",
      "Tell what a month costs: patterns and operations are run and metered on a throw-away database, and "
      "billed at the rates that the model declares");
  command.add_option("FILE", arguments->model.path,
                     "Model file, in the language or as JSON (- is the standard input)");
  CLI::Option* const layout =
      command.add_option("--layout", arguments->model.layout, "Which layout")->capture_default_str();
  CLI::Option* const compares =
      command.add_flag("--compare", arguments->compares, "All layouts, side by side")->excludes(layout);
  command
      .add_option("--relation", arguments->relation,
                  "Every way to store this relation, the cheapest first; all else as in --layout")
      ->type_name("ENTITY.END")
      ->excludes(compares);
  command
      .add_option(
          "--rate", arguments->rates,
          "How often a pattern or operation is run, as in team=1000/s (/s, /min, /h, /day; again for each)")
      ->type_name("NAME=RATE")
      ->allow_extra_args(false);
  command.add_option("--prices", arguments->prices_path, "Your prices, as JSON")->type_name("FILE");
  command.add_flag("--example-prices", arguments->shows_prices,
                   "Print the prices that are built in, an example to be replaced");
  command.add_option("--class", arguments->table_class, "Table class")
      ->check(CLI::IsMember({"standard", "ia"}))
      ->capture_default_str();
  command.add_option("--mode", arguments->mode, "Which bill is shown in detail")
      ->check(CLI::IsMember({"on-demand", "provisioned"}))
      ->capture_default_str();
  command.add_option("--peak", arguments->peak, "Provisioned: the peak is so many times the rates (1)");
  command
      .add_option("--utilisation", arguments->utilisation_percent,
                  "Provisioned: per cent of the capacity that the peak takes")
      ->check(CLI::Range(uint64_t{1}, uint64_t{100}))
      ->capture_default_str();
  command
      .add_option("--capacity", arguments->capacities,
                  "Provisioned: TABLE=READS/WRITES or TABLE.INDEX=READS/WRITES instead (again for each)")
      ->allow_extra_args(false);
  command.add_flag("--recovery", arguments->has_recovery, "With point-in-time recovery");
  command.add_option("--backups", arguments->backups, "With so many full backups that are kept")
      ->check(CLI::Range(uint64_t{0}, uint64_t{1'000'000}));
  command.add_option("--stream-reads", arguments->stream_reads, "With so many reads of streams, as in 4/s")
      ->type_name("RATE");
  add_trial_options(command, arguments->trial);
  command.add_flag("--json", arguments->as_json, "Tell it as JSON");
  command.callback([arguments, &status] { status = cost_command(*arguments); });
}

}  // namespace sheaf::cmd

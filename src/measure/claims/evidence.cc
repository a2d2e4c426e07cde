#include "measure/claims/evidence.h"

#include <algorithm>

#include "base/try.h"

namespace sheaf::measure {
namespace {

double index_units(const std::map<std::string, Capacity>& tables) {
  double sum = 0;
  for (const auto& [name, capacity] : tables) sum += capacity.total() - capacity.table;
  return sum;
}

// How many items the fullest partition of the first table has.
int64_t fullest(Database& database, const model::Layout& layout) {
  const auto table = database.describe_table(layout.tables.front().name);
  if (!table.ok()) return 0;
  const std::string& pk = table->key.partition.front().name;
  std::map<std::string, int64_t> counts;
  Scan scan{.table = table->name};
  while (true) {
    const auto page = database.scan(scan);
    if (!page.ok()) return 0;
    for (size_t i = 0; i < page->items.size(); ++i) {
      if (const auto key = page->items[i].find(pk)) ++counts[std::string(key->encoded())];
    }
    if (!page->last_key) break;
    scan.start_key = page->last_key;
  }
  int64_t most = 0;
  for (const auto& [key, count] : counts) most = std::max(most, count);
  return most;
}

// Writes 40 KB under one partition key where 20 are the limit: whether that is refused.
bool is_growth_refused(bool has_local_index) {
  const auto database =
      Database::open_in_memory({.background_thread = false, .collection_bytes_max = 20'000});
  CreateTable table{.table = "grown", .key = {.partition = {{"pk"}}, .sort = {{"sk"}}}};
  if (has_local_index)
    table.local_indexes.push_back({.name = "local", .key = {.partition = {{"pk"}}, .sort = {{"at"}}}});
  if (!database->create_table(table).ok()) return false;
  for (int i = 0; i < 40; ++i) {
    const auto put = database->put_item(
        {.table = "grown",
         .item = Item{{"pk", "one"}, {"sk", std::to_string(i)}, {"text", std::string(1000, 'x')}}});
    if (!put.ok()) return put.error().code == Code::kTooLarge;
  }
  return false;
}

}  // namespace

class EvidenceMaker {
 public:
  Result<Evidence> run(const std::vector<const Experiment*>& chosen,
                       const std::function<void(uint64_t done, uint64_t all)>& progress) {
    for (size_t i = 0; i < chosen.size(); ++i) {
      TRY(add(*chosen[i]));
      if (progress) progress(i + 1, chosen.size());
    }
    made_.is_limited_ = is_growth_refused(false);
    made_.is_limited_with_index_ = is_growth_refused(true);
    return std::move(made_);
  }

 private:
  Result<void> add(const Experiment& experiment) {
    const std::string name(experiment.name);
    Evidence::Shown& shown = made_.shown_[name];
    shown.planned = std::make_unique<plan::PlannedModel>(
        plan::plan_model(model::compile(name, std::string(experiment.text))));
    if (shown.planned->plans.empty())
      return Error{Code::kInvalid, name + " is no model: " + shown.planned->compiled.rendered()};
    shown.generator = TRY(generate::Generator::make(shown.planned->compiled, experiment.sizes));
    const std::unique_ptr<DataSet> data = generated_data(*shown.generator);
    Candidates layouts = TRY(named_layouts(*shown.planned, experiment.layouts));
    ComparisonOptions options{.script = {.runs = experiment.runs}};
    options.open = []() -> Result<std::unique_ptr<Database>> {
      return Database::open_in_memory({.background_thread = false});
    };
    options.after_loading = [&](Database& database, const Candidate& candidate) {
      shown.largest_partitions[candidate.name] = fullest(database, candidate.stored.stored());
    };
    auto compared = compare(std::move(layouts), *data, options);
    if (!compared.ok()) return Error{compared.error().code, name + ": " + compared.error().message};
    shown.comparison = std::move(*compared);
    if (!shown.comparison.differences.empty()) {
      const Difference& first = shown.comparison.differences.front();
      return Error{Code::kCorrupt, name + ": " + first.contestant + " answers " + first.subject +
                                       " otherwise than " + first.other};
    }
    return {};
  }

  Evidence made_;
};

const Evidence::Shown& Evidence::shown(std::string_view experiment) const {
  static const Shown kNothing;
  const auto found = shown_.find(experiment);
  return found == shown_.end() ? kNothing : found->second;
}

const Contestant* Evidence::contestant(std::string_view experiment, std::string_view layout) const {
  for (const Contestant& each : shown(experiment).comparison.contestants) {
    if (each.candidate.name == layout) return &each;
  }
  return nullptr;
}

Cell Evidence::cell(std::string_view experiment, std::string_view layout, std::string_view subject) const {
  const Comparison& comparison = shown(experiment).comparison;
  const Contestant* const measured = contestant(experiment, layout);
  if (measured == nullptr) return {};
  for (size_t i = 0; i < comparison.script.subjects.size(); ++i) {
    const Measured& one = measured->trial.measured[i];
    if (comparison.script.subjects[i].name != subject || one.runs == 0) continue;
    const auto mean = [&](auto sum) { return one.mean(static_cast<double>(sum)); };
    return {.is_served = true,
            .requests = mean(one.usage.requests),
            .rounds = mean(one.rounds),
            .read_units = mean(one.usage.read_units()),
            .write_units = mean(one.usage.write_units()),
            .index_read_units = mean(index_units(one.usage.reads)),
            .index_write_units = mean(index_units(one.usage.writes)),
            .items_read = mean(one.usage.items_read),
            .items_returned = mean(one.items_returned),
            .items_written = mean(one.usage.items_written),
            .bytes_read = mean(one.usage.bytes_read),
            .copies = mean(one.copies),
            .latency_us = one.latency_us(0.5)};
  }
  return {};
}

const Stored& Evidence::stored(std::string_view experiment, std::string_view layout) const {
  static const Stored kNothing;
  const Contestant* const measured = contestant(experiment, layout);
  return measured == nullptr ? kNothing : measured->trial.before;
}

size_t Evidence::indexes(std::string_view experiment, std::string_view layout) const {
  size_t count = 0;
  for (const StoredTable& table : stored(experiment, layout).tables) count += table.indexes.size();
  return count;
}

std::string Evidence::rejection(std::string_view experiment, std::string_view layout) const {
  for (const Rejected& each : shown(experiment).comparison.rejected) {
    if (each.name == layout) return each.reason;
  }
  return "";
}

const Comparison& Evidence::comparison(std::string_view experiment) const {
  return shown(experiment).comparison;
}

const generate::Generator& Evidence::generator(std::string_view experiment) const {
  return *shown(experiment).generator;
}

int64_t Evidence::largest_partition(std::string_view experiment, std::string_view layout) const {
  const auto& all = shown(experiment).largest_partitions;
  const auto found = all.find(layout);
  return found == all.end() ? 0 : found->second;
}

Result<Evidence> gather_evidence(const std::vector<const Experiment*>& chosen,
                                 const std::function<void(uint64_t done, uint64_t all)>& progress) {
  return EvidenceMaker().run(chosen, progress);
}

}  // namespace sheaf::measure

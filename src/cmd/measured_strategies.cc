#include "cmd/measured_strategies.h"

#include <algorithm>

#include "base/try.h"
#include "cmd/model_file.h"
#include "cmd/trial_data.h"

namespace sheaf::cmd {

Result<measure::Comparison> compare_with_progress(measure::Candidates candidates,
                                                  const measure::DataSet& data,
                                                  measure::ComparisonOptions options, Progress& progress) {
  const size_t all = candidates.legal.size();
  std::string last;
  size_t begun = 0;
  options.progress = [&](const std::string& candidate, const char*, uint64_t, uint64_t) {
    if (candidate != last) ++begun;
    last = candidate;
    progress.tell(begun, all);
  };
  return measure::compare(std::move(candidates), data, options);
}

namespace {

// As many of each entity as are linked with something.
generate::GeneratorOptions as_many_as_seen(const model::Model& model,
                                           const std::vector<model::SeenSizes>& seen) {
  generate::GeneratorOptions options;
  for (model::RelationId id = 0; id < seen.size(); ++id) {
    for (const int side : {0, 1}) {
      const uint64_t holders = seen[id].sides[side].holders;
      if (holders == 0) continue;
      uint64_t& count = options.wishes.counts[model.entities[model.relations[id].ends[side].holder].name];
      count = std::max(count, holders);
    }
  }
  return options;
}

// What strategies are measured on.
struct TrialSet {
  std::unique_ptr<generate::Generator> whole, smaller;
  std::unique_ptr<measure::DataSet> data;
  std::string text;
};

Result<TrialSet> trial_set(const model::CompiledModel& compiled, const OwnData& own, uint64_t sample_max) {
  TrialSet made;
  if (own.data && !compiled.model.operations.empty()) {
    made.whole = TRY(generate::Generator::make(compiled, {}));
    made.data = TRY(measure::users_data(*made.whole, *own.data));
    made.text = own.data->name;
    return made;
  }
  generate::GeneratorOptions options = as_many_as_seen(compiled.model, own.seen);
  const bool is_seen = !options.wishes.counts.empty();
  Result<std::unique_ptr<generate::Generator>> whole = generate::Generator::make(compiled, options);
  // More may be there than the model says there can be.
  const bool fits = whole.ok();
  if (!fits) {
    options = {};
    whole = generate::Generator::make(compiled, options);
  }
  made.whole = TRY(std::move(whole));
  made.smaller = TRY(smaller_sample(*made.whole, compiled, options, sample_max));
  const generate::Generator& sample = made.smaller ? *made.smaller : *made.whole;
  made.data = measure::generated_data(sample);
  made.text = generated_text(sample, *made.whole, options.seed);
  if (own.data)
    made.text += ", and not on " + own.data->name +
                 ": the model declares no operations, and those that every "
                 "model has are tried on generated data";
  if (is_seen)
    made.text += fits ? ", with as many of each as were seen"
                      : ", and not with as many as were seen: that is not what the model declares";
  return made;
}

}  // namespace

Result<MeasuredStrategies> measured_strategies(const plan::PlannedModel& planned, size_t layout,
                                               model::RelationId relation, const OwnData& own) {
  const TrialChoice usual;
  const TrialSet set = TRY(trial_set(planned.compiled, own, usual.sample));
  measure::Candidates candidates = measure::all_strategies(planned, layout, relation);
  measure::ComparisonOptions options;
  options.script.runs = usual.runs;
  options.script.relation = relation;
  options.script.basic_operations = planned.compiled.model.operations.empty();
  options.open = []() -> Result<std::unique_ptr<Database>> {
    return Database::open_in_memory({.background_thread = false});
  };
  Progress progress("strategy", "strategies measured");
  const measure::Comparison compared =
      TRY(compare_with_progress(std::move(candidates), *set.data, std::move(options), progress));
  if (!compared.differences.empty()) {
    const measure::Difference& first = compared.differences.front();
    return Error{Code::kCorrupt, first.contestant + " and " + first.other + " do not answer " +
                                     first.subject + " alike; sheaf model measure shows how"};
  }
  MeasuredStrategies measured{.data = set.text};
  for (const measure::Contestant& each : compared.contestants) {
    const size_t via = each.candidate.name.find(" via ");
    if (via == std::string::npos || !each.is_complete()) continue;
    std::string text = each.candidate.name.substr(via + 5);
    constexpr std::string_view kEmbedMap = "embed map";  // what it is if nothing is said
    if (text.starts_with(kEmbedMap)) text.replace(0, kEmbedMap.size(), "embed");
    measured.all.push_back({.via = std::move(text),
                            .requests = each.summary.requests,
                            .units = each.summary.units(),
                            .bytes = static_cast<double>(each.summary.bytes_stored)});
  }
  return measured;
}

}  // namespace sheaf::cmd

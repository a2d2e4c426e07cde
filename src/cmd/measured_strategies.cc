#include "cmd/measured_strategies.h"

#include "base/try.h"
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

Result<std::vector<model::MeasuredStrategy>> measured_strategies(const plan::PlannedModel& planned,
                                                                 size_t layout, model::RelationId relation) {
  const TrialChoice usual;
  const std::unique_ptr<generate::Generator> whole = TRY(generate::Generator::make(planned.compiled, {}));
  const std::unique_ptr<generate::Generator> sample =
      TRY(smaller_sample(*whole, planned.compiled, {}, usual.sample));
  const std::unique_ptr<measure::DataSet> data = measure::generated_data(sample ? *sample : *whole);
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
      TRY(compare_with_progress(std::move(candidates), *data, std::move(options), progress));
  if (!compared.differences.empty()) {
    const measure::Difference& first = compared.differences.front();
    return Error{Code::kCorrupt, first.contestant + " and " + first.other + " do not answer " +
                                     first.subject + " alike; sheaf model measure shows how"};
  }
  std::vector<model::MeasuredStrategy> measured;
  for (const measure::Contestant& each : compared.contestants) {
    const size_t via = each.candidate.name.find(" via ");
    if (via == std::string::npos || !each.is_complete()) continue;
    std::string text = each.candidate.name.substr(via + 5);
    constexpr std::string_view kEmbedMap = "embed map";  // what it is if nothing is said
    if (text.starts_with(kEmbedMap)) text.replace(0, kEmbedMap.size(), "embed");
    measured.push_back({.via = std::move(text),
                        .requests = each.summary.requests,
                        .units = each.summary.units(),
                        .bytes = static_cast<double>(each.summary.bytes_stored)});
  }
  return measured;
}

}  // namespace sheaf::cmd

#include "measure/mix.h"

#include <algorithm>

namespace sheaf::measure {

Result<std::vector<double>> weights(const Script& script, const std::map<std::string, double>& rates) {
  for (const auto& rate : rates) {
    const std::string& name = rate.first;
    const bool is_known = std::any_of(script.subjects.begin(), script.subjects.end(),
                                      [&](const Subject& subject) { return subject.name == name; });
    if (!is_known)
      return Error{Code::kInvalid,
                   "a rate is for a pattern or an operation that is measured, and " + name + " is none"};
  }
  const bool has_operations =
      std::any_of(script.subjects.begin(), script.subjects.end(),
                  [](const Subject& subject) { return subject.kind == Subject::Kind::kOperation; });
  std::vector<std::optional<double>> known;
  double most = 0;
  for (const Subject& subject : script.subjects) {
    const auto said = rates.find(subject.name);
    const bool is_left_out = has_operations && subject.kind == Subject::Kind::kBasic;
    known.push_back(said != rates.end() ? said->second : is_left_out ? 0 : subject.rate);
    most = std::max(most, subject.rate.value_or(0));
  }
  std::vector<double> made;
  double sum = 0;
  for (const auto& rate : known) {
    made.push_back(rate.value_or(most == 0 ? 1 : most));
    sum += made.back();
  }
  if (sum == 0) return Error{Code::kInvalid, "all rates are zero: nothing is asked for"};
  for (double& each : made) each /= sum;
  return made;
}

Summary summary(const Script& script, const Trial& trial, const std::vector<double>& weights) {
  Summary made;
  double writes = 0;
  for (size_t i = 0; i < script.subjects.size(); ++i) {
    const Measured& measured = trial.measured[i];
    const double weight = weights[i];
    const auto mean = [&](auto sum) { return weight * measured.mean(static_cast<double>(sum)); };
    made.requests += mean(measured.usage.requests);
    made.rounds += mean(measured.rounds);
    made.read_units += mean(measured.usage.read_units());
    made.write_units += mean(measured.usage.write_units());
    made.latency_us += weight * measured.latency_us(0.5);
    if (script.subjects[i].is_read()) {
      made.items_read += mean(measured.usage.items_read);
      made.items_returned += mean(measured.items_returned);
    } else if (measured.runs > 0) {
      writes += weight;
      made.items_a_write += mean(measured.usage.items_written);
      made.units_a_write += mean(measured.usage.write_units());
    }
  }
  if (writes > 0) {
    made.items_a_write /= writes;
    made.units_a_write /= writes;
  }
  made.bytes_stored = trial.before.bytes();
  made.items_stored = trial.before.items();
  return made;
}

double figure(const Summary& summary, Criterion criterion) {
  switch (criterion) {
    case Criterion::kRequests:
      return summary.requests;
    case Criterion::kUnits:
      return summary.units();
    case Criterion::kBytes:
      return static_cast<double>(summary.bytes_stored);
    case Criterion::kAmplification:
      return summary.units_a_write;
    case Criterion::kLatency:
      return summary.latency_us;
  }
  return 0;
}

}  // namespace sheaf::measure

#include "measure/comparison.h"

#include <algorithm>

#include "base/try.h"
#include "measure/basic_plans.h"
#include "plan/shortfalls.h"
#include "run/applied_layout.h"
#include "run/audit.h"

namespace sheaf::measure {
namespace {

// The patterns of a script, with their arguments.
Script reads_of(const Script& script) {
  Script reads{.subjects = script.subjects, .now = script.now};
  for (const Call& call : script.calls) {
    if (script.subjects[call.subject].is_read()) reads.calls.push_back(call);
  }
  return reads;
}

// What one contestant said, for later ones to be held against.
struct Answers {
  std::string contestant;
  bool is_complete = false;  // of operations
  std::vector<std::string> before, during, after;
  std::vector<std::string> refusals;  // one a subject: why the first was
};

class ComparisonRun {
 public:
  ComparisonRun(Candidates candidates, const DataSet& data, const ComparisonOptions& options)
      : candidates_(std::move(candidates)), data_(data), options_(options) {}

  Result<Comparison> run() {
    if (candidates_.legal.empty()) return Error{Code::kInvalid, "there is no layout to measure"};
    std::vector<PlannedLayout> layouts;
    for (const Candidate& each : candidates_.legal) layouts.push_back(each.stored);
    made_.script = TRY(data_.script(layouts, options_.script));
    made_.weights = TRY(weights(made_.script, options_.rates));
    made_.rejected = std::move(candidates_.rejected);
    reads_ = reads_of(made_.script);
    for (Candidate& candidate : candidates_.legal) TRY(measure(std::move(candidate)));
    if (made_.contestants.empty())
      return Error{Code::kInvalid, "there is no layout that the data fits: " + made_.rejected.back().name +
                                       ": " + made_.rejected.back().reason};
    rank();
    return std::move(made_);
  }

 private:
  void tell(const Candidate& candidate, const char* step, uint64_t done, uint64_t all) const {
    if (options_.progress) options_.progress(candidate.name, step, done, all);
  }

  Result<void> measure(Candidate candidate) {
    const std::unique_ptr<Database> database = TRY(options_.open());
    const PlannedLayout& stored = candidate.stored;
    TRY(run::apply_layout(*database, stored.model(), stored.stored()));
    const Result<void> loaded = data_.load(
        *database, stored, [&](uint64_t done, uint64_t all) { tell(candidate, "loading", done, all); });
    if (!loaded.ok()) {
      if (!is_misfit(loaded.error())) return loaded.error();
      made_.rejected.push_back(
          {.name = candidate.name, .reason = "the data does not fit: " + loaded.error().message});
      return {};
    }
    if (options_.after_loading) options_.after_loading(*database, candidate);
    Contestant contestant{.candidate = std::move(candidate)};
    contestant.unserved = contestant.candidate.unserved();
    contestant.shortfalls = plan::shortfalls(*stored_planned(contestant), contestant.candidate.stored.layout);
    skipped_.clear();
    find_basic_refusals(contestant);
    Answers answers{.contestant = contestant.candidate.name,
                    .is_complete = does_all_writes(contestant) && skipped_.empty()};
    told_ = 0;
    answers.before = TRY(ask(*database, contestant, reads_, "asking")).answers;
    contestant.trial = TRY(ask(*database, contestant, made_.script, "running"));
    answers.during = std::move(contestant.trial.answers);
    for (const Measured& each : contestant.trial.measured) answers.refusals.push_back(each.refusal);
    answers.after = TRY(ask(*database, contestant, reads_, "asking again")).answers;
    TRY(audit(*database, contestant));
    contestant.summary = summary(made_.script, contestant.trial, made_.weights);
    hold_against_others(answers);
    made_.contestants.push_back(std::move(contestant));
    return {};
  }

  static const plan::PlannedModel* stored_planned(const Contestant& contestant) {
    return contestant.candidate.stored.planned;
  }

  // Basic operations that it has no way for are not tried.
  void find_basic_refusals(Contestant& contestant) {
    for (size_t i = 0; i < made_.script.subjects.size(); ++i) {
      const Subject& subject = made_.script.subjects[i];
      if (subject.kind != Subject::Kind::kBasic) continue;
      const auto why = basic_refusal(contestant.candidate.stored, subject.name);
      if (!why) continue;
      skipped_.insert(subject.name);
      contestant.shortfalls.push_back(subject.name + " cannot be carried out: " + *why);
      if (made_.weights[i] > 0) contestant.unserved.push_back(subject.name);
    }
  }

  static bool does_all_writes(const Contestant& contestant) {
    const PlannedLayout& stored = contestant.candidate.stored;
    const auto& operations = stored.planned->operations[stored.layout];
    return std::all_of(operations.begin(), operations.end(),
                       [](const plan::PlannedOperation& each) { return each.ok(); });
  }

  Result<Trial> ask(Database& database, const Contestant& contestant, const Script& script,
                    const char* step) const {
    const PlannedLayout& stored = contestant.candidate.stored;
    return run_trial(
        database, *stored.planned, stored.layout, script,
        {.keeps_answers = true, .skipped = skipped_, .progress = [&](uint64_t done, uint64_t all) {
           tell(contestant.candidate, step, done, all);
         }});
  }

  Result<void> audit(Database& database, const Contestant& contestant) {
    const PlannedLayout& stored = contestant.candidate.stored;
    const run::Audit found = TRY(run::audit(database, stored.model(), stored.stored(), {}));
    for (const run::Finding& finding : found.findings) {
      add({.contestant = contestant.candidate.name,
           .subject = "audit",
           .expected = "nothing",
           .found = std::string(run::name_of(finding.kind)) + ": " + finding.what + ": " + finding.message});
    }
    return {};
  }

  void add(Difference difference) {
    if (told_++ < kDifferencesMax) made_.differences.push_back(std::move(difference));
  }

  void hold_against_others(Answers& answers) {
    hold(reads_, answers, &Answers::before, /*is_written=*/false);
    hold(made_.script, answers, &Answers::during, true);
    hold(reads_, answers, &Answers::after, true);
    all_.push_back(std::move(answers));
  }

  // Those who have not done all that was written have other data after it.
  void hold(const Script& script, const Answers& answers, std::vector<std::string> Answers::*kept,
            bool is_written) {
    if (is_written && !answers.is_complete) return;
    const std::vector<std::string>& own = answers.*kept;
    for (size_t i = 0; i < script.calls.size(); ++i) {
      if (own[i] == kUnserved) continue;
      const auto other = std::find_if(all_.begin(), all_.end(), [&](const Answers& each) {
        return (!is_written || each.is_complete) && (each.*kept)[i] != kUnserved;
      });
      if (other == all_.end()) continue;
      ++made_.answers_compared;
      if ((*other.*kept)[i] == own[i]) continue;
      const size_t subject = script.calls[i].subject;
      add({.contestant = answers.contestant,
           .subject = script.subjects[subject].name,
           .arguments = script.calls[i].arguments,
           .other = other->contestant,
           .expected = told((*other.*kept)[i], other->refusals[subject]),
           .found = told(own[i], answers.refusals[subject])});
    }
  }

  // For people.
  static std::string told(const std::string& answer, const std::string& refusal) {
    return answer.starts_with(kRefused) ? std::string(kRefused) + ": " + refusal : answer;
  }

  // Who can do everything first; then by the criterion, then by requests and units.
  void rank() {
    const auto place = [&](const Contestant& each) {
      return std::make_tuple(each.unserved.size(), figure(each.summary, options_.by), each.summary.requests,
                             each.summary.units(), each.summary.bytes_stored);
    };
    std::stable_sort(made_.contestants.begin(), made_.contestants.end(),
                     [&](const Contestant& a, const Contestant& b) { return place(a) < place(b); });
  }

  Candidates candidates_;
  const DataSet& data_;
  const ComparisonOptions& options_;
  Comparison made_;
  Script reads_;
  std::vector<Answers> all_;
  // Of the one that is being measured:
  size_t told_ = 0;
  std::set<std::string> skipped_;
};

}  // namespace

bool is_misfit(const Error& error) {
  return error.code == Code::kInvalid || error.code == Code::kTooLarge || error.code == Code::kLimitExceeded;
}

double Comparison::best(Criterion criterion) const {
  std::optional<double> least, least_complete;
  for (const Contestant& each : contestants) {
    const double own = figure(each.summary, criterion);
    least = std::min(own, least.value_or(own));
    if (each.is_complete()) least_complete = std::min(own, least_complete.value_or(own));
  }
  return least_complete.value_or(least.value_or(0));
}

Result<Comparison> compare(Candidates candidates, const DataSet& data, const ComparisonOptions& options) {
  return ComparisonRun(std::move(candidates), data, options).run();
}

}  // namespace sheaf::measure

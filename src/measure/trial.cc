#include "measure/trial.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include "base/try.h"
#include "measure/canonical_answer.h"
#include "run/session.h"
#include "run/system_table.h"

namespace sheaf::measure {
namespace {

// What an operation can be told by the model; everything else is a database that does not work.
bool is_refusal(const Error& error) {
  switch (error.code) {
    case Code::kInvalid:
    case Code::kNotFound:
    case Code::kInUse:
    case Code::kLimitExceeded:
    case Code::kConflict:
    case Code::kDuplicate:
    case Code::kMismatch:
      return true;
    default:
      return false;
  }
}

void add_cost(plan::Cost& to, const plan::Cost& cost) {
  to.requests += cost.requests;
  to.rounds += cost.rounds;
  to.units += cost.units;
}

// What one run took itself.
void add_own(Measured& to, const run::Figures& figures) {
  const plan::Cost cost{.requests = static_cast<double>(figures.requests),
                        .rounds = static_cast<double>(figures.rounds),
                        .units = figures.units};
  add_cost(to.own, cost);
  to.dearest = {.requests = std::max(to.dearest.requests, cost.requests),
                .rounds = std::max(to.dearest.rounds, cost.rounds),
                .units = std::max(to.dearest.units, cost.units)};
}

class TrialRun {
 public:
  TrialRun(Meter& meter, const run::Session& session, const plan::PlannedModel& planned, size_t layout,
           const Script& script, Trial& trial)
      : meter_(meter),
        session_(session),
        planned_(planned),
        layout_(layout),
        script_(script),
        trial_(trial) {}

  // What it gave.
  Result<std::string> run(const Call& call, bool keeps_answer) {
    const Subject& subject = script_.subjects[call.subject];
    Measured& measured = trial_.measured[call.subject];
    return subject.is_read() ? read(subject, call, measured, keeps_answer) : write(subject, call, measured);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double us_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  }

  const plan::PlannedPattern* plan_of(const Subject& subject, const Call& call) const {
    for (const plan::PlannedPattern& each : planned_.plans[layout_]) {
      if (each.pattern->name != subject.name) continue;
      bool is_it = true;
      for (size_t i = 0; i < each.given.size(); ++i) {
        const bool is_given = i < call.arguments.size() && call.arguments[i].type() != Type::kNull;
        is_it = is_it && each.given[i] == is_given;
      }
      if (is_it) return &each;
    }
    return nullptr;
  }

  Result<std::string> read(const Subject& subject, const Call& call, Measured& measured, bool keeps_answer) {
    const plan::PlannedPattern* const planned = plan_of(subject, call);
    if (planned == nullptr || !planned->ok()) {
      ++measured.unserved;
      return std::string(kUnserved);
    }
    meter_.take();
    const auto begin = Clock::now();
    run::Session::Reply reply = TRY(session_.read(subject.name, call.arguments));
    measured.latencies_us.push_back(us_since(begin));
    measured.usage += meter_.take();
    ++measured.runs;
    measured.rounds += reply.figures.rounds;
    add_own(measured, reply.figures);
    measured.items_returned += entities_in(session_.model(), *planned->pattern, reply.documents);
    measured.is_planned = true;
    add_cost(measured.planned, std::get<plan::Plan>(planned->plan).cost);
    if (!keeps_answer) return std::string();
    // The other pages are only compared: which documents are on which is nobody's promise.
    std::vector<Value> documents = std::move(reply.documents);
    while (reply.cursor) {
      reply = TRY(session_.read(subject.name, call.arguments, *reply.cursor));
      documents.insert(documents.end(), reply.documents.begin(), reply.documents.end());
    }
    return canonical_answer(session_.model(), *planned->pattern, documents);
  }

  Result<std::string> write(const Subject& subject, const Call& call, Measured& measured) {
    const plan::PlannedOperation* planned = nullptr;
    for (const plan::PlannedOperation& each : planned_.operations[layout_]) {
      if (each.operation->name == subject.name) planned = &each;
    }
    if (planned != nullptr && !planned->ok()) {
      ++measured.unserved;
      return std::string(kUnserved);
    }
    meter_.take();
    const auto begin = Clock::now();
    const Result<run::Session::Outcome> outcome = session_.write(subject.name, call.arguments);
    const double took_us = us_since(begin);
    const Usage usage = meter_.take();
    if (!outcome.ok()) {
      if (!is_refusal(outcome.error())) return outcome.error();
      if (measured.refused++ == 0) measured.refusal = outcome.error().message;
      if (usage.units() > 0) {
        ++measured.refused_metered;
        measured.refused_usage += usage;
      }
      return std::string(kRefused) + " " + std::to_string(static_cast<int>(outcome.error().code));
    }
    measured.latencies_us.push_back(took_us);
    measured.usage += usage;
    ++measured.runs;
    measured.rounds += outcome->reply.figures.rounds;
    add_own(measured, outcome->reply.figures);
    measured.copies += outcome->reply.copies;
    if (planned != nullptr) {
      measured.is_planned = true;
      add_cost(measured.planned, std::get<plan::OperationPlan>(planned->plan).cost);
    }
    return std::string("done");
  }

  Meter& meter_;
  const run::Session& session_;
  const plan::PlannedModel& planned_;
  const size_t layout_;
  const Script& script_;
  Trial& trial_;
};

}  // namespace

double Measured::latency_us(double share) const {
  if (latencies_us.empty()) return 0;
  std::vector<double> sorted = latencies_us;
  std::sort(sorted.begin(), sorted.end());
  const auto at = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

int64_t Stored::items() const {
  int64_t sum = 0;
  for (const StoredTable& each : tables) sum += each.table.items;
  return sum;
}

int64_t Stored::table_bytes() const {
  int64_t sum = 0;
  for (const StoredTable& each : tables) sum += each.table.bytes;
  return sum;
}

int64_t Stored::index_bytes() const {
  int64_t sum = 0;
  for (const StoredTable& each : tables) {
    for (const StoredView& index : each.indexes) sum += index.bytes;
  }
  return sum;
}

Result<Stored> stored(Database& database, const model::Model& model, const model::Layout& layout) {
  std::vector<std::string> names;
  for (const model::Table& table : layout.tables) names.push_back(table.name);
  const std::string system = run::system_table_name(model);
  names.push_back(system);
  Stored made;
  for (const std::string& name : names) {
    const TableDescription table = TRY(database.describe_table(name));
    StoredTable one{.table = {.name = name, .items = table.item_count, .bytes = table.size_bytes},
                    .is_system = name == system};
    for (const IndexDescription& index : table.indexes)
      one.indexes.push_back({.name = index.name, .items = index.item_count, .bytes = index.size_bytes});
    made.tables.push_back(std::move(one));
  }
  return made;
}

Result<Trial> run_trial(Database& database, const plan::PlannedModel& planned, size_t layout,
                        const Script& script, const TrialOptions& options) {
  const model::Model& model = planned.compiled.model;
  Trial trial;
  trial.measured.resize(script.subjects.size());
  trial.before = TRY(stored(database, model, planned.compiled.layouts[layout]));
  Meter meter(database);
  const std::unique_ptr<run::Session> session =
      TRY(run::Session::open(meter, planned, layout, {.clock = [now = script.now] { return now; }}));
  TrialRun run(meter, *session, planned, layout, script, trial);
  for (size_t i = 0; i < script.calls.size(); ++i) {
    const size_t subject = script.calls[i].subject;
    const bool is_skipped = options.skipped.contains(script.subjects[subject].name);
    if (is_skipped) ++trial.measured[subject].unserved;
    Result<std::string> answer =
        is_skipped ? std::string(kUnserved) : run.run(script.calls[i], options.keeps_answers);
    if (!answer.ok())
      return Error{answer.error().code, script.subjects[subject].name + ": " + answer.error().message};
    if (options.keeps_answers) trial.answers.push_back(std::move(*answer));
    if (options.progress) options.progress(i + 1, script.calls.size());
  }
  trial.after = TRY(stored(database, model, planned.compiled.layouts[layout]));
  return trial;
}

}  // namespace sheaf::measure

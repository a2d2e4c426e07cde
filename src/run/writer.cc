#include "run/writer.h"

#include <random>
#include <thread>

#include "base/try.h"
#include "run/change_check.h"
#include "run/job_worker.h"
#include "run/system_table.h"
#include "run/time_text.h"

namespace sheaf::run {
namespace {

void sleep_a_little(int attempt) {
  thread_local std::mt19937 random{std::random_device{}()};
  const int most_ms = 5 << std::min(attempt, 6);
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::uniform_int_distribution<int>(0, most_ms)(random)));
}

}  // namespace

Writer::Writer(Database& database, const model::Model& model, const model::Layout& layout,
               WriterOptions options)
    : database_(database), model_(model), layout_(layout), options_(std::move(options)) {
  if (!options_.pause) options_.pause = sleep_a_little;
}

int64_t Writer::now_ms() const { return epoch_milliseconds(options_.clock()); }

Result<WriteReply> Writer::run(const std::vector<Change>& changes, const Companion* companion) const {
  TRY(check_changes(model_, changes, options_.clock()));
  Result<WriteReply> done = run(changes, {.asks_leave = true}, companion);
  if (done.ok()) return done;
  const Code code = done.error().code;
  if (code == Code::kInUse || code == Code::kConflict) TRY(check_there(database_, model_, layout_, changes));
  return done;
}

// A check that always fails.
ItemChange Writer::never() const {
  ItemChange change{.table = system_table_name(model_), .key = system_key("never", "never"), .pk_name = "pk"};
  change.expect({.kind = Expected::Kind::kExists, .is_race = true});
  return change;
}

Result<WriteReply> Writer::run(const std::vector<Change>& changes, AttemptOptions attempt,
                               const Companion* companion) const {
  WriteReply reply;
  for (int tries = 0;; ++tries) {
    attempt.now = options_.clock();
    attempt.tries = tries;
    attempt.lease_until_ms = options_.runs_jobs ? now_ms() + options_.lease.count() : 0;
    Attempt one(database_, model_, layout_, changes, attempt, reply.figures);
    TRY(one.prepare());
    std::vector<NewJob> companion_jobs;
    std::optional<Error> hindrance;
    if (companion != nullptr) {
      Result<std::vector<NewJob>> joined =
          companion->join(changes, attempt, one.transaction(), reply.figures);
      if (joined.ok()) {
        companion_jobs = std::move(*joined);
      } else {
        hindrance = std::move(joined).error();
        // Unless it is refused anyway.
        TRY(one.transaction().rehearse(database_, reply.figures, never()));
      }
    }
    if (attempt.asks_leave && options_.may_commit && !options_.may_commit())
      return Error{Code::kConflict, "it took too long, and nothing was written; try again"};
    auto outcome = Transaction::Outcome::kRace;
    if (!hindrance) outcome = TRY(one.transaction().commit(database_, reply.figures));
    if (outcome == Transaction::Outcome::kRace) {
      if (tries == options_.retries_max && hindrance) return *hindrance;
      if (tries == options_.retries_max)
        return Error{Code::kConflict, "others changed the same things " + std::to_string(tries + 1) +
                                          " times meanwhile; try again"};
      ++reply.retries;
      options_.pause(tries);
      if (companion != nullptr) TRY(companion->catch_up(changes));
      continue;
    }
    const Result<void> worked = work(one.jobs(), reply);
    if (companion != nullptr) TRY(companion->work(companion_jobs, reply));
    TRY(worked);
    return reply;
  }
}

Result<void> Writer::work(const std::vector<NewJob>& jobs, WriteReply& reply) const {
  if (!options_.runs_jobs) {
    reply.pending += jobs.size();
    return {};
  }
  for (const NewJob& job : jobs)
    TRY(JobWorker(*this).run({.kind = job.kind,
                              .id = job.id,
                              .entity = job.entity,
                              .identity = job.identity,
                              .created_ms = now_ms(),
                              .lease_until_ms = now_ms() + options_.lease.count()},
                             reply));
  return {};
}

Result<WriteReply> Writer::work() const {
  WriteReply reply;
  const std::vector<Job> jobs = TRY(list_jobs(database_, model_, layout_));
  for (const Job& listed : jobs) {
    const std::optional<Job> job = TRY(JobWorker(*this).take(listed.id));
    if (!job) {
      ++reply.pending;
      continue;
    }
    const Result<void> done = JobWorker(*this).run(*job, reply);
    // A deletion that was refused is over, too.
    if (!done.ok() && done.error().code != Code::kInUse) return done.error();
  }
  return reply;
}

}  // namespace sheaf::run

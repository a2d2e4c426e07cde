#include "run/writer.h"

#include <random>
#include <thread>

#include "base/try.h"
#include "run/change_check.h"
#include "run/job_worker.h"

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

int64_t Writer::now_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(options_.clock().time_since_epoch()).count();
}

Result<WriteReply> Writer::run(const std::vector<Change>& changes) const {
  TRY(check_changes(model_, changes, options_.clock()));
  Result<WriteReply> done = run(changes, {});
  if (done.ok()) return done;
  const Code code = done.error().code;
  if (code == Code::kInUse || code == Code::kInvalid || code == Code::kConflict)
    TRY(check_there(database_, model_, layout_, changes));
  return done;
}

Result<WriteReply> Writer::run(const std::vector<Change>& changes, AttemptOptions attempt) const {
  WriteReply reply;
  for (int tries = 0;; ++tries) {
    attempt.now = options_.clock();
    attempt.tries = tries;
    attempt.lease_until_ms = options_.runs_jobs ? now_ms() + options_.lease.count() : 0;
    Attempt one(database_, model_, layout_, changes, attempt, reply.figures);
    const Transaction::Outcome outcome = TRY(one.run());
    if (outcome == Transaction::Outcome::kRace) {
      if (tries == options_.retries_max)
        return Error{Code::kConflict, "others changed the same things " + std::to_string(tries + 1) +
                                          " times meanwhile; try again"};
      ++reply.retries;
      options_.pause(tries);
      continue;
    }
    if (!options_.runs_jobs) {
      reply.pending = one.jobs().size();
      return reply;
    }
    for (const NewJob& job : one.jobs())
      TRY(JobWorker(*this).run({.kind = job.kind,
                                .id = job.id,
                                .entity = job.entity,
                                .identity = job.identity,
                                .created_ms = now_ms(),
                                .lease_until_ms = attempt.lease_until_ms},
                               reply));
    return reply;
  }
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

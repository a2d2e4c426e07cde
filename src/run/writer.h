// Carries operations out, again if others were faster, and does the work that follows them.
#pragma once

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

#include "sheaf/database.h"

#include "run/attempt.h"
#include "run/change.h"
#include "run/companion.h"
#include "run/jobs.h"

namespace sheaf::run {

struct WriterOptions {
  std::function<std::chrono::system_clock::time_point()> clock = std::chrono::system_clock::now;
  // Between two tries; the number of the one that failed.
  std::function<void(int)> pause;
  int retries_max = 5;
  // Jobs are done before an operation returns. Without it they wait for `work`.
  bool runs_jobs = true;
  std::chrono::milliseconds lease{30'000};
  // How long an index may lag behind its table.
  std::chrono::milliseconds index_lag{0};
  // Whether operations may still be committed, asked right before; what follows from them goes on. None:
  // always.
  std::function<bool()> may_commit = {};
};

struct WriteReply {
  Figures figures;
  uint64_t retries = 0;
  uint64_t copies = 0;   // items that were brought in step
  uint64_t deleted = 0;  // entities that went with it
  uint64_t pending = 0;  // jobs that are left to others
};

class Writer {
 public:
  Writer(Database& database, const model::Model& model, const model::Layout& layout,
         WriterOptions options = {});

  // One transaction. kConflict if others were faster too often, or it may no longer be committed. An
  // operation that is refused is refused for the same reason in every layout: what makes no sense first, then
  // who is not there, then what is taken or not as it should be. Who keeps something in step with it writes
  // in the same transaction.
  Result<WriteReply> run(const std::vector<Change>& changes, const Companion* companion = nullptr) const;
  // The same for what need not make sense to who asks for it: it is so elsewhere.
  Result<WriteReply> mirror(const std::vector<Change>& changes, const Companion* companion) const {
    return run(changes, {}, companion);
  }

  // Those that the transaction of an operation has left, if jobs are done at once.
  Result<void> work(const std::vector<NewJob>& jobs, WriteReply& reply) const;
  // Does all jobs whose lease is free or has run out.
  Result<WriteReply> work() const;

  const WriterOptions& options() const { return options_; }

 private:
  friend class JobWorker;

  Result<WriteReply> run(const std::vector<Change>& changes, AttemptOptions attempt,
                         const Companion* companion) const;
  int64_t now_ms() const;
  ItemChange never() const;

  Database& database_;
  const model::Model& model_;
  const model::Layout& layout_;
  WriterOptions options_;
};

}  // namespace sheaf::run

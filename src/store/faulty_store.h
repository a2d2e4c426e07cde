// A store that does everything the contract allows and callers tend to forget: for tests of what lies above.
// Which faults happen follows from one seed (and, with several threads, from their order).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "store/store.h"

namespace sheaf::store {

// Probabilities, from 0 to 1.
struct FaultyOptions {
  uint64_t seed = 1;

  // Of batches with guards: they fail for nothing (invariant 6).
  double guard_failed = 0;
  // Of batches: answered as unknown, with and without having been applied (invariant 7).
  double unknown_applied = 0;
  double unknown_not_applied = 0;
  // Whether everything is refused after an unknown outcome, until `reopen`.
  bool refuse_after_unknown = true;

  // Of batches: held back before they are committed, so that later ones overtake them, and of answers.
  double submit_delayed = 0;
  double answer_delayed = 0;
  uint32_t delay_us_max = 500;

  // Of reads and scans of views with cached_only. A scan may have returned rows before.
  double would_block = 0;
  // Of scans: they end after one to four rows (invariant 8).
  double scan_short = 0;
  // Of scans that came to the end of their range: they say that there is more, and there is nothing.
  double scan_rest_empty = 0;
};

// What was injected so far.
struct FaultCounts {
  uint64_t guards_failed = 0;
  uint64_t unknown_applied = 0;
  uint64_t unknown_not_applied = 0;
  uint64_t refused = 0;
  uint64_t submits_delayed = 0;
  uint64_t answers_delayed = 0;
  uint64_t would_block = 0;
  uint64_t scans_short = 0;
  uint64_t scan_rests_empty = 0;

  bool operator==(const FaultCounts&) const = default;
};

// Tasks that run later and in another order.
class ShuffledTasks {
 public:
  ShuffledTasks(uint64_t seed, uint32_t delay_us_max);
  // Runs what is left.
  ~ShuffledTasks();

  void post(Task task);
  // Returns when nothing is left.
  void drain();

 private:
  void run();

  std::mt19937_64 random_;  // of the thread's
  const uint32_t delay_us_max_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Task> tasks_;
  bool running_ = false;
  bool hurried_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

class FaultyStore final : public Store {
 public:
  FaultyStore(std::unique_ptr<Store> inner, const FaultyOptions& options);
  // Every answer that is due is posted before it returns.
  ~FaultyStore() override;

  std::unique_ptr<View> view(const ViewOptions& options) override;
  void submit(Batch batch, Loop& loop, Done done) override;
  Result<void> drop(const Range& range) override;
  Result<void> checkpoint(const std::string& directory) override;
  Stamp last_stamp() const override;

  // As if the store had been opened again after an unknown outcome: batches are no longer refused.
  void reopen();
  FaultCounts counts() const;

 private:
  friend class FaultyView;

  // What happens to a batch.
  struct Fate {
    bool guard_failed, unknown_applied, unknown_not_applied, submit_delayed, answer_delayed;
  };
  // Hands what the inner store posts straight on.
  struct RelayLoop final : Loop {
    explicit RelayLoop(bool blocks) : may_block_(blocks) {}
    void post(Task task) override { task(); }
    bool may_block() const override { return may_block_; }
    const bool may_block_;
  };

  bool happens(double probability);  // with the mutex held
  bool happens_counted(double probability, uint64_t FaultCounts::*fault);
  void count(uint64_t FaultCounts::*fault);
  void fail(uint64_t FaultCounts::*fault);  // counts it, and refuses from now on
  uint64_t below(uint64_t bound);
  Fate draw_fate(const Batch& batch);
  bool refuses();
  void commit_inner(Batch batch, Loop& loop, Done done, Fate fate);
  void answer(Loop& loop, Done done, Outcome outcome, bool delayed);

  const FaultyOptions options_;
  std::unique_ptr<Store> inner_;
  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  FaultCounts counts_;
  bool failed_ = false;
  RelayLoop blocking_{true}, non_blocking_{false};
  ShuffledTasks shuffled_;
};

}  // namespace sheaf::store

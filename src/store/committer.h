// One writer for all: merges what is pending into one group, checks its guards, gives it stamps, and has it
// written with one sync.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "store/store.h"
#include "store/version_table.h"

namespace sheaf::store {

// A batch whose guards hold.
struct Admitted {
  const Batch* batch;
  Stamp stamp;
};

// The adds of a group, one entry a counter.
using FoldedAdds = std::vector<std::pair<std::string_view, std::string>>;

// What a store does with a group: write all of it, durably if so set up, or return an Error, after which the
// committer refuses everything. Called by one thread at a time.
class GroupWriter {
 public:
  virtual ~GroupWriter() = default;
  // `reserve`: a stamp to remember with the group; no stamp of a later life of this store may be below it. It
  // may also come alone, and then lower than before, when the store is closed.
  virtual Result<void> write(std::span<const Admitted> group, const FoldedAdds& adds,
                             std::optional<Stamp> reserve) = 0;
  // Why `batch` is not to be written now, if so: it is refused, and the next may be taken again. Called by
  // one thread at a time.
  virtual std::optional<std::string> refuse(const Batch& batch) = 0;
  // Whether a write without a reservation would wait, for the disk or for memory. Thread-safe.
  virtual bool may_wait() const = 0;
};

struct CommitterOptions {
  // How many groups a caller that may block writes before it leaves the rest to the committer's own thread.
  int groups_per_caller_max = 1;
  // How long the committer's own thread waits for callers that it has just answered to come back, so that one
  // sync serves them all again. Worth it where a sync takes longer than that.
  int64_t gather_us_max = 0;
  // What an earlier life of the store reserved: no stamp is given out and no version holds below it.
  Stamp first_stamp = 0;
};

class Committer {
 public:
  Committer(GroupWriter& writer, const Clock& clock, const CommitterOptions& options);
  // Writes what is queued.
  ~Committer();

  void submit(Batch batch, Loop& loop, Done done);

  // Why writes are refused, if they are.
  std::optional<std::string> failure() const;

  struct Figures {
    uint64_t groups;   // written since the start
    uint64_t batches;  // in them
    size_t queued;     // now
    uint64_t queued_bytes;
  };
  Figures figures() const;

  Stamp last_stamp() const { return last_visible_.load(std::memory_order_acquire); }

 private:
  struct Pending {
    Batch batch;
    Loop* loop;
    Done done;
  };
  using Group = std::vector<Pending>;

  // The lead, on its way to a loop.
  class Lead;

  void run();
  void lead_on_loop();
  bool reservation_due() const;
  void yield_lead();
  void gather();
  Group take_group();
  bool write_next_group();
  void write_group(Group& group);
  void hand_over();  // with the mutex held: our own thread goes on
  void give_back();  // with the mutex held: nobody leads
  bool guards_hold(const Batch& batch) const;
  void record_writes(const Batch& batch, Stamp stamp);
  Stamp next_stamp();
  static void answer(Pending& pending, Outcome outcome);

  GroupWriter& writer_;
  const Clock& clock_;
  const CommitterOptions options_;

  // Owned by the one thread that leads.
  VersionTable versions_;
  Stamp last_given_;
  Stamp reserved_ = 0;

  std::atomic<Stamp> last_visible_;
  std::atomic<uint64_t> groups_ = 0;
  std::atomic<uint64_t> batches_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable turn_;
  std::deque<Pending> queue_;
  uint64_t queued_bytes_ = 0;
  size_t expected_ = 0;        // batches that the next group could have
  bool led_ = false;           // some thread writes, or is about to
  bool thread_leads_ = false;  // ... and it is ours
  bool stopping_ = false;
  std::optional<std::string> failure_;
  std::thread thread_;
};

}  // namespace sheaf::store

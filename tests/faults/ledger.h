// What writers were told, to be compared with what is there after the power came back.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "store/store.h"

namespace sheaf::faults {

// One batch of the workload: an item, an index entry, the writer's own head, counters and a log row, so that
// every kind of entry in several spaces must be there or not be there together.
struct Write {
  uint32_t writer;
  uint32_t number;       // of this writer's, from 1; what was lost is written again under the same number
  uint32_t value_bytes;  // of the item
};

std::string head_key(uint32_t writer);
// The number that a head row holds.
uint32_t head_number(const store::Read& head);

// Thread-safe.
class Ledger {
 public:
  struct Comparison {
    std::vector<std::string> problems;
    size_t acknowledged = 0;
    size_t lost = 0;           // of the acknowledged ones
    size_t unknown_there = 0;  // of those with an unknown outcome
    size_t unknown_gone = 0;
  };

  // The store is opened: what is lost from now on has nothing to do with what was lost before.
  void begin_life();

  // Before `write` is submitted: its id and what the batch must contain.
  std::string begin(const Write& write, store::Batch& batch);
  // What the store answered.
  void told(const std::string& id, const store::Outcome& outcome);
  // A reader found it in the log, whatever its writer was told until now.
  void saw(const std::string& id);

  // All that was acknowledged or shown so far.
  std::set<std::string> acknowledged() const;

  // Whether `store` holds every batch of `expected`, every other one whole or not at all, nothing else, and
  // nothing that was refused. What was lost must be the newest of its life (no gaps), but is counted, not
  // reported.
  Comparison compare(store::Store& store, const std::set<std::string>& expected) const;
  // The same for all that was acknowledged; then takes the state of `store` for what is known.
  Comparison settle(store::Store& store);

 private:
  enum class State { kPending, kApplied, kUnknown, kNotApplied, kGone };
  struct Entry {
    Write write;
    int life = 0;
    State state = State::kPending;
    store::Stamp stamp = 0;
    store::Stamp older = 0;  // than its stamp must be all that were told before it was begun
    bool seen = false;
  };

  Comparison compare_locked(store::Store& store, const std::set<std::string>& expected,
                            std::map<store::Stamp, std::string>& present) const;

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  uint64_t begun_ = 0;
  int life_ = 0;
  store::Stamp newest_ = 0;
  std::vector<std::string> problems_;  // of what was told
};

}  // namespace sheaf::faults

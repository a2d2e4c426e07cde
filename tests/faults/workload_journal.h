// What a workload has tried and what it was told, in memory that outlives it: plain numbers in a fixed
// layout, all zero at first, so that the file behind it can be mapped by the process that is killed and by
// the one that looks on.
#pragma once

#include <atomic>
#include <cstdint>

#include "workload_plan.h"

namespace sheaf::faults {

inline constexpr uint32_t kShortLivedTables = 3;
inline constexpr uint32_t kProblemBytes = 4096;

// Numbered steps of one thing, taken one after the other. Between the two numbers lies what may or may not
// have happened.
struct Steps {
  std::atomic<uint32_t> attempted;
  std::atomic<uint32_t> acknowledged;

  uint32_t begin_next() {
    const uint32_t next = acknowledged.load() + 1;
    attempted.store(next);
    return next;
  }
  void acknowledge() { acknowledged.store(attempted.load()); }
  void take_back() { attempted.store(acknowledged.load()); }
  bool open() const { return attempted.load() != acknowledged.load(); }
  void resolve(uint32_t step) {
    attempted.store(step);
    acknowledged.store(step);
  }
};

struct WorkloadJournal {
  // The tables are there, with accounts and fillers.
  std::atomic<uint32_t> prepared;
  std::atomic<uint32_t> running;

  // An item's steps are its versions; a group has one for all of its members.
  Steps items[kWriters][kSingles + kBatchItems];
  Steps groups[kWriters][kGroups];

  // Of the shared counter and of transfers between accounts, by each writer since the last check, and what
  // was there then.
  Steps hits[kWriters];
  Steps transfers[kWriters];
  std::atomic<int64_t> hits_before;
  std::atomic<int64_t> transfers_before;

  // Odd: made. Even: removed.
  Steps late_index;
  Steps short_lived[kShortLivedTables];
  std::atomic<uint32_t> short_lived_items[kShortLivedTables];  // acknowledged since it was made

  // What the workload itself has seen that should not be.
  std::atomic<uint32_t> problem_bytes;
  char problem[kProblemBytes];
};

}  // namespace sheaf::faults

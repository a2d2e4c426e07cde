// Holds a database to what a workload was told before it went down.
#pragma once

#include <string>
#include <vector>

#include "sheaf/database.h"

#include "workload_journal.h"

namespace sheaf::faults {

struct PromiseReport {
  std::vector<std::string> problems;  // empty: every promise was kept
  size_t acknowledged = 0;            // versions of all items and groups so far
  size_t open_there = 0;              // of what had no answer: what had happened all the same
  size_t open_gone = 0;
};

// Every acknowledged write is there; of the others each is there or not, and a transaction's writes are there
// together. Then enters in the journal where things are, so that a workload can go on from there; except for
// transactions without an answer, which the workload takes up by itself.
PromiseReport check_promises(Database& db, WorkloadJournal& journal);

}  // namespace sheaf::faults

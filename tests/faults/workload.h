// Concurrent writers, and one who makes and removes tables and indexes, over a database that may go away at
// any moment. Everything is entered in the journal before it is tried and after it was acknowledged.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "sheaf/database.h"

#include "workload_journal.h"

namespace sheaf::faults {

class Workload {
 public:
  // `seed` decides what is written next, not what it is: see workload_plan.h.
  Workload(Database& db, WorkloadJournal& journal, uint64_t seed) : db_(db), journal_(journal), seed_(seed) {}

  // Makes what is missing, takes up what was left open, and then writes with all threads until `stop` is set
  // or the database refuses to go on. An answer that does not fit the plan is noted as the journal's problem,
  // and ends the run.
  void run(const std::atomic<bool>& stop);

 private:
  class Writer;

  bool prepare();
  void change_schema(const std::atomic<bool>& stop);
  bool make_or_remove_late_index();
  bool make_or_remove_table(uint32_t number);
  bool fill_table(uint32_t number);
  // Whether to go on after this answer: false if the database is gone, or if it is a problem.
  template <typename T>
  bool accept(const Result<T>& result, const std::string& what);
  bool fail(const std::string& problem);

  Database& db_;
  WorkloadJournal& journal_;
  const uint64_t seed_;
  std::atomic<bool> over_ = false;
  std::mutex problem_mutex_;
};

}  // namespace sheaf::faults

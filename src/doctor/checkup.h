// Looks through all rows of a store, and says what is not as it must be (doc/key-format.md); puts right what
// follows from the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "doctor/finding.h"
#include "store/store.h"

namespace sheaf::doctor {

struct Figures {
  uint64_t tables = 0;
  uint64_t items = 0;
  uint64_t entries = 0;      // of indexes
  uint64_t log_records = 0;  // of streams
  uint64_t jobs = 0;
};

struct Checkup {
  std::vector<Finding> findings;
  Figures figures;
};

struct CheckupOptions {
  // Writes what follows from the items: entries, counts, expiries, jobs. Items themselves are never changed.
  bool repairs = false;
  std::function<void(const Figures&)> progress;  // may be empty
};

// Nobody may use the store meanwhile. Holds a slice of rows at a time, whatever the size of the tables. What
// cannot be read is a finding; an Error is that a repair could not be written.
Result<Checkup> check_store(store::Store& store, const Clock& clock, const CheckupOptions& options);

}  // namespace sheaf::doctor

// What the checks of one checkup share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "doctor/checkup.h"
#include "engine/jobs.h"
#include "engine/record.h"
#include "engine/table.h"
#include "store/store.h"

namespace sheaf::doctor {

using engine::Id;
using engine::Table;
using store::Space;

struct Row {
  std::string key;
  std::string value;
};

class Examination {
 public:
  Examination(store::Store& store, const Clock& clock, const CheckupOptions& options)
      : store_(store), clock_(clock), options_(options) {}

  store::Store& store() { return store_; }
  int64_t now_us() const { return clock_.now_us(); }
  Figures& figures() { return figures_; }

  // Calls `slice(rows)` for all rows of the range, a slice at a time. False if some could not be read, which
  // is a finding then.
  Result<bool> each_slice(const store::Range& range, const std::string& where,
                          const std::function<Result<void>(const std::vector<Row>&)>& slice);
  // The rows under `keys`; nothing, and a finding, if they cannot be read.
  std::optional<std::vector<store::Read>> read(const std::vector<std::string>& keys,
                                               const std::string& where);

  // Something is wrong, and cannot be put right.
  void note(Trouble trouble, const std::string& where, std::string example) {
    findings_.add(trouble, where, std::move(example), false);
  }
  // Something is wrong; `mend` puts it right, if that is wanted.
  Result<void> note(Trouble trouble, const std::string& where, std::string example,
                    const std::function<void(store::Batch&)>& mend);
  // Likewise, by removing all that lies there.
  Result<void> note_range(Trouble trouble, const std::string& where, std::string example,
                          const store::Range& range);

  bool has(Trouble trouble) const { return findings_.has(trouble); }

  // Writes what is mended so far.
  Result<void> flush();
  void tell() {
    if (options_.progress) options_.progress(figures_);
  }
  Checkup result() { return {.findings = findings_.all(), .figures = figures_}; }

 private:
  store::Store& store_;
  const Clock& clock_;
  const CheckupOptions& options_;
  Findings findings_;
  Figures figures_;
  store::Batch batch_;
};

// All rows whose keys begin with `prefix`.
store::Range under(std::string prefix);
store::Range rows_of(Space space, Id id);

// What a row of an item or an entry holds, with all of it checked. Nothing if it is none.
std::optional<Item> decoded(std::string_view row);

// Checks the catalog, the jobs, and that nothing is left of what is gone; returns the tables that can be
// looked into.
struct Known {
  std::vector<engine::TableRef> tables;
  std::vector<engine::Job> jobs;

  bool has_job(engine::JobKind kind, Id id) const;
};
Result<Known> check_catalog(Examination& examination);

// Checks a table's items, entries, counts, expiries and streams.
Result<void> check_table(Examination& examination, const Known& known, const Table& table);

}  // namespace sheaf::doctor

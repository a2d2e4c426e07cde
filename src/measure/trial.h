// A script on one database, in one layout, metered: what each pattern and operation really takes, beside what
// its plan says, and how much is stored.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "measure/meter.h"
#include "measure/script.h"
#include "plan/planned_model.h"

namespace sheaf::measure {

// Of all runs of one subject together. What was refused is not among them, but for what is named so.
struct Measured {
  uint64_t runs = 0;
  uint64_t refused = 0;              // by the model: what is there already, what is not there
  std::string refusal;               // the first one
  uint64_t refused_metered = 0;      // of the refused, those that took units: a failed condition does
  Usage refused_usage;               // what those took
  uint64_t unserved = 0;             // calls that the layout has no plan for
  Usage usage;                       // of operations with the jobs that they leave
  uint64_t rounds = 0;               // without those jobs
  uint64_t items_returned = 0;       // entities in documents, nested ones among them
  uint64_t copies = 0;               // items that jobs brought in step
  plan::Cost planned;                // the sum over the runs
  plan::Cost own;                    // likewise of what they took themselves, without jobs
  plan::Cost dearest;                // the most of each that one run took itself
  bool is_planned = false;           // basic operations are not
  std::vector<double> latencies_us;  // one a run, in order of time

  double mean(double sum) const { return runs == 0 ? 0 : sum / static_cast<double>(runs); }
  double units() const { return usage.units(); }
  // The latency that this share of the runs stays below; 0 if there are none.
  double latency_us(double share) const;
};

struct StoredView {
  std::string name;
  int64_t items = 0;
  int64_t bytes = 0;
};

struct StoredTable {
  StoredView table;
  std::vector<StoredView> indexes;
  bool is_system = false;  // what the model keeps for itself: guards, jobs
};

// Exact, as the database tells it.
struct Stored {
  std::vector<StoredTable> tables;

  int64_t items() const;
  int64_t table_bytes() const;
  int64_t index_bytes() const;
  int64_t bytes() const { return table_bytes() + index_bytes(); }
};

struct Trial {
  std::vector<Measured> measured;  // one a subject of the script
  Stored before, after;
  std::vector<std::string> answers;  // one a call, if they are kept
};

// The answer of a call that the layout has no plan for, and what that of one that was refused begins with: a
// code follows, because in other layouts the words may differ.
inline constexpr std::string_view kUnserved = "unserved";
inline constexpr std::string_view kRefused = "refused";

struct TrialOptions {
  // What each call gave, in a form that is the same in every layout: see measure/canonical_answer.h.
  bool keeps_answers = false;
  std::set<std::string> skipped;  // subjects that are not run: their calls are unserved
  std::function<void(uint64_t done, uint64_t all)> progress;
};

// The tables of a layout, and the model's own, as they are now.
Result<Stored> stored(Database& database, const model::Model& model, const model::Layout& layout);

// `layout` of `planned` is applied and loaded on the database. Of a pattern one page is measured. An error is
// one of the database, or an answer that a pattern cannot give; what an operation is refused for is counted.
Result<Trial> run_trial(Database& database, const plan::PlannedModel& planned, size_t layout,
                        const Script& script, const TrialOptions& options = {});

}  // namespace sheaf::measure

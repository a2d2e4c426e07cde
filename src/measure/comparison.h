// The same data and the same script under several layouts, each in a database of its own: what each takes,
// and whether all of them answer alike.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "measure/candidates.h"
#include "measure/data_set.h"
#include "measure/mix.h"
#include "measure/trial.h"

namespace sheaf::measure {

struct Contestant {
  Candidate candidate;
  Trial trial;
  Summary summary;
  std::vector<std::string> unserved;    // what it cannot do; then it comes last
  std::vector<std::string> shortfalls;  // the same with reasons, and budgets that its plans exceed

  bool is_complete() const { return unserved.empty(); }
};

// An answer that is not what another layout gave.
struct Difference {
  std::string contestant;
  std::string subject;  // `audit`: what run::audit found after the run
  std::vector<Value> arguments;
  std::string other;  // which gave `expected`
  std::string expected;
  std::string found;
};

struct Comparison {
  Script script;
  std::vector<double> weights;
  std::vector<Contestant> contestants;  // the best first, as the criterion says
  std::vector<Rejected> rejected;
  uint64_t answers_compared = 0;
  // The first ones of each contestant.
  std::vector<Difference> differences;

  // The least of a figure among those that can do everything, or among all if none can.
  double best(Criterion criterion) const;
};

struct ComparisonOptions {
  ScriptOptions script;
  std::map<std::string, double> rates;  // a second, by name
  Criterion by = Criterion::kRequests;
  // An empty database; it is closed before the next one is asked for.
  std::function<Result<std::unique_ptr<Database>>()> open;
  std::function<void(const std::string& candidate, const char* step, uint64_t done, uint64_t all)> progress;
  // Between loading and running.
  std::function<void(Database& database, const Candidate& candidate)> after_loading;
};

inline constexpr size_t kDifferencesMax = 5;  // that are told of one contestant

// What the data can be too large or too much for, in one layout.
bool is_misfit(const Error& error);

// All are asked for the same before the first write; those that can do all operations also after each, and at
// the end. A candidate whose data does not fit its limits is rejected. An error: there is nothing to measure,
// or a database does not work.
Result<Comparison> compare(Candidates candidates, const DataSet& data, const ComparisonOptions& options);

}  // namespace sheaf::measure

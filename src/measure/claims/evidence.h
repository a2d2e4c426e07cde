// What the experiments have shown, for claims to be judged by.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "measure/claims/experiments.h"
#include "measure/comparison.h"

namespace sheaf::measure {

// One pattern or operation in one layout: means of one run.
struct Cell {
  bool is_served = false;
  double requests = 0, rounds = 0;
  double read_units = 0, write_units = 0;
  double index_read_units = 0, index_write_units = 0;  // of those, in indexes
  double items_read = 0, items_returned = 0, items_written = 0, bytes_read = 0;
  double copies = 0;
  double latency_us = 0;
};

class Evidence {
 public:
  Cell cell(std::string_view experiment, std::string_view layout, std::string_view subject) const;
  // Of a layout that was measured.
  const Stored& stored(std::string_view experiment, std::string_view layout) const;
  size_t indexes(std::string_view experiment, std::string_view layout) const;
  // Why it was not measured; empty if it was.
  std::string rejection(std::string_view experiment, std::string_view layout) const;
  const Comparison& comparison(std::string_view experiment) const;
  const generate::Generator& generator(std::string_view experiment) const;
  // The largest partition of the table that the layout has.
  int64_t largest_partition(std::string_view experiment, std::string_view layout) const;

  // Whether an item collection may not outgrow the limit of its database, in a table with a local index or in
  // one without.
  bool is_collection_limited(bool has_local_index) const {
    return has_local_index ? is_limited_with_index_ : is_limited_;
  }

 private:
  friend class EvidenceMaker;

  struct Shown {
    std::unique_ptr<plan::PlannedModel> planned;
    std::unique_ptr<generate::Generator> generator;
    Comparison comparison;
    std::map<std::string, int64_t, std::less<>> largest_partitions;  // by layout
  };
  const Shown& shown(std::string_view experiment) const;
  const Contestant* contestant(std::string_view experiment, std::string_view layout) const;

  std::map<std::string, Shown, std::less<>> shown_;
  bool is_limited_ = false, is_limited_with_index_ = false;
};

// Runs these experiments, in memory; what others would show is unserved, and empty. An error if one cannot be
// run, or if its layouts answer differently.
Result<Evidence> gather_evidence(const std::vector<const Experiment*>& chosen,
                                 const std::function<void(uint64_t done, uint64_t all)>& progress);

}  // namespace sheaf::measure

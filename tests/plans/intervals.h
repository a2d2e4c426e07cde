// One key interval of a partition, tried out: the keys get values, in every order that these can have, and
// what lies between them is looked at. The planner reasons about templates instead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layout.h"

namespace sheaf::plans {

// The sort keys of one kind: all that begin with the values of the first holes.
struct KeyRange {
  const model::ItemKind* kind = nullptr;
  const model::KeyTemplate* pk = nullptr;
  const model::KeyTemplate* sk = nullptr;  // null: there is no sort key
  std::vector<std::string> bound;          // what the first holes of `sk` hold: the same name, the same value
  bool is_whole = false;
};

// A kind of items that may lie in the same partition.
struct Neighbour {
  const model::ItemKind* kind = nullptr;
  const model::KeyTemplate* pk = nullptr;
  const model::KeyTemplate* sk = nullptr;
};

class Interval {
 public:
  // From the first to the last of the ranges. `partition`: what the holes of the partition keys hold.
  Interval(std::vector<KeyRange> ranges, std::vector<std::string> partition);

  // Items of one kind.
  struct Strangers {
    const model::ItemKind* kind = nullptr;
    double count = 0;
  };
  // The items there that belong to none of the ranges: of each kind 100, or one if its keys allow no more.
  std::vector<Strangers> strangers(const std::vector<Neighbour>& neighbours) const;
  // Whether all the others sort before (or behind) one of the ranges, whatever the values.
  bool comes_last(size_t range, bool is_backward) const;

 private:
  using Values = std::vector<std::pair<std::string, std::string>>;
  struct Bounds {
    std::string low;
    std::string high;
    bool contains(const std::string& key) const { return low <= key && key <= high; }
  };
  Bounds bounds(const KeyRange& range, const Values& values) const;
  std::vector<std::vector<std::string>> samples(const Neighbour& neighbour, const Values& values) const;
  static bool has_key(const std::string& start, const std::vector<std::vector<std::string>>& pieces,
                      size_t next, const Bounds& all, const std::vector<Bounds>& own);

  std::vector<KeyRange> ranges_;
  std::vector<std::string> partition_;
  std::vector<Values> orders_;  // of all names
};

}  // namespace sheaf::plans

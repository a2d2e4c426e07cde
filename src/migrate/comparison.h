// What two layouts that are both written say otherwise of each other, which only somebody who writes beside
// the model can have done; and what lies in the tables of one of them that the model does not explain.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "migrate/open_version.h"

namespace sheaf::migrate {

// The first of many, and how many there are. What is said twice is one; of very many, perhaps not.
class Findings {
 public:
  static constexpr size_t kNamedMax = 20;

  void add(const std::string& what);

  bool empty() const { return count_ == 0; }
  uint64_t count() const { return count_; }
  const std::vector<std::string>& named() const { return named_; }

 private:
  static constexpr size_t kKnownMax = 10'000;

  uint64_t count_ = 0;
  std::vector<std::string> named_;
  std::set<std::string> known_;
};

struct Comparison {
  uint64_t seen = 0;     // entities and links, of both
  Findings differences;  // Employee e-1 has other fields in the old layout: name
  Findings unexplained;  // items of the follower, by table and key

  bool is_clean() const { return differences.empty() && unexplained.empty(); }
};

// The follower is compared with the leader.
struct ComparedSides {
  const OpenVersion& leader;
  const OpenVersion& follower;
  const Translation& there;  // from the leader's model to the follower's
  const Translation& back;
  std::string_view follower_name;  // as differences call it
  bool only_surplus = false;  // what the follower has too much, and no more: the leader is not read through
};

// Reads all of both, while others write through the model: what they are busy with is looked at again. Writes
// nothing. `on_progress`: how many were seen, now and then.
Result<Comparison> compare(const ComparedSides& sides, const std::function<void(uint64_t)>& on_progress);

}  // namespace sheaf::migrate

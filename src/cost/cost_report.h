// What layouts of a model cost a month, for people and for programs. What was metered is called measured,
// what follows from a sample estimated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/bill.h"
#include "cost/prices.h"

namespace sheaf::cost {

// All items of one partition key.
struct Collection {
  std::string key;
  uint64_t items = 0;
  uint64_t bytes = 0;
};

// Bytes and items that were loaded, and what they are all in all.
struct StorageFigures {
  StoredBytes loaded;
  StoredBytes all;
  Collection largest;  // of those that were loaded
};

struct LayoutCost {
  std::string layout;
  Bill on_demand;
  Bill provisioned;
  std::vector<Work> works;
  std::vector<StorageFigures> stored;
  std::vector<std::string> unserved;  // patterns and operations that it cannot do, or was refused
};

struct CostReport {
  std::string model;
  Prices prices;
  Mode mode = Mode::kOnDemand;  // of which the lines are shown
  std::string data;             // what it was measured on
  bool is_sample = false;       // then storage is estimated
  std::vector<LayoutCost> layouts;
  // Strategies that there is no price for, with the reason.
  struct Unpriced {
    std::string name;
    std::string reason;
  };
  std::vector<Unpriced> unpriced;
};

// The cheapest first, as the mode says; those that cannot do everything come last.
void sort_by_price(CostReport& report);

// One layout in detail: patterns and operations, tables and indexes, storage, sums.
std::string to_text(const CostReport& report);
// Several side by side: patterns and operations, reads, writes, storage, sums.
std::string to_comparison(const CostReport& report);
// Many, a line each, in their order: reads, writes, storage, sums; and what has no price.
std::string to_ranking(const CostReport& report);
// All of it. Amounts are texts, so that they stay exact.
std::string to_json(const CostReport& report);

}  // namespace sheaf::cost

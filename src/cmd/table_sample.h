// Items from all over a table, as many as asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sheaf/database.h"
#include "sheaf/result.h"

namespace sheaf::cmd {

struct SampleOptions {
  uint64_t items_max = 10'000;  // 0: all
  // May be empty. Called now and then with the number of items that were read so far.
  std::function<void(uint64_t items)> on_progress;
};

struct Sampled {
  uint64_t items = 0;
  bool is_whole = false;  // there are no others
  // Partition keys in whose items reading stopped: all others that were met were read to their end.
  std::vector<Item> cut;
};

// A table with more items is read in segments, each from its beginning: a Scan goes through a collection from
// end to end before it comes to the next.
Result<Sampled> sample_items(Database& database, const TableDescription& table, const SampleOptions& options,
                             const std::function<void(ItemView)>& on_item);

}  // namespace sheaf::cmd

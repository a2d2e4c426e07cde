// Reading one page of a Query or Scan.
#pragma once

#include <cstdint>
#include <optional>

#include "base/function.h"
#include "engine/capacity.h"
#include "engine/engine.h"
#include "engine/query_plan.h"
#include "engine/read_items.h"
#include "expr/condition.h"

namespace sheaf::engine {

inline constexpr uint32_t kPageBytesMax = 1 << 20;

struct PageRequest {
  KeyRange keys;
  const expr::Condition* filter = nullptr;  // borrowed for the call
  uint32_t limit = 0;                       // items to read at most, before the filter; 0: no such limit
  // Of a local index that does not hold all that is asked for: whole items are read from the table.
  bool fetch_items = false;
  // The filter is asked about what the index holds, also if the whole item is fetched.
  bool filter_entries = false;
  ReadMode mode = ReadMode::kEventual;
};

struct PageEnd {
  uint32_t count = 0;            // items that passed the filter
  uint32_t scanned = 0;          // items that were read
  std::optional<Item> last_key;  // where the next page begins
  Consumed consumed;
};

// Calls `row` for the items of the page, in order; each view lives for the call. The page ends with the
// range, with `limit`, or when what was read reaches a megabyte.
Result<PageEnd> read_page(Engine& engine, const PageRequest& request, const ReadOptions& options,
                          FunctionRef<void(ItemView)> row);

}  // namespace sheaf::engine

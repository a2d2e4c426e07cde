// Queries and scans, page after page.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sheaf/database.h"
#include "sheaf/request.h"
#include "sheaf/result.h"

namespace sheaf::console {

struct PagesRead {
  uint64_t items = 0;    // that were wanted
  uint64_t scanned = 0;  // before the filter
  uint64_t requests = 0;
  Capacity capacity;
  // There may be more: reading goes on behind this key. If the reading ended inside a page, it is that of the
  // last item, and only known if that has all attributes of the keys.
  bool is_cut = false;
  std::optional<Item> next_key;
  bool is_ended = false;  // it was cut because somebody had seen enough
};

struct PagesUntil {
  std::optional<uint64_t> items_max;
  // Asked behind every page, by any thread. Empty: never.
  std::function<bool()> is_ended;
};

// Calls `on_item` with each, at most `items_max` times; a request that counts counts up to that. A filter
// lets pages be short: they are followed until there are enough.
using OnItem = std::function<void(ItemView)>;
Result<PagesRead> read_pages(Database& database, Query request, const PagesUntil& until,
                             const OnItem& on_item);
Result<PagesRead> read_pages(Database& database, Scan request, const PagesUntil& until,
                             const OnItem& on_item);

// The same of so many segments at once, each on a thread of its own, in no order. `on_item` is called by one
// at a time. There is no next key.
Result<PagesRead> read_segments(Database& database, const Scan& request, uint32_t segments,
                                const PagesUntil& until, const OnItem& on_item);

// What `item` would be as a start key: its attributes of the table's key and of the index's. Nothing if it
// lacks one.
std::optional<Item> start_key_of(const TableDescription& table, const std::optional<std::string>& index,
                                 ItemView item);

}  // namespace sheaf::console

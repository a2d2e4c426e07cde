#include "cmd/table_sample.h"

#include <algorithm>
#include <optional>

#include "base/try.h"
#include "watch/item_look.h"

namespace sheaf::cmd {
namespace {

constexpr uint32_t kSegments = 32;
constexpr uint64_t kPageItems = 1000;

// One segment of a table, page by page.
struct Segment {
  Scan scan;
  std::optional<Item> last;  // the partition key of the item that was read last
  bool is_done = false;
};

}  // namespace

Result<Sampled> sample_items(Database& database, const TableDescription& table, const SampleOptions& options,
                             const std::function<void(ItemView)>& on_item) {
  const uint64_t wanted = options.items_max;
  // The count may be hours old: a little more is still read whole.
  const bool is_whole =
      wanted == 0 || static_cast<uint64_t>(std::max<int64_t>(table.item_count, 0)) <= wanted;
  std::vector<Segment> segments(is_whole ? 1 : kSegments);
  for (uint32_t i = 0; i < segments.size(); ++i) {
    segments[i].scan.table = table.name;
    if (is_whole) continue;
    segments[i].scan.segment = i;
    segments[i].scan.segment_count = kSegments;
  }
  Sampled sampled;
  const auto is_full = [&] { return wanted > 0 && sampled.items >= wanted; };
  const auto open = [&] {
    return static_cast<uint64_t>(
        std::count_if(segments.begin(), segments.end(), [](const Segment& each) { return !each.is_done; }));
  };
  while (!is_full() && open() > 0) {
    const uint64_t share = wanted == 0 ? 0 : (wanted - sampled.items + open() - 1) / open();
    for (Segment& segment : segments) {
      if (segment.is_done || is_full()) continue;
      if (share > 0) segment.scan.limit = static_cast<uint32_t>(std::min(share, kPageItems));
      const Page page = TRY(database.scan(segment.scan));
      size_t taken = 0;
      for (; taken < page.items.size() && !is_full(); ++taken) {
        on_item(page.items[taken]);
        ++sampled.items;
      }
      if (taken > 0) segment.last = watch::partition_of_item(table.key, page.items[taken - 1]);
      segment.scan.start_key = page.last_key;
      segment.is_done = !page.last_key;
      if (options.on_progress) options.on_progress(sampled.items);
    }
  }
  sampled.is_whole = open() == 0;
  for (Segment& each : segments) {
    if (!each.is_done && each.last) sampled.cut.push_back(std::move(*each.last));
  }
  return sampled;
}

}  // namespace sheaf::cmd

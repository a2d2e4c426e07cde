#include "engine/collection_watch.h"

#include <utility>

#include "base/quick_random.h"
#include "base/try.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

// Four fifths of the limit.
constexpr int64_t kLimitParts = 5, kLimitPartsWarning = 4;

// Random, not every sixteenth: writers that take turns over sixteen collections must not hide fifteen of
// them.
bool looks_now() { return quick_random() % kWatchInterval == 0; }

Item partition_key_of(const ItemWrite& write) {
  Item key;
  for (const KeyAttribute& attribute : write.table->settings.key.partition) {
    key.set(attribute.name, *write.item.find(attribute.name));
  }
  return key;
}

// Those that a collection of this size is over. A limit there is only where the table has a local index.
CollectionWarnings::Lines lines_under(const EngineOptions& options, const Table& table,
                                      const CollectionSize& size) {
  CollectionWarnings::Lines lines;
  lines[static_cast<size_t>(CollectionLine::kItems)] = size.item_count >= options.collection_items_warning;
  lines[static_cast<size_t>(CollectionLine::kBytes)] = size.size_bytes >= options.collection_bytes_warning;
  lines[static_cast<size_t>(CollectionLine::kLimit)] =
      table.settings.has_local_index() &&
      size.size_bytes >= options.collection_bytes_max / kLimitParts * kLimitPartsWarning;
  return lines;
}

}  // namespace

CollectionWarnings::Lines CollectionWarnings::rises(const ItemPlace& place, Lines over) {
  // Not the place's own hash, which is the same for equal keys of different tables.
  const uint64_t collection = partition_hash(place.collection());
  std::lock_guard lock(mutex_);
  if (over.none()) {
    over_.erase(collection);
    return {};
  }
  if (over_.size() >= kRememberedMax) over_.clear();
  const Lines before = std::exchange(over_[collection], over);
  return over & ~before;
}

Result<CollectionSize> collection_size(store::View& view, const Table& table, const ItemPlace& place) {
  const store::Read read = TRY(view.read(collection_counter_key(table.settings.id, place)));
  if (!read.value) return CollectionSize{};
  const std::vector<int64_t> sums = store::decode_sums(*read.value);
  return CollectionSize{.item_count = sums[0], .size_bytes = sums[1]};
}

Result<int64_t> check_collection(store::View& view, const EngineOptions& options, const Table& table,
                                 const ItemPlace& place, int64_t growth_bytes) {
  const CollectionSize size = TRY(collection_size(view, table, place));
  const int64_t bytes = size.size_bytes + growth_bytes;
  if (growth_bytes > 0 && bytes > options.collection_bytes_max) {
    return Error{Code::kTooLarge, "Collection size exceeded."};
  }
  return bytes;
}

void watch_collections(Engine& engine, const WriteRequest& request, const WriteAnswer& answer) {
  const EngineOptions& options = engine.options;
  if (!options.on_collection_warning) return;
  for (size_t i = 0; i < request.writes.size(); ++i) {
    const ItemWrite& write = request.writes[i];
    if (write.table->settings.key.sort.empty() || write.kind == ItemWrite::Kind::kCheck || !looks_now())
      continue;
    const Result<CollectionSize> size =
        collection_size(*engine.store.view({.cached_only = true}), *write.table, write.place);
    if (!size.ok()) continue;
    const CollectionWarnings::Lines over = lines_under(options, *write.table, *size);
    // What takes away does not report, nor does it take the report from the write that will.
    if (over.any() && !answer.items[i].after) continue;
    const CollectionWarnings::Lines risen = engine.collection_warnings.rises(write.place, over);
    for (size_t line = 0; line < risen.size(); ++line) {
      if (!risen[line]) continue;
      options.on_collection_warning({.line = static_cast<CollectionLine>(line),
                                     .table = write.table->settings.name,
                                     .partition_key = partition_key_of(write),
                                     .size = *size});
    }
  }
}

}  // namespace sheaf::engine

#include "engine/collection_watch.h"

#include "base/quick_random.h"
#include "base/try.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

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

}  // namespace

bool CollectionWarnings::rises(const ItemPlace& place, bool over) {
  // Not the place's own hash, which is the same for equal keys of different tables.
  const uint64_t collection = partition_hash(place.collection());
  std::lock_guard lock(mutex_);
  if (!over) {
    over_.erase(collection);
    return false;
  }
  if (over_.size() >= kRememberedMax) over_.clear();
  return over_.insert(collection).second;
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
    const bool over = size->item_count >= options.collection_items_warning ||
                      size->size_bytes >= options.collection_bytes_warning;
    // What takes away does not report, nor does it take the report from the write that will.
    if (over && !answer.items[i].after) continue;
    if (!engine.collection_warnings.rises(write.place, over)) continue;
    options.on_collection_warning(
        {.table = write.table->settings.name, .partition_key = partition_key_of(write), .size = *size});
  }
}

}  // namespace sheaf::engine

#include "cmd/counted_collections.h"

#include "api/local_database.h"
#include "base/try.h"
#include "cmd/key_text.h"
#include "engine/store_keys.h"
#include "store/batch.h"

namespace sheaf::cmd {

Result<std::optional<CountedCollections>> counted_collections(Database& database, const std::string& table,
                                                              int64_t collections_max) {
  auto* const local = dynamic_cast<api::LocalDatabase*>(&database);
  if (local == nullptr) return std::optional<CountedCollections>();
  const engine::TableRef found = TRY(local->engine().catalog.find(table));
  const engine::Id id = found->settings.id;
  if (found->settings.key.sort.empty()) return std::optional<CountedCollections>();
  const KeySchema partition{.partition = found->settings.key.partition};
  const size_t hash_at = engine::space_key(store::Space::kCounters, id).size() + 1;

  CountedCollections counted;
  lint::LargestPartitions largest;
  std::optional<Error> error;
  store::Range range = engine::collection_counters(id);
  const std::unique_ptr<store::View> view = local->engine().store.view({});
  const auto add = [&](std::string_view key, std::string_view value) {
    const std::vector<int64_t> sums = store::decode_sums(value);
    // Of a collection whose items were deleted its counter stays.
    if (sums[0] <= 0) return true;
    ++counted.totals.partitions;
    counted.totals.items += sums[0];
    counted.totals.bytes += sums[1];
    if (!largest.has_room_for(sums[0], sums[1])) return true;
    const Result<Item> item = engine::key_item(partition, key.substr(hash_at));
    if (!item.ok()) {
      error = item.error();
      return false;
    }
    largest.add({.key = key_text(partition.partition, *item), .items = sums[0], .bytes = sums[1]});
    return true;
  };
  while (true) {
    const store::ScanEnd end = TRY(view->scan(range, {}, add));
    if (error) return *error;
    if (counted.totals.partitions > collections_max) return std::optional<CountedCollections>();
    if (!end.more) break;
    range.begin = end.resume;
  }
  counted.largest = largest.all();
  return std::optional(std::move(counted));
}

}  // namespace sheaf::cmd

#include "engine/read_items.h"

#include "base/try.h"
#include "engine/lagged_view.h"

namespace sheaf::engine {

Result<ItemRead> ItemRead::of_key(TableRef table, ItemView key) {
  ItemPlace place = TRY(place_of_key(*table, key));
  return ItemRead{.table = std::move(table), .place = std::move(place)};
}

Result<std::optional<StoredItem>> read_item(Engine& engine, const ItemRead& read, ReadMode mode,
                                            const ReadOptions& options) {
  const std::unique_ptr<store::View> view =
      open_view(engine, {.table = *read.table, .mode = mode}, {.cached_only = options.cached_only});
  store::Read found = TRY(view->read(read.place.key));
  if (!found.value) return std::optional<StoredItem>();
  return std::optional(StoredItem(std::move(*found.value)));
}

Result<std::vector<std::optional<StoredItem>>> read_items(Engine& engine, const std::vector<ItemRead>& reads,
                                                          ReadMode mode, const ReadOptions& options) {
  if (reads.empty()) return std::vector<std::optional<StoredItem>>();
  std::vector<std::string> keys;
  keys.reserve(reads.size());
  for (const ItemRead& read : reads) keys.push_back(read.place.key);
  const std::unique_ptr<store::View> view =
      open_view(engine, {.table = *reads.front().table, .mode = mode},
                {.snapshot = mode == ReadMode::kTransactional, .cached_only = options.cached_only});
  std::vector<store::Read> found = TRY(view->read_many(keys));
  std::vector<std::optional<StoredItem>> items(found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].value) items[i].emplace(std::move(*found[i].value));
  }
  return items;
}

}  // namespace sheaf::engine

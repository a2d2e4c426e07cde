#include "engine/index_change.h"

#include <algorithm>

#include "base/try.h"
#include "engine/capacity.h"

namespace sheaf::engine {
namespace {

// The part of an item that an index holds. Both are sorted by name, so one walk over both is enough.
Item project(const Index& index, ItemView item) {
  ValueWriter out;
  out.begin_item();
  auto wanted = index.projected.begin();
  for (const Attribute& attribute : item) {
    while (wanted != index.projected.end() && *wanted < attribute.name) ++wanted;
    if (wanted == index.projected.end()) break;
    if (*wanted != attribute.name) continue;
    out.key(attribute.name);
    out.copy(attribute.value);
  }
  out.end_item();
  Result<std::string> encoded = out.finish();
  return Item::from_encoded(std::move(*encoded));
}

}  // namespace

Result<std::optional<IndexEntry>> index_entry(const Index& index, const ItemPlace& place, const Record& item,
                                              ItemOrigin origin) {
  std::optional<std::string> key = TRY(index_entry_key(index, item.item, place, origin));
  if (!key) return std::optional<IndexEntry>();
  if (index.projects_all) {
    return std::optional(IndexEntry{.key = std::move(*key),
                                    .record = make_record(item.item.encoded(), item.size_bytes),
                                    .size_bytes = item.size_bytes});
  }
  const Item projected = project(index, item.item);
  const uint32_t size_bytes = projected.view().size_bytes();
  return std::optional(IndexEntry{.key = std::move(*key),
                                  .record = make_record(projected.encoded(), size_bytes),
                                  .size_bytes = size_bytes});
}

std::optional<IndexEntry> stored_index_entry(const Index& index, const ItemPlace& place, const Record& item) {
  Result<std::optional<IndexEntry>> entry = index_entry(index, place, item, ItemOrigin::kPut);
  return entry.ok() ? std::move(*entry) : std::nullopt;
}

bool same_index_key(const Index& index, ItemView a, ItemView b) {
  for (const auto* attributes : {&index.settings->key.partition, &index.settings->key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (a.find(attribute.name) != b.find(attribute.name)) return false;
    }
  }
  return true;
}

IndexChange index_change(std::optional<IndexEntry> before, std::optional<IndexEntry> after) {
  IndexChange change;
  if (before && after && before->key == after->key) {
    if (before->record == after->record) return change;
    change.units = write_units(std::max(before->size_bytes, after->size_bytes));
    change.replaced_bytes = before->size_bytes;
    change.in_place = true;
    change.put = std::move(after);
    return change;
  }
  if (before) change.units += write_units(before->size_bytes);
  if (after) change.units += write_units(after->size_bytes);
  change.erase = std::move(before);
  change.put = std::move(after);
  return change;
}

}  // namespace sheaf::engine

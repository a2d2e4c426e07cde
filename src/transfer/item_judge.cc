#include "transfer/item_judge.h"

#include "base/errors.h"
#include "base/try.h"
#include "engine/store_keys.h"

namespace sheaf::transfer {
namespace {

engine::TableSettings settings_of(const TableDescription& table) {
  engine::TableSettings settings{.id = table.id, .name = table.name, .key = table.key};
  for (const IndexDescription& index : table.indexes) {
    if (index.status == IndexStatus::kDeleting) continue;
    settings.indexes.push_back({.name = index.name, .local = index.local, .key = index.key});
  }
  return settings;
}

}  // namespace

ItemJudge::ItemJudge(const TableDescription& table) : table_(settings_of(table), {}) {}

Result<std::string> ItemJudge::key_of(ItemView item) const {
  if (item.size_bytes() > kItemBytesMax) return invalid("Item size has exceeded the maximum allowed size");
  TRY(engine::check_keys_not_empty(table_, item));
  const engine::ItemPlace place = TRY(engine::place_of_item(table_, item));
  TRY(engine::check_index_keys(table_, item, place));
  for (const Attribute attribute : item) {
    if (attribute.value.depth() > kNestingMax)
      return invalid("Nesting Levels have exceeded supported limits: Nesting levels may not exceed " +
                     std::to_string(kNestingMax));
  }
  return place.key;
}

}  // namespace sheaf::transfer

#include "watch/collection_count.h"

#include "base/try.h"

namespace sheaf::watch {
namespace {

// What half a unit reads, which is what 4 KB take where reads may be a little old.
constexpr double kBytesPerUnit = 2 * 4096;

}  // namespace

CollectionCount::CollectionCount(std::string table, const Item& partition_key) {
  query_.table = std::move(table);
  query_.select = Select::kCount;
  query_.key_condition = "#p = :p";
  for (const Attribute attribute : partition_key.view()) {
    query_.names = {{"#p", std::string(attribute.name)}};
    query_.values.set(":p", attribute.value);
  }
}

Result<bool> CollectionCount::next_page(Database& database) {
  const Page page = TRY(database.query(query_));
  size_.item_count += page.scanned_count;
  const double units = page.capacity.total();
  if (units > 0) knows_bytes_ = true;
  size_.size_bytes += static_cast<int64_t>(units * kBytesPerUnit);
  query_.start_key = page.last_key;
  return !page.last_key.has_value();
}

}  // namespace sheaf::watch

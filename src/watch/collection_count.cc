#include "watch/collection_count.h"

#include "base/try.h"

namespace sheaf::watch {
namespace {

// What half a unit reads, where reads may be a little old: what a page has is rounded up to it.
constexpr int64_t kBytesPerHalfUnit = 4096;
constexpr double kBytesPerUnit = 2 * kBytesPerHalfUnit;

}  // namespace

CollectionCount::CollectionCount(std::string table, const std::string& index, const Item& partition_key) {
  query_.table = std::move(table);
  if (!index.empty()) query_.index = index;
  query_.select = Select::kCount;
  for (const Attribute attribute : partition_key.view()) {
    const std::string number = std::to_string(query_.names.size());
    query_.key_condition += (query_.names.empty() ? "#p" : " AND #p") + number + " = :p" + number;
    query_.names.emplace_back("#p" + number, attribute.name);
    query_.values.set(":p" + number, attribute.value);
  }
}

Result<bool> CollectionCount::next_page(Database& database) {
  const Page page = TRY(database.query(query_));
  size_.item_count += page.scanned_count;
  const double units = page.capacity.total();
  if (units > 0) knows_bytes_ = true;
  last_units_ = units;
  ++pages_;
  size_.size_bytes += static_cast<int64_t>(units * kBytesPerUnit);
  bytes_within_ += kBytesPerHalfUnit;
  query_.start_key = page.last_key;
  return !page.last_key.has_value();
}

}  // namespace sheaf::watch

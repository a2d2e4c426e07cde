#include "engine/meter.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/try.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

using traffic::KeyTouch;
using traffic::Kind;
using traffic::MilliUnits;

constexpr MilliUnits kMilliPerHalf = 500;

const Index* find_index(const Table& table, Id id) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(),
                                  [&](const Index& index) { return index.settings->id == id; });
  return found == table.indexes.end() ? nullptr : &*found;
}

// The item, and its entry in each index.
template <typename Each>
void for_each_part(const WriteCost& write, const Each& each) {
  each(nullptr, write.place.key, write.half_units);
  for (const EntryWrite& entry : write.entries) {
    if (const Index* const index = find_index(write.table, entry.index))
      each(index, entry.key, entry.half_units);
  }
}

bool has_sort_key(const Table& table, const Index* index) { return !schema_of(table, index).sort.empty(); }

KeyTouch partition_touch(std::string_view key, MilliUnits units) {
  return {.hash = hash_of(key), .key = without_space(key), .units = units};
}

KeyTouch item_touch(const Index* index, std::string_view key, MilliUnits units) {
  const std::string_view own = own_key(index, key);
  return {.hash = partition_hash(own), .key = own, .units = units};
}

}  // namespace

Result<void> Meter::admit(const Table& table, const Index* index, Access access, std::string_view key,
                          bool is_transaction) {
  if (throttle_ == nullptr || traffic::OwnReads::are_on()) return {};
  Result<void> admitted = throttle_->admit(table, index, access, key, is_transaction);
  if (admitted.ok() || heat_ == nullptr) return admitted;
  // A scan from the beginning has no key.
  KeyTouch partition{};
  const size_t partition_count = key.size() > kItemComponentsAt ? 1 : 0;
  if (partition_count > 0) partition = partition_touch(key, 2 * kMilliPerHalf);
  heat_->add(
      id_of(table, index), access == Access::kRead ? Kind::kThrottledRead : Kind::kThrottledWrite,
      {.partitions = {&partition, partition_count}, .items = [] { return std::span<const KeyTouch>(); }});
  return admitted;
}

void Meter::count(const Table& table, const Index* index, Access access, std::string_view key,
                  HalfUnits half_units) {
  if (heat_ == nullptr) return;
  const MilliUnits units = half_units * kMilliPerHalf;
  const KeyTouch partition = partition_touch(key, units);
  KeyTouch item;
  const auto items = [&]() -> std::span<const KeyTouch> {
    if (!has_sort_key(table, index)) return {};
    item = item_touch(index, key, units);
    return {&item, 1};
  };
  heat_->add(id_of(table, index), access == Access::kRead ? Kind::kRead : Kind::kWrite,
             {.partitions = {&partition, 1}, .items = items});
}

Result<void> Meter::admit_page(const KeyRange& keys) {
  const bool is_forward = keys.direction == store::Direction::kForward;
  return admit(*keys.table, keys.index, Access::kRead, is_forward ? keys.range.begin : keys.range.end, false);
}

void Meter::charge_page(const KeyRange& keys, const Consumed& consumed, const RowSample& rows) {
  if (traffic::OwnReads::are_on()) return;
  const HalfUnits total = consumed.total();
  if (throttle_ != nullptr) throttle_page(keys, total, rows);
  if (heat_ == nullptr) return;
  heat_page(keys, total, rows);
}

// Each row pays by its bytes to the partition that it lies in.
void Meter::throttle_page(const KeyRange& keys, HalfUnits half_units, const RowSample& rows) {
  if (!throttle_->has_partitions() || rows.size() == 0)
    return throttle_->charge(*keys.table, keys.index, Access::kRead, keys.range.begin, half_units);
  HalfUnits left = half_units;
  for (size_t i = 0; i + 1 < rows.size(); ++i) {
    const HalfUnits part = rows.part(i, half_units);
    if (part > 0) throttle_->charge(*keys.table, keys.index, Access::kRead, rows.key(i), part);
    left -= part;
  }
  throttle_->charge(*keys.table, keys.index, Access::kRead, rows.key(rows.size() - 1), left);
}

void Meter::heat_page(const KeyRange& keys, HalfUnits half_units, const RowSample& rows) {
  const Table& table = *keys.table;
  const MilliUnits units = half_units * kMilliPerHalf;
  std::array<KeyTouch, RowSample::kRowsMax> partitions, touched;
  size_t partition_count = 0;
  if (keys.is_query) {
    // It is of one partition, also if nothing was found there.
    partitions[partition_count++] = partition_touch(keys.range.begin, units);
  } else {
    for (; partition_count < rows.size(); ++partition_count) {
      partitions[partition_count] =
          partition_touch(rows.key(partition_count), rows.part(partition_count, units));
      partitions[partition_count].touches = rows.stride();
    }
  }
  const auto items = [&]() -> std::span<const KeyTouch> {
    if (!has_sort_key(table, keys.index)) return {};
    for (size_t i = 0; i < rows.size(); ++i) {
      touched[i] = item_touch(keys.index, rows.key(i), rows.part(i, units));
      touched[i].touches = rows.stride();
    }
    return {touched.data(), rows.size()};
  };
  heat_->add(id_of(table, keys.index), Kind::kRead,
             {.partitions = {partitions.data(), partition_count}, .items = items});
}

Result<void> Meter::admit_write(const WriteCost& write, bool is_transaction) {
  TRY(admit(write.table, nullptr, Access::kWrite, write.place.key, is_transaction));
  for (const EntryWrite& entry : write.entries) {
    const Index* const index = find_index(write.table, entry.index);
    if (index != nullptr && !index->settings->local)
      TRY(admit(write.table, index, Access::kWrite, entry.key, is_transaction));
  }
  return {};
}

void Meter::take_write(const WriteCost& write) {
  if (throttle_ == nullptr) return;
  for_each_part(write, [&](const Index* index, std::string_view key, HalfUnits half_units) {
    take(write.table, index, Access::kWrite, key, half_units);
  });
}

void Meter::count_write(const WriteCost& write) {
  if (heat_ == nullptr) return;
  for_each_part(write, [&](const Index* index, std::string_view key, HalfUnits half_units) {
    count(write.table, index, Access::kWrite, key, half_units);
  });
}

}  // namespace sheaf::engine

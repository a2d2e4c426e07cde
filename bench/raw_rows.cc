#include "bench/raw_rows.h"

#include <algorithm>
#include <array>

#include "bench/expect.h"
#include "engine/record.h"
#include "engine/store_keys.h"
#include "store/batch.h"

namespace sheaf::bench {
namespace {

// A table with the id that the first table of a database has.
const engine::Table& raw_table() {
  static const engine::Table table(
      {.id = 1, .name = "bench", .key = {.partition = {{"PK"}}, .sort = {{"SK"}}}}, {});
  return table;
}

}  // namespace

std::string text_of(uint64_t number, int digits) {
  std::string text = std::to_string(number);
  return std::string(static_cast<size_t>(digits) - std::min<size_t>(text.size(), static_cast<size_t>(digits)),
                     '0') +
         text;
}

Item make_item(const std::string& partition, const std::string& sort, size_t bytes) {
  Item item{{"PK", partition},  {"SK", sort},    {"Type", "Order"},
            {"status", "OPEN"}, {"total", 4711}, {"created", 1700000000}};
  const size_t used = item.view().size_bytes() + 4;
  item.set("data", Value(std::string(bytes > used ? bytes - used : 1, 'x')));
  return item;
}

Item key_of(const std::string& partition, const std::string& sort) {
  return Item{{"PK", partition}, {"SK", sort}};
}

Rows rows_of(const Item& item) {
  const engine::ItemPlace place = expect(engine::place_of_item(raw_table(), item));
  const uint32_t size = item.view().size_bytes();
  return {.key = place.key.substr(1),
          .record = engine::make_record(item.encoded(), size),
          .total_key = engine::total_counter_key(1, engine::partition_of(place.hash)).substr(1),
          .collection_key = engine::collection_counter_key(1, place).substr(1),
          .sums = store::encode_sums(std::array<int64_t, 2>{1, size})};
}

std::pair<std::string, std::string> collection_bounds(const std::string& partition) {
  const engine::ItemPlace place = expect(engine::place_of_key(raw_table(), key_of(partition, "O#")));
  std::string end(place.collection().substr(1));
  ++end.back();
  return {std::string(place.collection().substr(1)), std::move(end)};
}

void put_rows(RawRocksdb& raw, rocksdb::WriteBatch& batch, const Rows& rows) {
  batch.Put(raw.family(store::Space::kItems), rows.key, rows.record);
  batch.Merge(raw.family(store::Space::kCounters), rows.total_key, rows.sums);
  batch.Merge(raw.family(store::Space::kCounters), rows.collection_key, rows.sums);
}

void check(const rocksdb::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

}  // namespace sheaf::bench

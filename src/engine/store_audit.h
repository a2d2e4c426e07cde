// For tests: what the store must hold beside a table's items, worked out from the items alone and without the
// code under test: index entries, counters, expiry entries.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "engine/engine_fixture.h"
#include "value/hex_text.h"
#include "value/key_codec.h"

namespace sheaf::engine {

// What a table's rows add up to: by key in hexadecimal, so that a difference can be read.
struct Audit {
  std::map<std::string, std::string> entries;                   // what each index entry holds, as JSON
  std::map<std::string, std::pair<int64_t, int64_t>> counters;  // items and bytes; zeros left out
  std::set<std::string> expiries;
};

class Auditor {
 public:
  Auditor(store::Store& store, const TableSettings& table) : store_(store), table_(table) {}

  // From the items.
  Audit expected() {
    Audit audit;
    for (const auto& [key, row] : rows_under(store_, space_key(store::Space::kItems, table_.id))) {
      add_item(audit, key, Record::of(row));
    }
    std::erase_if(audit.counters,
                  [](const auto& counter) { return counter.second == std::pair<int64_t, int64_t>(); });
    return audit;
  }

  // From the rows that stand beside the items.
  Audit found() {
    Audit audit;
    for (const IndexSettings& index : table_.indexes) {
      for (const auto& [key, row] : rows_under(store_, space_key(store::Space::kIndexes, index.id))) {
        const Record entry = Record::of(row);
        EXPECT_EQ(entry.size_bytes, entry.item.size_bytes());
        audit.entries.emplace(hex(key), entry.item.to_json());
      }
      add_counters(audit, index.id);
    }
    add_counters(audit, table_.id);
    if (table_.ttl.id != 0) {
      for (const auto& [key, row] : rows_under(store_, space_key(store::Space::kExpiry, table_.ttl.id))) {
        audit.expiries.insert(hex(key));
      }
    }
    return audit;
  }

 private:
  void add_counters(Audit& audit, Id id) {
    for (const auto& [key, row] : rows_under(store_, space_key(store::Space::kCounters, id))) {
      const std::vector<int64_t> sums = store::decode_sums(row);
      if (sums[0] != 0 || sums[1] != 0) audit.counters.emplace(hex(key), std::pair(sums[0], sums[1]));
    }
  }

  static std::string components(const std::vector<KeyAttribute>& attributes, ItemView item) {
    std::string bytes;
    for (const KeyAttribute& attribute : attributes) append_key_component(bytes, *item.find(attribute.name));
    return bytes;
  }

  static uint32_t bytes_of(const std::vector<KeyAttribute>& attributes, ItemView item) {
    uint32_t bytes = 0;
    for (const KeyAttribute& attribute : attributes) bytes += item.find(attribute.name)->size_bytes();
    return bytes;
  }

  // Whether an index can hold the item: it has the whole of the key, and the key is a legal one.
  static bool takes(const IndexSettings& index, ItemView item) {
    for (const auto* attributes : {&index.key.partition, &index.key.sort}) {
      for (const KeyAttribute& attribute : *attributes) {
        const std::optional<ValueView> value = item.find(attribute.name);
        if (!value || value->type() != attribute.type) return false;
        if (attribute.type != Type::kNumber && value->bytes().empty()) return false;
      }
    }
    return bytes_of(index.key.partition, item) <= 2048 && bytes_of(index.key.sort, item) <= 1024;
  }

  Item projected(const IndexSettings& index, ItemView item) const {
    Item entry;
    for (const Attribute& attribute : item) {
      const bool included = index.projection == ProjectionKind::kAll ||
                            contains(table_.key, attribute.name) || contains(index.key, attribute.name) ||
                            std::count(index.included.begin(), index.included.end(), attribute.name) != 0;
      if (included) entry.set(attribute.name, attribute.value);
    }
    return entry;
  }

  void count(Audit& audit, Id id, uint64_t hash, int64_t bytes) {
    std::string key = space_key(store::Space::kCounters, id);
    key.push_back(0);
    append_u16(key, static_cast<uint16_t>(hash >> 62));
    auto& [items, total] = audit.counters[hex(key)];
    ++items;
    total += bytes;
  }

  // Returns the bytes of the entry.
  int64_t add_entry(Audit& audit, const IndexSettings& index, ItemView item) {
    if (!takes(index, item)) return 0;
    const std::string partition = components(index.key.partition, item);
    std::string key = space_key(store::Space::kIndexes, index.id);
    append_u64(key, partition_hash(partition));
    key += partition + components(index.key.sort, item);
    if (!index.local) key += components(table_.key.partition, item);
    key += components(table_.key.sort, item);
    const Item entry = projected(index, item);
    EXPECT_TRUE(audit.entries.emplace(hex(key), entry.to_json()).second);
    count(audit, index.id, partition_hash(partition), entry.view().size_bytes());
    return entry.view().size_bytes();
  }

  void add_item(Audit& audit, const std::string& key, const Record& record) {
    const ItemView item = record.item;
    EXPECT_EQ(record.size_bytes, item.size_bytes());
    const std::string partition = components(table_.key.partition, item);
    const std::string sort = components(table_.key.sort, item);
    std::string place = space_key(store::Space::kItems, table_.id);
    append_u64(place, partition_hash(partition));
    EXPECT_EQ(hex(key), hex(place + partition + sort));

    int64_t collection_bytes = record.size_bytes;
    for (const IndexSettings& index : table_.indexes) {
      const int64_t entry_bytes = add_entry(audit, index, item);
      if (index.local) collection_bytes += entry_bytes;
    }
    count(audit, table_.id, partition_hash(partition), record.size_bytes);
    if (!table_.key.sort.empty()) {
      std::string counter = space_key(store::Space::kCounters, table_.id);
      counter.push_back(1);
      append_u64(counter, partition_hash(partition));
      auto& [items, bytes] = audit.counters[hex(counter + partition)];
      ++items;
      bytes += collection_bytes;
    }
    add_expiry(audit, item, partition + sort);
  }

  void add_expiry(Audit& audit, ItemView item, const std::string& primary_key) const {
    const std::optional<ValueView> value = item.find(table_.ttl.attribute);
    if (!table_.ttl.enabled || !value || value->type() != Type::kNumber) return;
    const double seconds = value->number().to_double();
    if (seconds < 0 || seconds > 1e15) return;
    std::string key = space_key(store::Space::kExpiry, table_.ttl.id);
    append_u64(key, static_cast<uint64_t>(seconds));
    audit.expiries.insert(hex(key + primary_key));
  }

  store::Store& store_;
  const TableSettings& table_;
};

// Everything beside the items is as the items say. Nobody may be writing.
inline void expect_sound(store::Store& store, const TableSettings& table) {
  Auditor auditor(store, table);
  const Audit expected = auditor.expected();
  const Audit found = auditor.found();
  EXPECT_EQ(found.entries, expected.entries);
  EXPECT_EQ(found.counters, expected.counters);
  EXPECT_EQ(found.expiries, expected.expiries);
}

}  // namespace sheaf::engine

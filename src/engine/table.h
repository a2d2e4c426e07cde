// Tables and indexes as the catalog holds them, and as the engine uses them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

#include "store/store.h"

namespace sheaf::engine {

inline constexpr size_t kLocalIndexesMax = 5;
inline constexpr size_t kGlobalIndexesMax = 20;
inline constexpr size_t kIndexKeyAttributesMax = 4;  // a global index has at most so many of each kind
inline constexpr size_t kIncludedMax = 100;  // attributes beside the keys, over all indexes of a table

// The first bits of a partition's hash: the unit of totals. Readers add up what they find, so that other
// writers may use more of them.
inline constexpr uint32_t kPartitionBits = 2;
inline uint16_t partition_of(uint64_t hash) { return static_cast<uint16_t>(hash >> (64 - kPartitionBits)); }

// A new stream has so many shards; it keeps them, because an item's changes must stay in one.
inline constexpr uint32_t kShardBits = 2;
inline constexpr uint32_t kShardBitsMax = 7;

// Ids of tables, indexes and streams come from one counter and are never used again.
using Id = uint32_t;

bool contains(const KeySchema& key, std::string_view attribute);

struct InsightsSettings {
  bool enabled = false;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;
  int64_t changed_us = 0;  // 0: never turned on
  int64_t enabled_us = 0;  // when they were last turned on; another mode leaves it as it is

  bool operator==(const InsightsSettings&) const = default;
};

struct IndexSettings {
  Id id = 0;
  std::string name;
  bool local = false;
  KeySchema key;
  ProjectionKind projection = ProjectionKind::kAll;
  std::vector<std::string> included;  // kInclude: the attributes beside the keys
  IndexStatus status = IndexStatus::kActive;
  Throughput throughput;
  ThroughputChanges throughput_changes;
  InsightsSettings insights;  // of global indexes

  bool operator==(const IndexSettings&) const = default;
};

// One life of a table's stream; a closed one stays readable until its records are too old.
struct StreamSettings {
  Id id = 0;
  StreamView view = StreamView::kNewAndOldImages;
  uint32_t shard_bits = kShardBits;
  int64_t created_us = 0;
  int64_t closed_us = 0;  // 0: open

  uint32_t shard_count() const { return 1u << shard_bits; }
  // Where the changes of items of a partition go.
  uint8_t shard_of(uint64_t hash) const {
    return static_cast<uint8_t>(shard_bits == 0 ? 0 : hash >> (64 - shard_bits));
  }
  bool operator==(const StreamSettings&) const = default;
};

struct TtlSettings {
  std::string attribute;  // empty: never set
  bool enabled = false;
  int64_t changed_us = 0;
  Id id = 0;  // of the expiry entries of this setting

  bool operator==(const TtlSettings&) const = default;
};

struct TableSettings {
  Id id = 0;
  std::string name;
  KeySchema key;
  std::vector<IndexSettings> indexes;
  std::vector<StreamSettings> streams;  // oldest first; the last may be open
  TtlSettings ttl;
  BillingMode billing = BillingMode::kOnDemand;
  int64_t on_demand_since_us = 0;  // 0: never chosen, or before this was written down
  Throughput throughput;
  ThroughputChanges throughput_changes;
  std::string table_class;
  int64_t class_changed_us = 0;  // 0: never
  bool deletion_protected = false;
  InsightsSettings insights;
  std::map<std::string, std::string> tags;
  int64_t created_us = 0;
  TableStatus status = TableStatus::kActive;

  const StreamSettings* open_stream() const;
  const IndexSettings* find_index(std::string_view index_name) const;
  bool has_local_index() const;
  bool operator==(const TableSettings&) const = default;
};

// The catalog's form of a table: an item, so that settings can be added without a new format.
Item encode_settings(const TableSettings& settings);
Result<TableSettings> decode_settings(std::string encoded);

// An index ready for use.
struct Index {
  const IndexSettings* settings;  // in the Table's
  std::string prefix;             // of its entries' store keys
  // What entries hold: every attribute, or these (keys of index and table, and what is included; sorted).
  bool projects_all;
  std::vector<std::string> projected;

  bool projects(std::string_view name) const;
};

// A table ready for use: immutable; a change of its settings makes a new one.
struct Table {
  // `version` guards the catalog row that `settings` came from.
  Table(TableSettings settings, store::Version version);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const TableSettings settings;
  const store::Version version;
  const std::string catalog_key;
  const std::string item_prefix;
  std::vector<Index> indexes;  // by name: of several that refuse an item, the first is reported

  const Index* find_index(std::string_view name) const;
};

// Of the index, or of the table itself if there is none.
Id id_of(const Table& table, const Index* index);
const KeySchema& schema_of(const Table& table, const Index* index);

// Shared by the catalog and by the requests that still run with an older form.
using TableRef = std::shared_ptr<const Table>;

}  // namespace sheaf::engine

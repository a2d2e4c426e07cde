// Tables as a program declares and sees them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/value.h"

namespace sheaf {

// A key attribute; its type is kString, kNumber or kBinary.
struct KeyAttribute {
  std::string name;
  Type type = Type::kString;

  bool operator==(const KeyAttribute&) const = default;
};

// A table has one partition attribute and at most one sort attribute, a local index likewise; a global index
// has up to four of each: composite keys without string concatenation.
struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;

  bool operator==(const KeySchema&) const = default;
};

enum class ProjectionKind : uint8_t { kAll, kKeysOnly, kInclude };
enum class BillingMode : uint8_t { kProvisioned, kOnDemand };
enum class StreamView : uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

// Kept and described; what is slowed down by it, see OpenOptions::throttle.
struct Throughput {
  int64_t read_units = 0;
  int64_t write_units = 0;
  int64_t read_units_max = 0;  // on demand; 0: none set
  int64_t write_units_max = 0;
  int64_t read_units_warm = 0;  // to be ready for at once; 0: what the billing mode brings
  int64_t write_units_warm = 0;

  bool operator==(const Throughput&) const = default;
};

inline constexpr std::chrono::milliseconds kLagMax{60'000};

// How long readers of a table may not see a change that was acknowledged: for each change a time between
// `min` and `max`, which is at most kLagMax. See OpenOptions::index_lags.
struct Lag {
  std::string table;  // "*": all that have no lag of their own
  std::chrono::milliseconds min{0};
  std::chrono::milliseconds max{0};

  bool operator==(const Lag&) const = default;
};

// When the units of a table or an index were last changed; 0: never.
struct ThroughputChanges {
  int64_t raised_us = 0;
  int64_t lowered_us = 0;
  int64_t lowered_that_day = 0;  // how often, on the day (UTC) of lowered_us

  bool operator==(const ThroughputChanges&) const = default;
};

struct IndexDeclaration {
  std::string name;
  KeySchema key;
  ProjectionKind projection = ProjectionKind::kAll;
  std::vector<std::string> included;  // kInclude: attributes beside the keys
  Throughput throughput;              // of global indexes
};

struct CreateTable {
  std::string table;
  KeySchema key;
  std::vector<IndexDeclaration> local_indexes;
  std::vector<IndexDeclaration> global_indexes;
  BillingMode billing = BillingMode::kOnDemand;
  Throughput throughput;
  std::optional<StreamView> stream;
  bool deletion_protected = false;
  std::string table_class;
  std::map<std::string, std::string> tags;
};

// What is not given stays as it is; of a Throughput, what is 0. A maximum of -1 is taken away.
struct UpdateTable {
  std::string table;
  std::optional<BillingMode> billing;
  std::optional<Throughput> throughput;
  std::map<std::string, Throughput> index_throughput;
  std::optional<bool> deletion_protected;
  std::optional<std::string> table_class;
  std::optional<IndexDeclaration> add_index;  // global; filled in the background
  std::optional<std::string> remove_index;
  std::optional<StreamView> open_stream;
  bool close_stream = false;
};

enum class TableStatus : uint8_t { kActive, kUpdating, kDeleting };
enum class IndexStatus : uint8_t { kCreating, kActive, kDeleting };

struct IndexDescription {
  std::string name;
  bool local = false;
  KeySchema key;
  ProjectionKind projection = ProjectionKind::kAll;
  std::vector<std::string> included;
  IndexStatus status = IndexStatus::kActive;
  Throughput throughput;
  ThroughputChanges throughput_changes;
  int64_t item_count = 0;
  int64_t size_bytes = 0;
  // kCreating: items of the table that the filling has been through so far.
  int64_t items_filled = 0;
};

struct StreamDescription {
  uint32_t id = 0;
  StreamView view = StreamView::kNewAndOldImages;
  int64_t created_us = 0;
  bool open = true;
  uint32_t shard_count = 0;
};

struct TableDescription {
  std::string name;
  uint32_t id = 0;  // never used again, also not for a table of the same name
  KeySchema key;
  std::vector<IndexDescription> indexes;
  std::vector<StreamDescription> streams;  // oldest first; at most the last is open
  std::string ttl_attribute;
  bool ttl_enabled = false;
  BillingMode billing = BillingMode::kOnDemand;
  int64_t on_demand_since_us = 0;  // when that was last chosen; 0: never
  Throughput throughput;
  ThroughputChanges throughput_changes;
  std::string table_class;
  int64_t class_changed_us = 0;  // 0: never
  bool deletion_protected = false;
  std::map<std::string, std::string> tags;
  int64_t created_us = 0;
  TableStatus status = TableStatus::kActive;
  // Exact, as of the last commit.
  int64_t item_count = 0;
  int64_t size_bytes = 0;
};

// Which keys Contributor Insights are about.
enum class InsightsMode : uint8_t { kAccessedAndThrottledKeys, kThrottledKeys };

// Contributor Insights of a table or of one of its global indexes: a setting that is kept and told, by which
// nothing is measured.
struct ContributorInsights {
  std::string table;
  std::string index;  // empty: of the table itself
  bool enabled = false;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;
  int64_t changed_us = 0;  // 0: never turned on
  // While they are on: what DynamoDB calls the rules of CloudWatch that it makes for them.
  std::vector<std::string> rules;

  bool operator==(const ContributorInsights&) const = default;
};

struct DescribeContributorInsights {
  std::string table;
  std::optional<std::string> index;  // a global one; nothing: the table itself
};

struct UpdateContributorInsights {
  std::string table;
  std::optional<std::string> index;
  bool enabled = true;
  InsightsMode mode = InsightsMode::kAccessedAndThrottledKeys;  // of no effect on what is turned off
};

// All items of one partition key, in a table with a sort key; the bytes of local index entries included.
struct CollectionSize {
  int64_t item_count = 0;
  int64_t size_bytes = 0;
};

// What an item collection can grow past: so many items, so many bytes, four fifths of what it may have where
// its table has a local index.
enum class CollectionLine : uint8_t { kItems, kBytes, kLimit };

// An item collection has become so large that its owner should know.
struct CollectionWarning {
  CollectionLine line;
  std::string table;
  Item partition_key;
  CollectionSize size;
};

}  // namespace sheaf

// A table as the reference database holds it: items in a map, everything else computed from them when asked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/stream.h"
#include "sheaf/table.h"

#include "programs/document.h"

namespace sheaf::programs {

inline constexpr uint32_t kShardCount = 4;
// Stands for figures that the reference does not know.
inline constexpr double kUnknownUnits = -1;
inline constexpr int64_t kUnknownBytes = -1;

// The place of an item in a table, or of an entry in an index: partitions by their hash, the rest by value.
struct Place {
  uint64_t hash = 0;
  std::vector<Value> values;

  friend bool operator<(const Place& a, const Place& b);
};

struct ReferenceIndex {
  IndexDeclaration declaration;
  bool local = false;
  IndexStatus status = IndexStatus::kActive;
};

struct ReferenceEvent {
  ChangeEvent event;
  int64_t time_us = 0;
  uint64_t group = 0;  // not 0: the events of one group have no order among themselves
};

struct ReferenceStream {
  StreamView view = StreamView::kNewAndOldImages;
  int64_t created_us = 0;
  std::optional<int64_t> closed_us;
  std::array<std::vector<ReferenceEvent>, kShardCount> shards;
};

struct ReferenceTable {
  std::string name;
  KeySchema key;
  std::vector<ReferenceIndex> indexes;
  std::vector<ReferenceStream> streams;
  std::string ttl_attribute;
  bool ttl_enabled = false;
  bool deletion_protected = false;
  std::map<std::string, std::string> tags;
  TableStatus status = TableStatus::kActive;
  std::map<Place, Item> items;

  bool has_local_index() const;
  // Not one that is being removed.
  const ReferenceIndex* find_index(const std::string& index_name) const;
};

Item partition_key_of(const ReferenceTable& table, ItemView item);

// Without those that are being removed, by name: the order in which they complain.
std::vector<const ReferenceIndex*> indexes_by_name(const ReferenceTable& table);

// One attribute after the other: partition, then sort.
std::vector<KeyAttribute> attributes_of(const KeySchema& key);
bool is_key_attribute(const KeySchema& key, const std::string& attribute);

// The place of an item to be put, or of a key; errors in DynamoDB's words.
Result<Place> place_of_item(const ReferenceTable& table, ItemView item);
Result<Place> place_of_key(const ReferenceTable& table, ItemView key);

// Refuses what an index cannot take. An update answers only for index keys that differ from those in
// `before`.
Result<void> check_index_keys(const ReferenceTable& table, ItemView item);
Result<void> check_updated_index_keys(const ReferenceTable& table, const Item* before, ItemView item);

// Refuses empty values of keys, of the table or of an index: a transaction asks for this first.
Result<void> check_keys_not_empty(const ReferenceTable& table, ItemView item);

// Refuses paths into key attributes, of the table or of an index.
Result<void> check_key_paths(const ReferenceTable& table, const std::vector<DocumentPath>& paths);

// The place of an item's entry in an index; nothing if it has none.
std::optional<Place> entry_place(const ReferenceTable& table, const ReferenceIndex& index, ItemView item);
// What the index holds of the item.
bool projects(const ReferenceTable& table, const ReferenceIndex& index, const std::string& attribute);
Item entry_image(const ReferenceTable& table, const ReferenceIndex& index, ItemView item);

void add_capacity(Capacity& sum, const Capacity& part);
// Strongly consistent, of so many bytes.
double read_units(uint64_t bytes);

// Of the table and of each index, by the two images of an item.
Capacity write_capacity(const ReferenceTable& table, const Item* before, const Item* after);

// The bytes of an item and of its entries in local indexes.
int64_t collection_bytes(const ReferenceTable& table, const std::optional<Item>& item);
CollectionSize collection_size(const ReferenceTable& table, ItemView partition_key);
TableDescription describe(const ReferenceTable& table);

// Puts `after` in the place of what is there, and writes the stream.
struct ReplaceCause {
  int64_t now_us = 0;
  bool expired = false;
  uint64_t group = 0;
};
void replace_item(ReferenceTable& table, const Place& place, const std::optional<Item>& after,
                  const ReplaceCause& cause);

// Items that time to live may remove now, the first to expire first.
std::vector<Item> expired_items(const ReferenceTable& table, int64_t now_us);

}  // namespace sheaf::programs

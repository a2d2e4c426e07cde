// The keys under which everything lies in the store (doc/key-format.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/table.h"
#include "store/store.h"

namespace sheaf::engine {

// Before the components of an item's or index entry's key: space, id, hash.
inline constexpr size_t kItemComponentsAt = 1 + 4 + 8;

// What all keys of one table, index, stream or setting begin with: space, id.
std::string space_key(store::Space space, Id id);

std::string table_catalog_key(std::string_view table_name);
store::Range all_tables();
std::string_view table_name_of(std::string_view catalog_key);
std::string next_id_key();

// Where an item lies: its store key, and the hash inside it.
struct ItemPlace {
  std::string key;
  uint64_t hash;
  uint32_t partition_end;  // the key's length up to and including its partition attributes

  // What the keys of the whole item collection begin with.
  std::string_view collection() const { return std::string_view(key).substr(0, partition_end); }
  std::string_view partition_components() const { return collection().substr(kItemComponentsAt); }
  std::string_view sort_components() const { return std::string_view(key).substr(partition_end); }
  std::string_view primary_key() const { return std::string_view(key).substr(kItemComponentsAt); }
};

// In DynamoDB's words, the missing blank of the first included.
Error partition_key_too_long();
Error sort_key_too_long();

// The place of an item to be put. Its key attributes are checked as DynamoDB does.
Result<ItemPlace> place_of_item(const Table& table, ItemView item);
// The place that a Key parameter names, which must have the key attributes and no others.
Result<ItemPlace> place_of_key(const Table& table, ItemView key);
// The place of a whole item collection: as place_of_key, for the partition attributes alone.
Result<ItemPlace> place_of_partition(const Table& table, ItemView partition_key);
// The place of an item that the store holds.
ItemPlace place_of_stored(const Table& table, ItemView item);

// The key of an item's entry in an index; nothing if it has none because it lacks an attribute of the index's
// key. Such an attribute of the wrong type, empty or too long: Error, in DynamoDB's words for a put or for an
// update.
enum class ItemOrigin : uint8_t { kPut, kUpdate };
Result<std::optional<std::string>> index_entry_key(const Index& index, ItemView item, const ItemPlace& place,
                                                   ItemOrigin origin = ItemOrigin::kPut);

// What the indexes of `table` say about an item to be put.
Result<void> check_index_keys(const Table& table, ItemView item, const ItemPlace& place);

// Error for a key attribute, of the table or of an index, with an empty value.
Result<void> check_keys_not_empty(const Table& table, ItemView item);

// The hash inside the key of an item or an index entry.
uint64_t hash_of(std::string_view key);
// Such a key from its hash on.
std::string_view without_space(std::string_view key);
// The same up to the last attribute of the key of the table, or of the index: an entry ends with the key of
// its item.
std::string_view own_key(const Index* index, std::string_view key);
// The attributes of such a key, as far as it goes.
Result<Item> key_item(const KeySchema& schema, std::string_view key_without_space);

std::string total_counter_key(Id table_or_index, uint16_t partition);
store::Range total_counters(Id table_or_index);
std::string collection_counter_key(Id table, const ItemPlace& place);
store::Range collection_counters(Id table);

// Behind it the store adds stamp and position.
std::string log_prefix(Id stream, uint8_t shard);

std::string expiry_key(Id ttl, uint64_t expires_s, const ItemPlace& place);

}  // namespace sheaf::engine

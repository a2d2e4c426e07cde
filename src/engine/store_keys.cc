#include "engine/store_keys.h"

#include <algorithm>
#include <cassert>

#include "base/big_endian.h"
#include "base/errors.h"
#include "base/try.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

using store::Space;

constexpr char kTableRow = 't';
constexpr char kNextIdRow = 'n';
constexpr char kTotal = 0;
constexpr char kCollection = 1;

bool is_empty_key_value(ValueView value) { return value.type() != Type::kNumber && value.bytes().empty(); }

std::string_view kind_of_empty(ValueView value) {
  return value.type() == Type::kString ? "empty string value" : "empty binary value";
}

// Appends the components of `attributes`; `check(attribute, value)` decides about each value first.
template <typename Check>
Result<void> append_components(std::string& key, const std::vector<KeyAttribute>& attributes, ItemView item,
                               Check check) {
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.find(attribute.name);
    TRY(check(attribute, value));
    append_key_component(key, *value);
  }
  return {};
}

uint32_t key_value_bytes(const std::vector<KeyAttribute>& attributes, ItemView item) {
  uint32_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) bytes += item.find(attribute.name)->size_bytes();
  return bytes;
}

// Puts the hash of the partition components that begin at kItemComponentsAt in front of them.
uint64_t fill_in_hash(std::string& key) {
  const uint64_t hash = partition_hash(std::string_view(key).substr(kItemComponentsAt));
  const uint64_t swapped = __builtin_bswap64(hash);
  key.replace(kItemComponentsAt - sizeof(hash), sizeof(hash), reinterpret_cast<const char*>(&swapped),
              sizeof(hash));
  return hash;
}

std::string with_room_for_hash(std::string_view prefix) {
  std::string key;
  key.reserve(96);
  key.append(prefix).append(sizeof(uint64_t), '\0');
  return key;
}

template <typename Check>
Result<ItemPlace> make_place(const Table& table, const KeySchema& schema, ItemView item, Check check) {
  ItemPlace place{.key = with_room_for_hash(table.item_prefix), .hash = 0, .partition_end = 0};
  TRY(append_components(place.key, schema.partition, item, check));
  if (key_value_bytes(schema.partition, item) > kPartitionKeyBytesMax) return partition_key_too_long();
  place.hash = fill_in_hash(place.key);
  place.partition_end = static_cast<uint32_t>(place.key.size());
  TRY(append_components(place.key, schema.sort, item, check));
  if (key_value_bytes(schema.sort, item) > kSortKeyBytesMax) return sort_key_too_long();
  return place;
}

Result<void> check_not_empty(const KeyAttribute& attribute, ValueView value) {
  if (!is_empty_key_value(value)) return {};
  return invalid(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
      "an " +
      std::string(kind_of_empty(value)) + ". Key: " + attribute.name);
}

Error empty_index_value(const Index& index, const KeyAttribute& attribute, ValueView value,
                        ItemOrigin origin) {
  const std::string cannot =
      "The AttributeValue for a key attribute cannot contain an " + std::string(kind_of_empty(value)) + ".";
  if (origin == ItemOrigin::kUpdate) {
    return invalid(
        "One or more parameter values are not valid. The update expression attempted to update a secondary "
        "index key to a value that is not supported. " +
        cannot);
  }
  return invalid(
      "One or more parameter values are not valid. A value specified for a secondary index key is not "
      "supported. " +
      cannot + " IndexName: " + index.settings->name + ", IndexKey: " + attribute.name);
}

Result<void> check_index_value(const Index& index, const KeyAttribute& attribute, ValueView value,
                               ItemOrigin origin) {
  if (value.type() != attribute.type) {
    return invalid_parameter("Type mismatch for Index Key " + attribute.name +
                             " Expected: " + std::string(type_name(attribute.type)) + " Actual: " +
                             std::string(type_name(value.type())) + " IndexName: " + index.settings->name);
  }
  if (is_empty_key_value(value)) return empty_index_value(index, attribute, value, origin);
  return {};
}

// Checks the attributes of one part of an index's key; nothing if one is missing, else their bytes together.
Result<std::optional<uint32_t>> index_key_bytes(const Index& index,
                                                const std::vector<KeyAttribute>& attributes, ItemView item,
                                                ItemOrigin origin, uint32_t bytes_max) {
  uint32_t bytes = 0;
  bool complete = true;
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.find(attribute.name);
    if (!value) {
      complete = false;
      continue;
    }
    TRY(check_index_value(index, attribute, *value, origin));
    bytes += value->size_bytes();
    if (bytes > bytes_max) {
      return invalid_parameter(
          "Size limit exceeded for Index Key " + attribute.name + " Actual Size: " + std::to_string(bytes) +
          " bytes Max Size: " + std::to_string(bytes_max) + " bytes IndexName: " + index.settings->name);
    }
  }
  return complete ? std::optional(bytes) : std::nullopt;
}

// The place that `key` names if it has the attributes of `schema` and no others.
Result<ItemPlace> place_of_exactly(const Table& table, const KeySchema& schema, ItemView key) {
  const auto mismatch = [] { return invalid("The provided key element does not match the schema"); };
  if (key.size() != schema.partition.size() + schema.sort.size()) return mismatch();
  return make_place(
      table, schema, key,
      [&](const KeyAttribute& attribute, const std::optional<ValueView>& value) -> Result<void> {
        if (!value || value->type() != attribute.type) return mismatch();
        return check_not_empty(attribute, *value);
      });
}

Result<void> trusted(const KeyAttribute&, const std::optional<ValueView>&) { return {}; }

store::Range range_of_prefix(std::string prefix) {
  std::string end = prefix_end(prefix);
  return {.begin = std::move(prefix), .end = std::move(end)};
}

}  // namespace

Error partition_key_too_long() {
  return invalid_parameter("Size of hashkey has exceeded the maximum size limit of2048 bytes");
}

Error sort_key_too_long() {
  return invalid_parameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
}

std::string space_key(Space space, Id id) {
  std::string key(1, static_cast<char>(space));
  append_u32(key, id);
  return key;
}

std::string table_catalog_key(std::string_view table_name) {
  return std::string{static_cast<char>(Space::kCatalog), kTableRow}.append(table_name);
}

store::Range all_tables() { return range_of_prefix(table_catalog_key("")); }

std::string_view table_name_of(std::string_view catalog_key) { return catalog_key.substr(2); }

std::string next_id_key() { return {static_cast<char>(Space::kCatalog), kNextIdRow}; }

Result<ItemPlace> place_of_item(const Table& table, ItemView item) {
  return make_place(table, table.settings.key, item,
                    [](const KeyAttribute& attribute, const std::optional<ValueView>& value) -> Result<void> {
                      if (!value)
                        return invalid_parameter("Missing the key " + attribute.name + " in the item");
                      if (value->type() != attribute.type) {
                        return invalid_parameter("Type mismatch for key " + attribute.name +
                                                 " expected: " + std::string(type_name(attribute.type)) +
                                                 " actual: " + std::string(type_name(value->type())));
                      }
                      return check_not_empty(attribute, *value);
                    });
}

Result<ItemPlace> place_of_key(const Table& table, ItemView key) {
  return place_of_exactly(table, table.settings.key, key);
}

Result<ItemPlace> place_of_partition(const Table& table, ItemView partition_key) {
  return place_of_exactly(table, {.partition = table.settings.key.partition, .sort = {}}, partition_key);
}

ItemPlace place_of_stored(const Table& table, ItemView item) {
  Result<ItemPlace> place = make_place(table, table.settings.key, item, trusted);
  assert(place.ok());
  return std::move(*place);
}

Result<std::optional<std::string>> index_entry_key(const Index& index, ItemView item, const ItemPlace& place,
                                                   ItemOrigin origin) {
  const KeySchema& schema = index.settings->key;
  // Both parts are checked even if one is incomplete: a wrong value is refused all the same.
  const auto partition = TRY(index_key_bytes(index, schema.partition, item, origin, kPartitionKeyBytesMax));
  const auto sort = TRY(index_key_bytes(index, schema.sort, item, origin, kSortKeyBytesMax));
  if (!partition || !sort) return std::optional<std::string>();
  std::string key = with_room_for_hash(index.prefix);
  TRY(append_components(key, schema.partition, item, trusted));
  fill_in_hash(key);
  TRY(append_components(key, schema.sort, item, trusted));
  // A local index shares its partition with the table, so the rest of the primary key is enough.
  key.append(index.settings->local ? place.sort_components() : place.primary_key());
  return std::optional(std::move(key));
}

Result<void> check_index_keys(const Table& table, ItemView item, const ItemPlace& place) {
  for (const Index& index : table.indexes) {
    if (index.settings->status != IndexStatus::kDeleting) TRY(index_entry_key(index, item, place));
  }
  return {};
}

Result<void> check_keys_not_empty(const Table& table, ItemView item) {
  const auto is_empty = [&](const KeyAttribute& attribute) {
    const std::optional<ValueView> value = item.find(attribute.name);
    return value && value->type() == attribute.type && is_empty_key_value(*value);
  };
  for (const auto* attributes : {&table.settings.key.partition, &table.settings.key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (is_empty(attribute)) return check_not_empty(attribute, *item.find(attribute.name));
    }
  }
  for (const Index& index : table.indexes) {
    if (index.settings->status == IndexStatus::kDeleting) continue;
    for (const auto* attributes : {&index.settings->key.partition, &index.settings->key.sort}) {
      for (const KeyAttribute& attribute : *attributes) {
        if (is_empty(attribute))
          return empty_index_value(index, attribute, *item.find(attribute.name), ItemOrigin::kPut);
      }
    }
  }
  return {};
}

uint64_t hash_of(std::string_view key) { return read_u64(key.data() + kItemComponentsAt - sizeof(uint64_t)); }

std::string_view without_space(std::string_view key) {
  return key.substr(kItemComponentsAt - sizeof(uint64_t));
}

std::string_view own_key(const Index* index, std::string_view key) {
  const std::string_view whole = without_space(key);
  if (index == nullptr) return whole;
  std::string_view rest = key.substr(kItemComponentsAt);
  for (const auto* attributes : {&index->settings->key.partition, &index->settings->key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      if (!skip_key_component(rest, attribute.type)) return whole;
    }
  }
  return whole.substr(0, whole.size() - rest.size());
}

Result<Item> key_item(const KeySchema& schema, std::string_view key_without_space) {
  std::string_view rest = key_without_space.substr(std::min(sizeof(uint64_t), key_without_space.size()));
  Item item;
  for (const auto* attributes : {&schema.partition, &schema.sort}) {
    for (const KeyAttribute& attribute : *attributes)
      item.set(attribute.name, TRY(take_key_component(rest, attribute.type)));
  }
  return item;
}

std::string total_counter_key(Id table_or_index, uint16_t partition) {
  std::string key = space_key(Space::kCounters, table_or_index);
  key.push_back(kTotal);
  append_u16(key, partition);
  return key;
}

store::Range total_counters(Id table_or_index) {
  return range_of_prefix(space_key(Space::kCounters, table_or_index) + kTotal);
}

std::string collection_counter_key(Id table, const ItemPlace& place) {
  std::string key = space_key(Space::kCounters, table);
  key.push_back(kCollection);
  key.append(place.collection().substr(kItemComponentsAt - sizeof(uint64_t)));
  return key;
}

store::Range collection_counters(Id table) {
  return range_of_prefix(space_key(Space::kCounters, table) + kCollection);
}

std::string log_prefix(Id stream, uint8_t shard) {
  std::string key = space_key(Space::kLog, stream);
  key.push_back(static_cast<char>(shard));
  return key;
}

std::string expiry_key(Id ttl, uint64_t expires_s, const ItemPlace& place) {
  std::string key = space_key(Space::kExpiry, ttl);
  append_u64(key, expires_s);
  key.append(place.primary_key());
  return key;
}

}  // namespace sheaf::engine

#include "programs/reference_table.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "programs/document.h"
#include "value/key_codec.h"

namespace sheaf::programs {
namespace {

constexpr uint32_t kHashKeyBytesMax = 2048;
constexpr uint32_t kRangeKeyBytesMax = 1024;
constexpr int64_t kFiveYearsS = int64_t{5} * 365 * 24 * 3600;

Error invalid(const std::string& message) { return {Code::kInvalid, message}; }
Error invalid_parameter(const std::string& text) {
  return invalid("One or more parameter values were invalid: " + text);
}
Error schema_mismatch() { return invalid("The provided key element does not match the schema"); }

std::string name_of(Type type) { return std::string(type_name(type)); }

bool is_empty_text(ValueView value) { return value.type() != Type::kNumber && value.bytes().empty(); }

std::string empty_kind(ValueView value) {
  return value.type() == Type::kString ? "empty string value" : "empty binary value";
}

// Where partitions lie is the one thing that is taken from the key format: a scan's order shows it.
uint64_t hash_of(const std::vector<Value>& partition) {
  std::string components;
  for (const Value& value : partition) append_key_component(components, value);
  return partition_hash(components);
}

uint32_t bytes_of_attributes(const std::vector<KeyAttribute>& attributes, ItemView item) {
  uint32_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) bytes += bytes_of(*item.find(attribute.name));
  return bytes;
}

std::vector<Value> values_of(const std::vector<KeyAttribute>& attributes, ItemView item) {
  std::vector<Value> values;
  for (const KeyAttribute& attribute : attributes) values.emplace_back(*item.find(attribute.name));
  return values;
}

Error empty_table_key(const KeyAttribute& attribute, ValueView value) {
  return invalid(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
      "an " +
      empty_kind(value) + ". Key: " + attribute.name);
}

// Checks what is known to be there and of the right type.
Result<Place> checked_place(const ReferenceTable& table, ItemView item) {
  for (const KeyAttribute& attribute : attributes_of(table.key)) {
    const ValueView value = *item.find(attribute.name);
    if (is_empty_text(value)) return empty_table_key(attribute, value);
  }
  if (bytes_of_attributes(table.key.partition, item) > kHashKeyBytesMax)
    return invalid_parameter("Size of hashkey has exceeded the maximum size limit of2048 bytes");
  if (bytes_of_attributes(table.key.sort, item) > kRangeKeyBytesMax) {
    return invalid_parameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes");
  }
  return Place{.hash = hash_of(values_of(table.key.partition, item)),
               .values = values_of(attributes_of(table.key), item)};
}

Error empty_index_key(const ReferenceIndex& index, const KeyAttribute& attribute, ValueView value,
                      bool updated) {
  const std::string begin = "One or more parameter values are not valid. ";
  const std::string cannot =
      "The AttributeValue for a key attribute cannot contain an " + empty_kind(value) + ".";
  if (updated) {
    return invalid(begin +
                   "The update expression attempted to update a secondary index key to a value that is not "
                   "supported. " +
                   cannot);
  }
  return invalid(begin + "A value specified for a secondary index key is not supported. " + cannot +
                 " IndexName: " + index.declaration.name + ", IndexKey: " + attribute.name);
}

Result<void> check_index_part(const ReferenceIndex& index, const std::vector<KeyAttribute>& attributes,
                              ItemView item, bool updated, uint32_t bytes_max) {
  const std::string& name = index.declaration.name;
  uint32_t bytes = 0;
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = item.find(attribute.name);
    if (!value) continue;
    if (value->type() != attribute.type) {
      return invalid_parameter("Type mismatch for Index Key " + attribute.name +
                               " Expected: " + name_of(attribute.type) +
                               " Actual: " + name_of(value->type()) + " IndexName: " + name);
    }
    if (is_empty_text(*value)) return empty_index_key(index, attribute, *value, updated);
    bytes += bytes_of(*value);
    if (bytes > bytes_max) {
      return invalid_parameter("Size limit exceeded for Index Key " + attribute.name +
                               " Actual Size: " + std::to_string(bytes) +
                               " bytes Max Size: " + std::to_string(bytes_max) + " bytes IndexName: " + name);
    }
  }
  return {};
}

Result<void> check_index_key(const ReferenceIndex& index, ItemView item, bool updated) {
  const KeySchema& key = index.declaration.key;
  TRY(check_index_part(index, key.partition, item, updated, kHashKeyBytesMax));
  return check_index_part(index, key.sort, item, updated, kRangeKeyBytesMax);
}

double units(uint64_t bytes) { return std::max(1.0, std::ceil(static_cast<double>(bytes) / 1024)); }

// What an index's entry costs to write. An index that is being filled may or may not have the old one.
double index_units(const ReferenceTable& table, const ReferenceIndex& index, const Item* before,
                   const Item* after) {
  const auto old_place = before ? entry_place(table, index, *before) : std::nullopt;
  const auto new_place = after ? entry_place(table, index, *after) : std::nullopt;
  if (!old_place && !new_place) return 0;
  if (index.status == IndexStatus::kCreating && before) return kUnknownUnits;
  const Item old_image = old_place ? entry_image(table, index, *before) : Item();
  const Item new_image = new_place ? entry_image(table, index, *after) : Item();
  if (!old_place) return units(bytes_of(new_image));
  if (!new_place) return units(bytes_of(old_image));
  const bool moves = *old_place < *new_place || *new_place < *old_place;
  if (moves) return units(bytes_of(old_image)) + units(bytes_of(new_image));
  if (old_image == new_image) return 0;
  return units(std::max(bytes_of(old_image), bytes_of(new_image)));
}

Item key_of(const ReferenceTable& table, ItemView item) {
  Item key;
  for (const KeyAttribute& attribute : attributes_of(table.key))
    key.set(attribute.name, *item.find(attribute.name));
  return key;
}

ChangeEvent make_event(const ReferenceTable& table, StreamView view, const std::optional<Item>& before,
                       const std::optional<Item>& after, bool expired) {
  using Kind = ChangeEvent::Kind;
  ChangeEvent event{.kind = !before  ? Kind::kInsert
                            : !after ? Kind::kRemove
                                     : Kind::kModify,
                    .expired = expired,
                    .key = key_of(table, before ? *before : *after)};
  if (view == StreamView::kOldImage || view == StreamView::kNewAndOldImages) event.old_image = before;
  if (view == StreamView::kNewImage || view == StreamView::kNewAndOldImages) event.new_image = after;
  return event;
}

std::optional<double> expiry_of(const ReferenceTable& table, ItemView item) {
  const std::optional<ValueView> value = item.find(table.ttl_attribute);
  if (!value || value->type() != Type::kNumber) return std::nullopt;
  return value->number().to_double();
}

}  // namespace

bool operator<(const Place& a, const Place& b) {
  if (a.hash != b.hash) return a.hash < b.hash;
  for (size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i) {
    const auto order = *compare(a.values[i], b.values[i]);
    if (order != 0) return order < 0;
  }
  return a.values.size() < b.values.size();
}

bool ReferenceTable::has_local_index() const {
  return std::any_of(indexes.begin(), indexes.end(), [](const auto& index) { return index.local; });
}

const ReferenceIndex* ReferenceTable::find_index(const std::string& index_name) const {
  for (const ReferenceIndex& index : indexes) {
    if (index.declaration.name == index_name && index.status != IndexStatus::kDeleting) return &index;
  }
  return nullptr;
}

std::vector<const ReferenceIndex*> indexes_by_name(const ReferenceTable& table) {
  std::vector<const ReferenceIndex*> indexes;
  for (const ReferenceIndex& index : table.indexes) {
    if (index.status != IndexStatus::kDeleting) indexes.push_back(&index);
  }
  std::sort(indexes.begin(), indexes.end(), [](const ReferenceIndex* a, const ReferenceIndex* b) {
    return a->declaration.name < b->declaration.name;
  });
  return indexes;
}

Item partition_key_of(const ReferenceTable& table, ItemView item) {
  const std::string& name = table.key.partition.front().name;
  Item key;
  key.set(name, *item.find(name));
  return key;
}

std::vector<KeyAttribute> attributes_of(const KeySchema& key) {
  std::vector<KeyAttribute> attributes = key.partition;
  attributes.insert(attributes.end(), key.sort.begin(), key.sort.end());
  return attributes;
}

bool is_key_attribute(const KeySchema& key, const std::string& attribute) {
  const std::vector<KeyAttribute> attributes = attributes_of(key);
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const auto& each) { return each.name == attribute; });
}

Result<Place> place_of_item(const ReferenceTable& table, ItemView item) {
  for (const KeyAttribute& attribute : attributes_of(table.key)) {
    const std::optional<ValueView> value = item.find(attribute.name);
    if (!value) return invalid_parameter("Missing the key " + attribute.name + " in the item");
    if (value->type() != attribute.type) {
      return invalid_parameter("Type mismatch for key " + attribute.name + " expected: " +
                               name_of(attribute.type) + " actual: " + name_of(value->type()));
    }
    if (is_empty_text(*value)) break;  // reported before what may be wrong with the next
  }
  return checked_place(table, item);
}

Result<Place> place_of_key(const ReferenceTable& table, ItemView key) {
  const std::vector<KeyAttribute> attributes = attributes_of(table.key);
  if (key.size() != attributes.size()) return schema_mismatch();
  for (const KeyAttribute& attribute : attributes) {
    const std::optional<ValueView> value = key.find(attribute.name);
    if (!value || value->type() != attribute.type) return schema_mismatch();
    if (is_empty_text(*value)) break;
  }
  return checked_place(table, key);
}

Result<void> check_index_keys(const ReferenceTable& table, ItemView item) {
  for (const ReferenceIndex* index : indexes_by_name(table)) TRY(check_index_key(*index, item, false));
  return {};
}

Result<void> check_updated_index_keys(const ReferenceTable& table, const Item* before, ItemView item) {
  for (const ReferenceIndex* index : indexes_by_name(table)) {
    const std::vector<KeyAttribute> attributes = attributes_of(index->declaration.key);
    const bool same =
        before != nullptr && std::all_of(attributes.begin(), attributes.end(), [&](const auto& attribute) {
          return before->find(attribute.name) == item.find(attribute.name);
        });
    if (!same) TRY(check_index_key(*index, item, true));
  }
  return {};
}

Result<void> check_keys_not_empty(const ReferenceTable& table, ItemView item) {
  const auto empty_value = [&](const KeyAttribute& attribute) -> std::optional<ValueView> {
    const std::optional<ValueView> value = item.find(attribute.name);
    return value && value->type() == attribute.type && is_empty_text(*value) ? value : std::nullopt;
  };
  for (const KeyAttribute& attribute : attributes_of(table.key)) {
    if (const auto value = empty_value(attribute)) return empty_table_key(attribute, *value);
  }
  for (const ReferenceIndex* index : indexes_by_name(table)) {
    for (const KeyAttribute& attribute : attributes_of(index->declaration.key)) {
      if (const auto value = empty_value(attribute)) return empty_index_key(*index, attribute, *value, false);
    }
  }
  return {};
}

Result<void> check_key_paths(const ReferenceTable& table, const std::vector<DocumentPath>& paths) {
  const auto refuse = [](const std::string& what) {
    return invalid(
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: " +
        what);
  };
  for (const DocumentPath& path : paths) {
    if (!path.is_nested()) continue;
    if (is_key_attribute(table.key, path.attribute)) return refuse("Key: " + path.attribute);
    for (const ReferenceIndex* index : indexes_by_name(table)) {
      if (is_key_attribute(index->declaration.key, path.attribute))
        return refuse("IndexKey: " + path.attribute);
    }
  }
  return {};
}

std::optional<Place> entry_place(const ReferenceTable& table, const ReferenceIndex& index, ItemView item) {
  const KeySchema& key = index.declaration.key;
  if (!check_index_key(index, item, false).ok()) return std::nullopt;
  for (const KeyAttribute& attribute : attributes_of(key)) {
    if (!item.find(attribute.name)) return std::nullopt;
  }
  Place place{.hash = hash_of(values_of(key.partition, item)), .values = values_of(attributes_of(key), item)};
  for (Value& value : values_of(attributes_of(table.key), item)) place.values.push_back(std::move(value));
  return place;
}

bool projects(const ReferenceTable& table, const ReferenceIndex& index, const std::string& attribute) {
  const IndexDeclaration& declaration = index.declaration;
  return declaration.projection == ProjectionKind::kAll || is_key_attribute(table.key, attribute) ||
         is_key_attribute(declaration.key, attribute) ||
         std::find(declaration.included.begin(), declaration.included.end(), attribute) !=
             declaration.included.end();
}

Item entry_image(const ReferenceTable& table, const ReferenceIndex& index, ItemView item) {
  Item image;
  for (const auto [name, value] : item) {
    if (projects(table, index, std::string(name))) image.set(name, value);
  }
  return image;
}

void add_capacity(Capacity& sum, const Capacity& part) {
  sum.table += part.table;
  for (const auto& [index, spent] : part.indexes) {
    double& so_far = sum.indexes[index];
    so_far = so_far == kUnknownUnits || spent == kUnknownUnits ? kUnknownUnits : so_far + spent;
  }
}

double read_units(uint64_t bytes) { return std::max(1.0, std::ceil(static_cast<double>(bytes) / 4096)); }

Capacity write_capacity(const ReferenceTable& table, const Item* before, const Item* after) {
  Capacity capacity;
  capacity.table = units(std::max(before ? bytes_of(*before) : 0, after ? bytes_of(*after) : 0));
  if (before && after && *before == *after) return capacity;
  for (const ReferenceIndex& index : table.indexes) {
    if (index.status == IndexStatus::kDeleting) continue;
    const double spent = index_units(table, index, before, after);
    if (spent != 0) capacity.indexes[index.declaration.name] = spent;
  }
  return capacity;
}

int64_t collection_bytes(const ReferenceTable& table, const std::optional<Item>& item) {
  if (!item) return 0;
  int64_t bytes = bytes_of(*item);
  for (const ReferenceIndex& index : table.indexes) {
    if (index.local && entry_place(table, index, *item)) bytes += bytes_of(entry_image(table, index, *item));
  }
  return bytes;
}

CollectionSize collection_size(const ReferenceTable& table, ItemView partition_key) {
  CollectionSize size;
  const std::string& attribute = table.key.partition.front().name;
  for (const auto& [place, item] : table.items) {
    if (*item.find(attribute) != *partition_key.find(attribute)) continue;
    ++size.item_count;
    size.size_bytes += collection_bytes(table, item);
  }
  return size;
}

TableDescription describe(const ReferenceTable& table) {
  TableDescription description{.name = table.name,
                               .key = table.key,
                               .ttl_attribute = table.ttl_enabled ? table.ttl_attribute : "",
                               .ttl_enabled = table.ttl_enabled,
                               .deletion_protected = table.deletion_protected,
                               .tags = table.tags,
                               .status = table.status};
  for (const auto& [place, item] : table.items) {
    ++description.item_count;
    description.size_bytes += bytes_of(item);
  }
  for (const ReferenceIndex& index : table.indexes) {
    IndexDescription part{.name = index.declaration.name,
                          .local = index.local,
                          .key = index.declaration.key,
                          .projection = index.declaration.projection,
                          .included = index.declaration.included,
                          .status = index.status};
    if (index.status == IndexStatus::kActive) {
      for (const auto& [place, item] : table.items) {
        if (!entry_place(table, index, item)) continue;
        ++part.item_count;
        part.size_bytes += bytes_of(entry_image(table, index, item));
      }
    } else if (description.status == TableStatus::kActive) {
      description.status = TableStatus::kUpdating;
    }
    description.indexes.push_back(std::move(part));
  }
  for (const ReferenceStream& stream : table.streams) {
    description.streams.push_back(
        {.view = stream.view, .open = !stream.closed_us, .shard_count = kShardCount});
  }
  return description;
}

void replace_item(ReferenceTable& table, const Place& place, const std::optional<Item>& after,
                  const ReplaceCause& cause) {
  const auto found = table.items.find(place);
  const std::optional<Item> before = found == table.items.end() ? std::nullopt : std::optional(found->second);
  if (before == after) return;
  if (after) {
    table.items[place] = *after;
  } else {
    table.items.erase(place);
  }
  if (table.streams.empty() || table.streams.back().closed_us) return;
  ReferenceStream& stream = table.streams.back();
  stream.shards[place.hash >> 62].push_back(
      {.event = make_event(table, stream.view, before, after, cause.expired),
       .time_us = cause.now_us,
       .group = cause.group});
}

std::vector<Item> expired_items(const ReferenceTable& table, int64_t now_us) {
  std::vector<Item> expired;
  if (!table.ttl_enabled) return expired;
  const double now_s = std::floor(static_cast<double>(now_us) / 1e6);
  for (const auto& [place, item] : table.items) {
    const std::optional<double> expires_s = expiry_of(table, item);
    if (!expires_s || *expires_s < 0 || *expires_s >= now_s + 1) continue;
    if (*expires_s < now_s - static_cast<double>(kFiveYearsS)) continue;
    expired.push_back(item);
  }
  std::stable_sort(expired.begin(), expired.end(), [&](const Item& a, const Item& b) {
    const double a_s = std::floor(*expiry_of(table, a)), b_s = std::floor(*expiry_of(table, b));
    if (a_s != b_s) return a_s < b_s;
    return Place{.values = values_of(attributes_of(table.key), a)} <
           Place{.values = values_of(attributes_of(table.key), b)};
  });
  return expired;
}

}  // namespace sheaf::programs

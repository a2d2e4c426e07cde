#include "engine/query_plan.h"

#include <algorithm>

#include "base/big_endian.h"
#include "base/try.h"
#include "value/key_codec.h"

namespace sheaf::engine {
namespace {

Error invalid_start_key() { return {Code::kInvalid, "The provided starting key is invalid"}; }

std::string_view prefix_of(const Table& table, const Index* index) {
  return index == nullptr ? std::string_view(table.item_prefix) : std::string_view(index->prefix);
}

// What the keys of one item collection begin with, in the table or in an index.
std::string collection_prefix(const Table& table, const Index* index, const std::vector<Value>& partition) {
  std::string components;
  for (const Value& value : partition) append_key_component(components, value);
  std::string key(prefix_of(table, index));
  append_u64(key, partition_hash(components));
  return key.append(components);
}

store::Range sort_range(std::string prefix, const std::optional<expr::KeyCondition::Range>& range) {
  using Op = expr::KeyOperator;
  const auto with = [&](const Value& value) {
    std::string key = prefix;
    append_key_component(key, value);
    return key;
  };
  if (!range) return {.begin = prefix, .end = prefix_end(prefix)};
  switch (range->op) {
    case Op::kEqual:
      return {.begin = with(range->value), .end = prefix_end(with(range->value))};
    case Op::kLess:
      return {.begin = prefix, .end = with(range->value)};
    case Op::kLessEqual:
      return {.begin = prefix, .end = prefix_end(with(range->value))};
    case Op::kGreater:
      return {.begin = prefix_end(with(range->value)), .end = prefix_end(prefix)};
    case Op::kGreaterEqual:
      return {.begin = with(range->value), .end = prefix_end(prefix)};
    case Op::kBetween:
      return {.begin = with(range->value), .end = prefix_end(with(range->upper))};
    case Op::kBeginsWith:
      break;
  }
  append_key_prefix(prefix, range->value.view().bytes());
  return {.begin = prefix, .end = prefix_end(prefix)};
}

// Where segment `segment` of `count` begins in the space of hashes.
uint64_t segment_start(uint32_t segment, uint32_t count) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(segment) << 64) / count);
}

size_t attribute_count(const Table& table, const Index* index) { return key_names(table, index).size(); }

// Moves the range's near end behind the start key, which must lie within it.
Result<void> start_after(KeyRange& keys, ItemView start_key, std::string_view outside) {
  if (start_key.size() != attribute_count(*keys.table, keys.index)) return invalid_start_key();
  std::string key = TRY(entry_key(*keys.table, keys.index, start_key));
  if (key < keys.range.begin || key >= keys.range.end) return Error{Code::kInvalid, std::string(outside)};
  if (keys.direction == store::Direction::kForward) {
    keys.range.begin = std::move(key.append(1, '\0'));
  } else {
    keys.range.end = std::move(key);
  }
  return {};
}

}  // namespace

std::vector<std::string_view> key_names(const Table& table, const Index* index) {
  std::vector<std::string_view> names;
  const auto add = [&](const KeySchema& key) {
    for (const auto* attributes : {&key.partition, &key.sort}) {
      for (const KeyAttribute& attribute : *attributes) {
        if (std::find(names.begin(), names.end(), attribute.name) == names.end())
          names.push_back(attribute.name);
      }
    }
  };
  add(table.settings.key);
  if (index != nullptr) add(index->settings->key);
  return names;
}

Item key_attributes(const Table& table, const Index* index, ItemView item) {
  Item key;
  for (const std::string_view name : key_names(table, index)) key.set(name, *item.find(name));
  return key;
}

Result<std::string> entry_key(const Table& table, const Index* index, ItemView item) {
  Item primary;
  for (const std::string_view name : key_names(table, nullptr)) {
    const std::optional<ValueView> value = item.find(name);
    if (!value) return invalid_start_key();
    primary.set(name, *value);
  }
  Result<ItemPlace> place = place_of_key(table, primary);
  if (!place.ok()) return invalid_start_key();
  if (index == nullptr) return std::move(place->key);
  Result<std::optional<std::string>> key = index_entry_key(*index, item, *place);
  if (!key.ok() || !*key) return invalid_start_key();
  return std::move(**key);
}

Result<KeyRange> plan_query(TableRef table, const Index* index, const QueryKeys& keys) {
  std::string prefix = collection_prefix(*table, index, keys.condition.partition);
  for (const Value& value : keys.condition.sort_equals) append_key_component(prefix, value);
  KeyRange plan{.table = std::move(table),
                .index = index,
                .range = sort_range(std::move(prefix), keys.condition.range),
                .direction = keys.descending ? store::Direction::kBackward : store::Direction::kForward,
                .is_query = true};
  if (keys.start_after) {
    TRY(start_after(plan, *keys.start_after,
                    "The provided starting key is outside query boundaries based on provided conditions"));
  }
  return plan;
}

Result<KeyRange> plan_scan(TableRef table, const Index* index, const ScanKeys& keys) {
  const std::string_view prefix = prefix_of(*table, index);
  KeyRange plan{.index = index, .range = {.begin = std::string(prefix), .end = prefix_end(prefix)}};
  append_u64(plan.range.begin, segment_start(keys.segment, keys.segment_count));
  if (keys.segment + 1 < keys.segment_count) {
    plan.range.end = prefix;
    append_u64(plan.range.end, segment_start(keys.segment + 1, keys.segment_count));
  }
  plan.table = std::move(table);
  if (keys.start_after) {
    TRY(start_after(
        plan, *keys.start_after,
        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with "
        "correct Segment. TotalSegments: " +
            std::to_string(keys.segment_count) + " Segment: " + std::to_string(keys.segment)));
  }
  return plan;
}

}  // namespace sheaf::engine

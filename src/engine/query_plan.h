// From what a Query or Scan asks to the keys that it reads: pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store_keys.h"
#include "engine/table.h"
#include "expr/key_condition.h"
#include "store/store.h"

namespace sheaf::engine {

inline constexpr uint32_t kSegmentsMax = 1'000'000;

// Keys of a table or an index, and the direction in which they are read.
struct KeyRange {
  TableRef table;
  const Index* index = nullptr;  // in `table`; null: the table itself
  store::Range range;            // empty if `begin` is not below `end`
  store::Direction direction = store::Direction::kForward;
  bool is_query = false;  // of one item collection, whose keys `range.begin` begins like

  bool empty() const { return range.begin >= range.end; }
};

struct QueryKeys {
  const expr::KeyCondition& condition;
  bool descending = false;
  std::optional<ItemView> start_after;  // ExclusiveStartKey
};
// Errors: a start key that does not fit the table or index, or lies outside what the condition asks for.
Result<KeyRange> plan_query(TableRef table, const Index* index, const QueryKeys& keys);

struct ScanKeys {
  uint32_t segment = 0;
  uint32_t segment_count = 1;
  std::optional<ItemView> start_after;
};
Result<KeyRange> plan_scan(TableRef table, const Index* index, const ScanKeys& keys);

// The names of the table's key attributes and then, if there is one, of the index's: each once.
std::vector<std::string_view> key_names(const Table& table, const Index* index);
// Those attributes of `item`: its LastEvaluatedKey.
Item key_attributes(const Table& table, const Index* index, ItemView item);
// The store key that such attributes stand for.
Result<std::string> entry_key(const Table& table, const Index* index, ItemView item);

}  // namespace sheaf::engine

// Change streams: what happened to the items of a table, kept for 24 hours.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/value.h"

namespace sheaf {

// The place of a record in its shard; grows in the order of commits, over all shards.
struct StreamPosition {
  uint64_t stamp = 0;  // microseconds since 1970, made strictly increasing
  uint16_t position = 0;

  auto operator<=>(const StreamPosition&) const = default;
};

// Where a reader begins who wants everything that is kept.
inline constexpr StreamPosition kOldestRecord{};

struct ChangeEvent {
  enum class Kind : uint8_t { kInsert = 1, kModify = 2, kRemove = 3 };
  Kind kind;
  bool expired = false;  // removed by time to live
  StreamPosition sequence;
  Item key;
  std::optional<Item> old_image;  // as far as the stream's view type has it
  std::optional<Item> new_image;

  int64_t time_us() const { return static_cast<int64_t>(sequence.stamp); }
};

// All changes of one item are in one shard, in the order in which they happened.
struct ReadStream {
  std::string table;
  uint32_t stream = 0;  // StreamDescription::id
  uint32_t shard = 0;
  StreamPosition from;
  uint32_t limit = 1000;
};

struct StreamRead {
  std::vector<ChangeEvent> events;
  // From where to go on: behind the last event. If there was none yet, the same place or a later one: a
  // reader who asks at least twice a day is never told that it missed something it did not.
  StreamPosition next;
  bool at_end = false;  // the stream is closed and nothing will come any more
};

}  // namespace sheaf

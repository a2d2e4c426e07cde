// Shards, and places in them, as clients hold them: shard ids, sequence numbers, shard iterators.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"
#include "sheaf/stream.h"

#include "engine/table.h"

namespace sheaf::wire {

inline constexpr int64_t kIteratorLifetimeUs = int64_t{15} * 60 * 1'000'000;

// shardId-00000001763195737123-00000700; the ids of a stream's shards sort as their numbers do.
std::string shard_id(const engine::StreamSettings& stream, uint32_t shard);

// At least 21 digits; as numbers they are in the order of the places.
std::string sequence_number(StreamPosition position);
std::optional<StreamPosition> parse_sequence_number(std::string_view text);

// Where a reader is. Its text names the stream, can be read by a server that did not make it, and is checked
// against damage; it gives no rights, so it is not signed.
struct ShardIterator {
  std::string stream_arn;
  uint32_t stream = 0;  // its id
  uint8_t shard = 0;
  StreamView view = StreamView::kKeysOnly;
  StreamPosition from;
  int64_t made_us = 0;

  std::string text() const;
  // kInvalid if `text` is none, kExpired if it is too old.
  static Result<ShardIterator> parse(std::string_view text, int64_t now_us);

  bool operator==(const ShardIterator&) const = default;
};

}  // namespace sheaf::wire

#include "engine/streams.h"

#include <algorithm>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/store_keys.h"

namespace sheaf::engine {
namespace {

std::string row_key(Id stream, uint8_t shard, StreamPosition sequence) {
  std::string key = log_prefix(stream, shard);
  append_u64(key, sequence.stamp);
  append_u16(key, sequence.position);
  return key;
}

StreamPosition sequence_of(std::string_view key) {
  const char* stamp = key.data() + key.size() - store::kStampBytes - store::kPositionBytes;
  return {.stamp = read_u64(stamp), .position = read_u16(stamp + store::kStampBytes)};
}

StreamPosition behind(StreamPosition sequence) {
  return sequence.position == UINT16_MAX
             ? StreamPosition{.stamp = sequence.stamp + 1, .position = 0}
             : StreamPosition{.stamp = sequence.stamp,
                              .position = static_cast<uint16_t>(sequence.position + 1)};
}

// A place before which nothing will appear any more: stamps follow the clock, even if it is put back a
// little.
StreamPosition behind_all(int64_t now_us) {
  return {.stamp = static_cast<store::Stamp>(std::max<int64_t>(0, now_us - kClockSetBackMaxUs))};
}

}  // namespace

Result<StreamRead> read_stream(Engine& engine, const StreamSettings& stream, uint8_t shard,
                               StreamPosition from, uint32_t events_max, const ReadOptions& options) {
  const int64_t now_us = engine.clock.now_us();
  const auto horizon = static_cast<store::Stamp>(std::max<int64_t>(0, stream_horizon_us(now_us)));
  if (from != kOldestRecord && from.stamp < horizon) {
    return Error{Code::kTrimmed, "The data you are trying to access has been trimmed"};
  }
  StreamRead slice{.next = from};
  store::Range range{.begin = row_key(stream.id, shard, std::max(from, StreamPosition{.stamp = horizon})),
                     .end = log_prefix(stream.id, static_cast<uint8_t>(shard + 1))};
  uint64_t bytes = 0;
  std::optional<Error> failure;
  for (bool more = true; more;) {
    const std::unique_ptr<store::View> view = engine.store.view({.cached_only = options.cached_only});
    const store::ScanEnd end = TRY(view->scan(range, {}, [&](std::string_view key, std::string_view row) {
      Result<ChangeEvent> event = decode_change(row, sequence_of(key));
      if (!event.ok()) {
        failure = std::move(event).error();
        return false;
      }
      bytes += row.size();
      slice.next = behind(event->sequence);
      slice.events.push_back(std::move(*event));
      return slice.events.size() < events_max && bytes < kStreamBytesMax;
    }));
    if (failure) return std::move(*failure);
    range.begin = end.resume;
    more = end.more && slice.events.size() < events_max && bytes < kStreamBytesMax;
    if (end.more) continue;
    slice.at_end = stream.closed_us != 0;
    slice.next = std::max(slice.next, behind_all(now_us));
  }
  return slice;
}

Result<std::optional<StreamPosition>> last_position(Engine& engine, const StreamSettings& stream,
                                                    uint8_t shard) {
  const store::Range range{.begin = log_prefix(stream.id, shard),
                           .end = log_prefix(stream.id, static_cast<uint8_t>(shard + 1))};
  std::optional<StreamPosition> last;
  TRY(engine.store.view({})->scan(range, {.direction = store::Direction::kBackward, .rows_max = 1},
                                  [&](std::string_view key, std::string_view) {
                                    last = sequence_of(key);
                                    return false;
                                  }));
  return last;
}

StreamPosition newest_position(const Engine& engine) {
  return std::max(StreamPosition{.stamp = engine.store.last_stamp() + 1}, behind_all(engine.clock.now_us()));
}

}  // namespace sheaf::engine

// Reading the change log: a stream has a fixed number of shards; within a shard records come in commit order,
// and all records of one item are in one shard.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/change_record.h"
#include "engine/engine.h"
#include "engine/read_items.h"

namespace sheaf::engine {

inline constexpr int64_t kStreamRetentionUs = int64_t{24} * 3600 * 1'000'000;
// A reader who has everything is moved on to so long ago, so that no quiet day makes it look as if it had
// missed something. It would miss something only if the clock were put back by more than this.
inline constexpr int64_t kClockSetBackMaxUs = kStreamRetentionUs / 2;
inline constexpr uint32_t kStreamRecordsMax = 1000;
inline constexpr uint32_t kStreamBytesMax = 1 << 20;

// Records older than this are gone, or about to be.
inline int64_t stream_horizon_us(int64_t now_us) { return now_us - kStreamRetentionUs; }

// Where a reader begins who wants only what comes from now on.
StreamPosition newest_position(const Engine& engine);

// Events of one shard from `from` on, at most `events_max`. kTrimmed if events behind `from` may be gone
// already. `stream` is as the catalog had it before the call: of a closed stream all events are there then.
Result<StreamRead> read_stream(Engine& engine, const StreamSettings& stream, uint8_t shard,
                               StreamPosition from, uint32_t events_max, const ReadOptions& options = {});

// Where the last event of a shard is; nothing if it has none, or none any more.
Result<std::optional<StreamPosition>> last_position(Engine& engine, const StreamSettings& stream,
                                                    uint8_t shard);

}  // namespace sheaf::engine

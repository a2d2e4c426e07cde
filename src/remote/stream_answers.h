// Answers about streams, from DynamoDB's JSON. kCorrupt if one cannot be read.
#pragma once

#include <string>
#include <vector>

#include "sheaf/stream.h"

#include "remote/answer_reader.h"
#include "remote/stream_reader.h"

namespace sheaf::remote {

struct StreamsPage {
  std::vector<std::string> arns;
  std::string last;  // empty: there are no more
};
// ListStreams
Result<StreamsPage> read_streams(Json json);

struct ShardsPage {
  StreamPlace stream;
  std::string last;  // empty: there are no more
};
// DescribeStream
Result<ShardsPage> read_shards(Json json);

struct RecordsPage {
  std::vector<ChangeEvent> events;
  std::string next_iterator;  // empty: nothing will come any more
};
// GetRecords. kInvalid if a sequence number is no place of ours.
Result<RecordsPage> read_records(Json json);

// GetShardIterator
Result<std::string> read_iterator(Json json);

// The streams's id in a shard's id, if this is the shard of this number in a stream of ours.
std::optional<uint32_t> stream_of_shard(std::string_view shard_id, size_t shard);

}  // namespace sheaf::remote

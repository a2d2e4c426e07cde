// ListStreams, DescribeStream, GetShardIterator and GetRecords as DynamoDB's JSON.
#pragma once

#include "wire/operation.h"

namespace sheaf::wire {

extern const Shape kListStreamsShape, kDescribeStreamShape, kGetShardIteratorShape, kGetRecordsShape;

void list_streams(Call call, const Input& input);
void describe_stream(Call call, const Input& input);
void get_shard_iterator(Call call, const Input& input);
void get_records(Call call, const Input& input);

}  // namespace sheaf::wire

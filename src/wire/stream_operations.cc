#include "wire/stream_operations.h"

#include <algorithm>
#include <array>

#include "api/stream_requests.h"
#include "base/try.h"
#include "engine/streams.h"
#include "wire/json_object.h"
#include "wire/reading.h"
#include "wire/resource_names.h"
#include "wire/stream_places.h"
#include "wire/stream_records.h"
#include "wire/table_declarations.h"
#include "wire/table_description.h"

namespace sheaf::wire {
namespace {

constexpr size_t kStreamsPerPageMax = 100;
constexpr size_t kShardsPerPageMax = 100;
constexpr uint32_t kTablesPerStep = 100;

constexpr Limits kArnLimits{.required = true, .min = 37, .max = 1024};
constexpr Limits kShardIdLimits{.required = true, .min = 28, .max = 65};
constexpr Member kArnMember{"StreamArn", &kString, kArnLimits};

enum ListStreamsMember : size_t { kStreamsTable, kStreamsLimit, kStreamsStart };
constexpr Member kListMembers[] = {
    {"TableName", &kString, {.min = 3, .max = 255, .table_name = true}},
    {"Limit", &kInteger, {.min = 1, .max = kStreamsPerPageMax}},
    {"ExclusiveStartStreamArn", &kString, {.min = 37, .max = 1024}},
};

enum DescribeStreamMember : size_t { kDescribeArn, kDescribeLimit, kDescribeStart, kDescribeFilter };
constexpr std::array<std::string_view, 1> kFilterTypes = {"CHILD_SHARDS"};
constexpr Member kFilterMembers[] = {
    {"Type", &kString, {.required = true, .values = kFilterTypes}},
    {"ShardId", &kString, kShardIdLimits},
};
constexpr Shape kShardFilter{
    .kind = Kind::kStructure, .class_name = "ShardFilter", .members = kFilterMembers};
constexpr Member kDescribeMembers[] = {
    kArnMember,
    {"Limit", &kInteger, {.min = 1, .max = kShardsPerPageMax}},
    {"ExclusiveStartShardId", &kString, {.min = 28, .max = 65}},
    {"ShardFilter", &kShardFilter},
};

enum GetIteratorMember : size_t { kIteratorArn, kIteratorShard, kIteratorType, kIteratorSequence };
constexpr std::array<std::string_view, 4> kIteratorTypes = {"AFTER_SEQUENCE_NUMBER", "LATEST",
                                                            "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"};
constexpr Member kGetIteratorMembers[] = {
    kArnMember,
    {"ShardId", &kString, kShardIdLimits},
    {"ShardIteratorType", &kString, {.required = true, .values = kIteratorTypes}},
    {"SequenceNumber", &kString, {.min = 21, .max = 40}},
};

enum GetRecordsMember : size_t { kRecordsIterator, kRecordsLimit };
constexpr Member kGetRecordsMembers[] = {
    {"ShardIterator", &kString, {.required = true, .min = 1, .max = 2048}},
    {"Limit", &kInteger, {.min = 1, .max = engine::kStreamRecordsMax}},
};

Error no_such_stream(std::string_view arn) {
  return {Code::kNotFound, "Requested resource not found: Stream: " + std::string(arn) + " not found"};
}

struct FoundStream {
  engine::TableRef table;
  const engine::StreamSettings* stream;  // in it
};

Result<FoundStream> find_stream(engine::Engine& engine, std::string_view arn) {
  const StreamName name = TRY(parse_stream_arn(arn));
  const Result<engine::TableRef> table = engine.catalog.reload(name.table);
  if (!table.ok() && table.error().code != Code::kNotFound) return table.error();
  if (!table.ok() || (*table)->settings.status == TableStatus::kDeleting) return no_such_stream(arn);
  for (const engine::StreamSettings& stream : (*table)->settings.streams) {
    if (stream_label(stream.created_us) == name.label) return FoundStream{.table = *table, .stream = &stream};
  }
  return no_such_stream(arn);
}

// Before everything that the shard will ever hold.
StreamPosition first_position(const engine::StreamSettings& stream) {
  return {.stamp = static_cast<uint64_t>(stream.created_us)};
}

struct ListedStream {
  std::string table;
  int64_t created_us;
};

// Adds the streams of a table that come behind `start`, as far as there is room.
Result<void> list_streams_of(engine::Engine& engine, const std::string& name,
                             const std::optional<StreamName>& start, size_t count_max,
                             std::vector<ListedStream>& listed) {
  const Result<engine::TableRef> table = engine.catalog.reload(name);
  if (!table.ok() && table.error().code == Code::kNotFound) return {};
  TRY(table);
  if ((*table)->settings.status == TableStatus::kDeleting) return {};
  for (const engine::StreamSettings& stream : (*table)->settings.streams) {
    const bool told = start && start->table == name && stream_label(stream.created_us) <= start->label;
    if (!told && listed.size() < count_max)
      listed.push_back({.table = name, .created_us = stream.created_us});
  }
  return {};
}

// By the names of their tables, then by age; at most `count_max`.
Result<std::vector<ListedStream>> list_all(engine::Engine& engine, const std::optional<StreamName>& start,
                                           size_t count_max) {
  std::vector<ListedStream> listed;
  std::string after;
  if (start) {
    TRY(list_streams_of(engine, start->table, start, count_max, listed));
    after = start->table;
  }
  for (bool more = true; more && listed.size() < count_max;) {
    const engine::Catalog::Names tables = TRY(engine.catalog.list(after, kTablesPerStep));
    for (const std::string& name : tables.names) TRY(list_streams_of(engine, name, start, count_max, listed));
    more = tables.more;
    if (more) after = tables.names.back();
  }
  return listed;
}

Result<Answer> answer_list_streams(const Call& call, const Input& input) {
  const Fields& request = input.fields();
  const size_t limit =
      request.has(kStreamsLimit) ? static_cast<size_t>(request.integer(kStreamsLimit)) : kStreamsPerPageMax;
  std::optional<StreamName> start;
  if (request.has(kStreamsStart)) start = TRY(parse_stream_arn(request.text(kStreamsStart)));
  engine::Engine& engine = call.database.engine();
  std::vector<ListedStream> listed;
  if (request.has(kStreamsTable)) {
    TRY(list_streams_of(engine, input.table(kStreamsTable), start, limit + 1, listed));
  } else {
    listed = TRY(list_all(engine, start, limit + 1));
  }
  const bool more = listed.size() > limit;
  if (more) listed.pop_back();
  return object_answer([&](JsonObject& object) {
    std::string& out = object.member("Streams");
    append_json_list(out, listed, [&](const ListedStream& stream) {
      JsonObject entry(out);
      entry.text("StreamArn", stream_arn(call.account, stream.table, stream.created_us));
      entry.text("TableName", stream.table);
      entry.text("StreamLabel", stream_label(stream.created_us));
    });
    if (more) {
      object.text("LastEvaluatedStreamArn",
                  stream_arn(call.account, listed.back().table, listed.back().created_us));
    }
  });
}

struct DescribedShard {
  std::string id;
  std::string first;
  std::optional<std::string> last;  // of a closed one
};

Result<std::vector<DescribedShard>> describe_shards(engine::Engine& engine,
                                                    const engine::StreamSettings& stream,
                                                    std::string_view after, size_t count_max) {
  std::vector<DescribedShard> shards;
  for (uint32_t shard = 0; shard < stream.shard_count() && shards.size() < count_max; ++shard) {
    DescribedShard described{.id = shard_id(stream, shard), .first = sequence_number(first_position(stream))};
    if (described.id <= after) continue;
    if (stream.closed_us != 0) {
      const std::optional<StreamPosition> last =
          TRY(engine::last_position(engine, stream, static_cast<uint8_t>(shard)));
      described.last = last ? sequence_number(*last) : described.first;
    }
    shards.push_back(std::move(described));
  }
  return shards;
}

void append_shard(std::string& out, const DescribedShard& shard) {
  JsonObject object(out);
  object.text("ShardId", shard.id);
  JsonObject range(object.member("SequenceNumberRange"));
  range.text("StartingSequenceNumber", shard.first);
  if (shard.last) range.text("EndingSequenceNumber", *shard.last);
}

Result<Answer> answer_describe_stream(const Call& call, const Input& input) {
  const Fields& request = input.fields();
  const FoundStream found = TRY(find_stream(call.database.engine(), request.text(kDescribeArn)));
  const engine::StreamSettings& stream = *found.stream;
  const size_t limit =
      request.has(kDescribeLimit) ? static_cast<size_t>(request.integer(kDescribeLimit)) : kShardsPerPageMax;
  // Shards are never split, so none has children.
  std::vector<DescribedShard> shards;
  if (!request.has(kDescribeFilter)) {
    shards = TRY(describe_shards(call.database.engine(), stream, request.text(kDescribeStart), limit + 1));
  }
  const bool more = shards.size() > limit;
  if (more) shards.pop_back();
  return object_answer([&](JsonObject& object) {
    std::string& out = object.member("StreamDescription");
    JsonObject description(out);
    const std::string& table = found.table->settings.name;
    description.text("StreamArn", stream_arn(call.account, table, stream.created_us));
    description.text("StreamLabel", stream_label(stream.created_us));
    description.text("StreamStatus", stream.closed_us == 0 ? "ENABLED" : "DISABLED");
    description.text("StreamViewType", view_name(stream.view));
    description.time("CreationRequestDateTime", stream.created_us);
    description.text("TableName", table);
    append_key_schema(description.member("KeySchema"), found.table->settings.key);
    append_json_list(description.member("Shards"), shards,
                     [&](const DescribedShard& shard) { append_shard(out, shard); });
    if (more) description.text("LastEvaluatedShardId", shards.back().id);
  });
}

// A place that a sequence number names. The beginning of a shard stays a place to begin at, however long ago
// it was.
Result<StreamPosition> position_of(engine::Engine& engine, const engine::StreamSettings& stream,
                                   const Fields& request) {
  const std::optional<StreamPosition> given = parse_sequence_number(request.text(kIteratorSequence));
  const StreamPosition first = first_position(stream);
  if (!given || *given < first) return invalid_parameter("Invalid SequenceNumber");
  if (*given == first) return kOldestRecord;
  if (given->stamp > engine.store.last_stamp()) return invalid_parameter("Invalid SequenceNumber");
  if (static_cast<int64_t>(given->stamp) < engine::stream_horizon_us(engine.clock.now_us()))
    return Error{Code::kTrimmed, "The data you are trying to access has been trimmed"};
  if (request.text(kIteratorType) == "AT_SEQUENCE_NUMBER") return *given;
  if (given->position == UINT16_MAX) return StreamPosition{.stamp = given->stamp + 1};
  return StreamPosition{.stamp = given->stamp, .position = static_cast<uint16_t>(given->position + 1)};
}

Result<StreamPosition> read_position(engine::Engine& engine, const engine::StreamSettings& stream,
                                     const Fields& request) {
  const std::string_view type = request.text(kIteratorType);
  if (type == "TRIM_HORIZON") return kOldestRecord;
  if (type == "LATEST") return engine::newest_position(engine);
  return position_of(engine, stream, request);
}

Result<void> check_sequence_wanted(const Fields& request) {
  const std::string type(request.text(kIteratorType));
  const bool wanted = type == "AT_SEQUENCE_NUMBER" || type == "AFTER_SEQUENCE_NUMBER";
  if (wanted == request.has(kIteratorSequence)) return {};
  return invalid_parameter(wanted ? "SequenceNumber is required when ShardIteratorType is " + type
                                  : "SequenceNumber must not be specified when ShardIteratorType is " + type);
}

Result<Answer> answer_get_shard_iterator(const Call& call, const Input& input) {
  const Fields& request = input.fields();
  TRY(check_sequence_wanted(request));
  engine::Engine& engine = call.database.engine();
  const FoundStream found = TRY(find_stream(engine, request.text(kIteratorArn)));
  const engine::StreamSettings& stream = *found.stream;
  uint32_t shard = 0;
  while (shard < stream.shard_count() && shard_id(stream, shard) != request.text(kIteratorShard)) ++shard;
  if (shard == stream.shard_count())
    return Error{Code::kNotFound, "Requested resource not found: Shard does not exist"};
  const StreamPosition from = TRY(read_position(engine, stream, request));
  const ShardIterator iterator{
      .stream_arn = stream_arn(call.account, found.table->settings.name, stream.created_us),
      .stream = stream.id,
      .shard = static_cast<uint8_t>(shard),
      .view = stream.view,
      .from = from,
      .made_us = engine.clock.now_us()};
  return object_answer([&](JsonObject& object) { object.text("ShardIterator", iterator.text()); });
}

void answer(Call call, const Input& input, Result<Answer> (*make)(const Call&, const Input&)) {
  Result<Answer> made = make(call, input);
  call.done(made.ok() ? std::move(*made) : error_answer(made.error()));
}

struct GetRecords {
  ShardIterator iterator;
  ReadStream read;
  std::string region;
};

Result<GetRecords> read_get_records(const Call& call, const Input& input) {
  const Fields& request = input.fields();
  GetRecords get{.region = call.account.region};
  get.iterator =
      TRY(ShardIterator::parse(request.text(kRecordsIterator), call.database.engine().clock.now_us()));
  const Result<StreamName> name = parse_stream_arn(get.iterator.stream_arn);
  if (!name.ok()) return Error{Code::kInvalid, "Invalid ShardIterator"};
  get.read = {.table = name->table,
              .stream = get.iterator.stream,
              .shard = get.iterator.shard,
              .from = get.iterator.from,
              .limit = request.has(kRecordsLimit) ? static_cast<uint32_t>(request.integer(kRecordsLimit))
                                                  : engine::kStreamRecordsMax};
  return get;
}

Result<StreamRead> read_records(engine::Engine& engine, const GetRecords& get,
                                const engine::ReadOptions& options) {
  Result<StreamRead> read = api::read_stream(engine, get.read, options);
  if (!read.ok() && read.error().code == Code::kNotFound) return no_such_stream(get.iterator.stream_arn);
  return read;
}

Answer records_answer(engine::Engine& engine, const GetRecords& get, const StreamRead& read) {
  const RecordOrigin origin{.region = get.region,
                            .stream = get.iterator.stream,
                            .shard = get.iterator.shard,
                            .view = get.iterator.view};
  return object_answer([&](JsonObject& object) {
    std::string& out = object.member("Records");
    append_json_list(out, read.events, [&](const ChangeEvent& event) { append_record(out, event, origin); });
    if (read.at_end) return;
    ShardIterator next = get.iterator;
    next.from = read.next;
    next.made_us = engine.clock.now_us();
    object.text("NextShardIterator", next.text());
  });
}

}  // namespace

constexpr Shape kListStreamsShape{
    .kind = Kind::kStructure, .class_name = "ListStreamsInput", .members = kListMembers};
constexpr Shape kDescribeStreamShape{
    .kind = Kind::kStructure, .class_name = "DescribeStreamInput", .members = kDescribeMembers};
constexpr Shape kGetShardIteratorShape{
    .kind = Kind::kStructure, .class_name = "GetShardIteratorInput", .members = kGetIteratorMembers};
constexpr Shape kGetRecordsShape{
    .kind = Kind::kStructure, .class_name = "GetRecordsInput", .members = kGetRecordsMembers};

void list_streams(Call call, const Input& input) { answer(std::move(call), input, answer_list_streams); }
void describe_stream(Call call, const Input& input) {
  answer(std::move(call), input, answer_describe_stream);
}
void get_shard_iterator(Call call, const Input& input) {
  answer(std::move(call), input, answer_get_shard_iterator);
}

void get_records(Call call, const Input& input) {
  Result<GetRecords> get = read_get_records(call, input);
  if (!get.ok()) return call.done(error_answer(get.error()));
  read_where_possible(std::move(call), std::move(*get), read_records,
                      [](engine::Engine& engine, const GetRecords& asked, const StreamRead& read) {
                        return records_answer(engine, asked, read);
                      });
}

}  // namespace sheaf::wire

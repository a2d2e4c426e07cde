#include "remote/stream_answers.h"

#include <charconv>

#include "base/try.h"
#include "remote/table_answers.h"
#include "wire/stream_places.h"
#include "wire/table_declarations.h"

namespace sheaf::remote {
namespace {

std::optional<ChangeEvent::Kind> event_kind(std::string_view name) {
  if (name == "INSERT") return ChangeEvent::Kind::kInsert;
  if (name == "MODIFY") return ChangeEvent::Kind::kModify;
  if (name == "REMOVE") return ChangeEvent::Kind::kRemove;
  return std::nullopt;
}

bool is_expiry(const Members& record) {
  const std::optional<Members> identity = record.object("userIdentity");
  return identity && identity->text("PrincipalId") == "dynamodb.amazonaws.com";
}

// True if its place is one of ours.
bool read_record(const Members& record, ChangeEvent& event) {
  const std::optional<Members> change = record.object("dynamodb");
  const std::optional<ChangeEvent::Kind> kind = event_kind(record.text("eventName"));
  if (!change || !kind) {
    record.reader().note("a record is none");
    return true;
  }
  event.kind = *kind;
  event.expired = is_expiry(record);
  event.key = change->item("Keys").value_or(Item());
  event.old_image = change->item("OldImage");
  event.new_image = change->item("NewImage");
  const auto place = wire::parse_sequence_number(change->text("SequenceNumber"));
  if (place) event.sequence = *place;
  return place.has_value();
}

// Adds one; notes whether the stream can still be read.
void read_shard(const Members& shard, StreamPlace& stream) {
  const std::string id = shard.text("ShardId");
  const std::optional<uint32_t> owner = stream_of_shard(id, stream.shards.size());
  const std::optional<Members> range = shard.object("SequenceNumberRange");
  const auto first = wire::parse_sequence_number(range ? range->text("StartingSequenceNumber") : "");
  if (!owner || !first || (!stream.shards.empty() && *owner != stream.description.id))
    stream.is_readable = false;
  if (owner && stream.is_readable) {
    stream.description.id = *owner;
    stream.first = *first;
  }
  stream.shards.push_back(id);
}

}  // namespace

std::optional<uint32_t> stream_of_shard(std::string_view shard_id, size_t shard) {
  const size_t dash = shard_id.rfind('-');
  if (!shard_id.starts_with("shardId-") || dash == std::string_view::npos || shard_id.size() - dash != 9)
    return std::nullopt;
  uint32_t number = 0;
  const char* const end = shard_id.data() + shard_id.size();
  const auto parsed = std::from_chars(shard_id.data() + dash + 1, end, number, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end || (number & 0xff) != shard) return std::nullopt;
  return number >> 8;
}

Result<StreamsPage> read_streams(Json json) {
  AnswerReader reader("ListStreams");
  const Members answer(reader, json);
  StreamsPage page;
  answer.objects("Streams", [&](const Members& stream) { page.arns.push_back(stream.text("StreamArn")); });
  page.last = answer.text("LastEvaluatedStreamArn");
  return reader.finish(std::move(page));
}

Result<ShardsPage> read_shards(Json json) {
  AnswerReader reader("DescribeStream");
  const std::optional<Members> found = Members(reader, json).object("StreamDescription");
  ShardsPage page;
  if (!found) {
    reader.note("StreamDescription is missing");
    return reader.finish(std::move(page));
  }
  StreamPlace& stream = page.stream;
  const std::string status = found->text("StreamStatus");
  stream.arn = found->text("StreamArn");
  stream.description = {.id = id_of(stream.arn),
                        .view = wire::stream_view(found->text("StreamViewType")),
                        .created_us = found->time_us("CreationRequestDateTime"),
                        .open = status == "ENABLED" || status == "ENABLING"};
  stream.is_readable = true;
  found->objects("Shards", [&](const Members& shard) { read_shard(shard, stream); });
  stream.description.shard_count = static_cast<uint32_t>(stream.shards.size());
  page.last = found->text("LastEvaluatedShardId");
  return reader.finish(std::move(page));
}

Result<std::string> read_iterator(Json json) {
  AnswerReader reader("GetShardIterator");
  std::string iterator = Members(reader, json).text("ShardIterator");
  if (iterator.empty()) reader.note("ShardIterator is missing");
  return reader.finish(std::move(iterator));
}

Result<RecordsPage> read_records(Json json) {
  AnswerReader reader("GetRecords");
  const Members answer(reader, json);
  RecordsPage page;
  bool is_readable = true;
  answer.objects("Records", [&](const Members& record) {
    is_readable &=
        read_record(record, page.events.emplace_back(ChangeEvent{.kind = ChangeEvent::Kind::kInsert}));
  });
  page.next_iterator = answer.text("NextShardIterator");
  page = TRY(reader.finish(std::move(page)));
  if (!is_readable)
    return Error{Code::kInvalid,
                 "the stream cannot be read over this endpoint: its sequence numbers are not Sheaf's"};
  return page;
}

}  // namespace sheaf::remote

#include "remote/stream_reader.h"

#include <algorithm>

#include "base/try.h"
#include "engine/streams.h"
#include "remote/stream_answers.h"
#include "remote/table_requests.h"
#include "wire/stream_places.h"

namespace sheaf::remote {
namespace {

Error not_readable() {
  return {Code::kInvalid,
          "the stream cannot be read over this endpoint: only those of Sheaf have shards and sequence "
          "numbers that "
          "stay"};
}

Error no_such_stream(const ReadStream& request) {
  return {Code::kNotFound,
          "Requested resource not found: Stream: " + std::to_string(request.stream) + " not found"};
}

// Behind everything that was written so far there is nothing to begin at yet.
bool is_beyond_the_end(const Error& error) {
  return error.code == Code::kInvalid && error.message.find("Invalid SequenceNumber") != std::string::npos;
}

StreamPosition behind(const ChangeEvent& event) {
  if (event.sequence.position == UINT16_MAX) return {.stamp = event.sequence.stamp + 1};
  return {.stamp = event.sequence.stamp, .position = static_cast<uint16_t>(event.sequence.position + 1)};
}

}  // namespace

Result<Answer> StreamReader::demand(std::string_view operation, std::string_view body) {
  Answer answer = TRY(client_.call_streams(operation, body));
  if (answer.exception()) return to_error(*answer.exception());
  return answer;
}

Result<std::optional<std::vector<StreamPlace>>> StreamReader::list(std::string_view table) {
  std::vector<StreamPlace> places;
  std::string last;
  do {
    const Answer answer = TRY(client_.call_streams(
        "ListStreams", object_json({{"TableName", table}, {"ExclusiveStartStreamArn", last}})));
    if (answer.exception()) return std::optional<std::vector<StreamPlace>>();
    StreamsPage page = TRY(read_streams(answer.json()));
    for (const std::string& arn : page.arns) {
      if (std::optional<StreamPlace> place = TRY(describe(arn))) places.push_back(std::move(*place));
    }
    last = std::move(page.last);
  } while (!last.empty());
  std::sort(places.begin(), places.end(), [](const StreamPlace& a, const StreamPlace& b) {
    return a.description.created_us < b.description.created_us;
  });
  return std::optional(std::move(places));
}

// Nothing if it is gone, or not ours to see.
Result<std::optional<StreamPlace>> StreamReader::describe(std::string_view arn) {
  std::optional<StreamPlace> place;
  std::string last;
  do {
    const Answer answer = TRY(client_.call_streams(
        "DescribeStream", object_json({{"StreamArn", arn}, {"ExclusiveStartShardId", last}})));
    if (answer.exception()) return std::optional<StreamPlace>();
    ShardsPage page = TRY(read_shards(answer.json()));
    last = std::move(page.last);
    if (!place) {
      place = std::move(page.stream);
    } else {
      place->shards.insert(place->shards.end(), page.stream.shards.begin(), page.stream.shards.end());
      place->is_readable = false;  // ours have fewer than a page
      place->description.shard_count = static_cast<uint32_t>(place->shards.size());
    }
  } while (!last.empty());
  return place;
}

Result<StreamPlace> StreamReader::find(const ReadStream& request) {
  const std::pair key(request.table, request.stream);
  {
    std::lock_guard lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  const std::optional<std::vector<StreamPlace>> places = TRY(list(request.table));
  if (!places) return not_readable();
  const auto found = std::find_if(places->begin(), places->end(), [&](const StreamPlace& place) {
    return place.description.id == request.stream;
  });
  if (found == places->end()) return no_such_stream(request);
  std::lock_guard lock(mutex_);
  known_.insert_or_assign(key, *found);
  return *found;
}

Result<std::optional<std::string>> StreamReader::begin(const StreamPlace& place, const ReadStream& request) {
  const bool from_the_first = request.from <= place.first;
  const std::string sequence = from_the_first ? "" : wire::sequence_number(request.from);
  Result<Answer> begun =
      demand("GetShardIterator",
             object_json({{"StreamArn", place.arn},
                          {"ShardId", place.shards[request.shard]},
                          {"ShardIteratorType", from_the_first ? "TRIM_HORIZON" : "AT_SEQUENCE_NUMBER"},
                          {"SequenceNumber", sequence}}));
  if (begun.ok()) return std::optional(TRY(read_iterator(begun->json())));
  if (is_beyond_the_end(begun.error())) return std::optional<std::string>();
  if (begun.error().code == Code::kNotFound) {
    std::lock_guard lock(mutex_);
    known_.erase({request.table, request.stream});
  }
  return std::move(begun).error();
}

// From behind the end there is nothing to read; but something may be yet to come, unless the stream was
// closed before this was found out.
Result<StreamRead> StreamReader::read_beyond_end(const StreamPlace& place, const ReadStream& request) {
  const std::optional<StreamPlace> now = TRY(describe(place.arn));
  if (!now || now->description.open) return StreamRead{.next = request.from};
  const bool is_still_beyond = !TRY(begin(place, request)).has_value();
  return StreamRead{.next = request.from, .at_end = is_still_beyond};
}

Result<StreamRead> StreamReader::read(const ReadStream& request) {
  const StreamPlace place = TRY(find(request));
  if (!place.is_readable) return not_readable();
  if (request.shard >= place.shards.size())
    return Error{Code::kNotFound, "Requested resource not found: Shard does not exist"};
  if (request.from != kOldestRecord &&
      static_cast<int64_t>(request.from.stamp) < engine::stream_horizon_us(clock_.now_us()))
    return Error{Code::kTrimmed, "The data you are trying to access has been trimmed"};
  const std::optional<std::string> iterator = TRY(begin(place, request));
  if (!iterator) return read_beyond_end(place, request);
  const Answer answer = TRY(demand(
      "GetRecords", object_json({{"ShardIterator", *iterator}, {.name = "Limit", .number = request.limit}})));
  RecordsPage page = TRY(read_records(answer.json()));

  StreamRead read{
      .events = std::move(page.events), .next = request.from, .at_end = page.next_iterator.empty()};
  if (!read.events.empty()) read.next = behind(read.events.back());
  // An iterator of ours tells its place, which may be further; how old it is does not matter for that.
  const Result<wire::ShardIterator> next = wire::ShardIterator::parse(page.next_iterator, 0);
  if (next.ok() && next->from > read.next) read.next = next->from;
  return read;
}

}  // namespace sheaf::remote

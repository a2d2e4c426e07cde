#include "programs/stream_reader.h"

#include <algorithm>

#include "programs/answer_text.h"
#include "programs/document.h"

namespace sheaf::programs {
namespace {

constexpr int64_t kHourUs = int64_t{3600} * 1'000'000;
constexpr uint64_t kAlmostFullBytes = 500'000;  // a read may end early from about twice this on

int64_t horizon_us(int64_t now_us) { return now_us - 24 * kHourUs; }

uint64_t bytes_of_event(const ChangeEvent& event) {
  return (event.old_image ? bytes_of(*event.old_image) : 0) +
         (event.new_image ? bytes_of(*event.new_image) : 0);
}

size_t first_kept(const std::vector<ReferenceEvent>& events, int64_t now_us) {
  size_t from = 0;
  while (from < events.size() && events[from].time_us < horizon_us(now_us)) ++from;
  return from;
}

}  // namespace

StreamReader::Difference StreamReader::Progress::take(const std::vector<ReferenceEvent>& events,
                                                      const ChangeEvent& event) {
  if (next >= events.size()) return "more events than there were changes: " + to_text(event);
  const std::string text = to_text(event);
  const uint64_t group = events[next].group;
  for (size_t at = next; at < events.size(); ++at) {
    if (at > next && (group == 0 || events[at].group != group)) break;
    if (ahead.contains(at) || to_text(events[at].event) != text) continue;
    // Its time is that of its sequence, which may be a little ahead of the clock.
    const int64_t late_us = event.time_us() - events[at].time_us;
    if (late_us < 0 || late_us > 1'000'000) return "the time is wrong of " + text;
    ahead.insert(at);
    while (ahead.erase(next) > 0) ++next;
    return std::nullopt;
  }
  return "expected event: " + to_text(events[next].event) + "\n  actual event: " + text;
}

StreamReader::Difference StreamReader::take_all(Progress& progress, const std::vector<ReferenceEvent>& events,
                                                const std::vector<ChangeEvent>& actual, StreamPosition from) {
  for (size_t i = 0; i < actual.size(); ++i) {
    const bool grows = i == 0 ? actual[i].sequence >= from : actual[i].sequence > actual[i - 1].sequence;
    if (!grows) return "the sequence does not grow at " + to_text(actual[i]);
    if (Difference difference = progress.take(events, actual[i])) return difference;
  }
  return std::nullopt;
}

StreamReader::Difference StreamReader::poll(Database& database, const ReferenceTable& table,
                                            const PollOperation& poll, int64_t now_us) {
  if (table.streams.empty()) return std::nullopt;
  const Result<TableDescription> described = database.describe_table(table.name);
  if (!described.ok() || described->streams.size() != table.streams.size())
    return "the streams are not those of the reference: " + to_text(described);
  const ReferenceStream& stream = table.streams.back();
  Reader& reader = readers_[table.name];
  if (reader.stream != described->streams.back().id) reader = {.stream = described->streams.back().id};

  for (uint32_t shard = 0; shard < kShardCount; ++shard) {
    const std::string where = "shard " + std::to_string(shard) + ": ";
    Cursor& cursor = reader.shards[shard];
    const std::vector<ReferenceEvent>& events = stream.shards[shard];
    if (poll.from == PollOperation::From::kOldest) cursor = {};
    if (poll.from == PollOperation::From::kNewest) {
      cursor = {.position = database.newest_position(),
                .progress = {.next = events.size()},
                .reached_end_us = now_us};
    }
    if (cursor.position == kOldestRecord) cursor.progress = {.next = first_kept(events, now_us)};
    const Result<StreamRead> read = database.read_stream({.table = table.name,
                                                          .stream = reader.stream,
                                                          .shard = shard,
                                                          .from = cursor.position,
                                                          .limit = poll.limit});
    const bool too_old =
        cursor.position != kOldestRecord && static_cast<int64_t>(cursor.position.stamp) < horizon_us(now_us);
    if (too_old != (!read.ok() && read.error().code == Code::kTrimmed)) {
      return where + "a position is trimmed when it is older than 24 hours, and only then: " +
             (read.ok() ? "read" : to_text(read.error()));
    }
    if (too_old) {
      if (cursor.reached_end_us >= 0 && now_us - cursor.reached_end_us < 12 * kHourUs)
        return where + "a reader that had everything within the last hours was told that it missed something";
      cursor = {};
      continue;
    }
    if (!read.ok()) return where + to_text(read.error());
    const size_t left = cursor.progress.left_of(events), count = read->events.size();
    if (const Difference difference = take_all(cursor.progress, events, read->events, cursor.position))
      return where + *difference;
    uint64_t bytes = 0;
    for (const ChangeEvent& event : read->events) bytes += bytes_of_event(event);
    if (count < std::min<size_t>(poll.limit, left) && (count == 0 || bytes < kAlmostFullBytes)) {
      return where + "only " + std::to_string(count) + " of " + std::to_string(left) +
             " events were read, limit " + std::to_string(poll.limit);
    }
    const bool all = count == left && count < poll.limit;
    if (all && read->at_end != stream.closed_us.has_value()) return where + "at_end is wrong";
    cursor.position = read->next;
    cursor.reached_end_us = all ? now_us : -1;
  }
  return std::nullopt;
}

StreamReader::Difference StreamReader::check(Database& database, const ReferenceTable& table,
                                             int64_t now_us) {
  const Result<TableDescription> described = database.describe_table(table.name);
  if (!described.ok() || described->streams.size() != table.streams.size())
    return "the streams are not those of the reference: " + to_text(described);
  for (size_t i = 0; i < table.streams.size(); ++i) {
    for (uint32_t shard = 0; shard < kShardCount; ++shard) {
      const std::string where = "stream " + std::to_string(i) + " shard " + std::to_string(shard) + ": ";
      const std::vector<ReferenceEvent>& events = table.streams[i].shards[shard];
      Progress progress{.next = first_kept(events, now_us)};
      StreamPosition from = kOldestRecord;
      for (size_t count = 1; count > 0;) {
        const Result<StreamRead> read = database.read_stream(
            {.table = table.name, .stream = described->streams[i].id, .shard = shard, .from = from});
        if (!read.ok()) return where + to_text(read.error());
        if (const Difference difference = take_all(progress, events, read->events, from))
          return where + *difference;
        count = read->events.size();
        from = read->next;
      }
      if (progress.left_of(events) != 0) return where + "misses " + to_text(events[progress.next].event);
    }
  }
  return std::nullopt;
}

}  // namespace sheaf::programs

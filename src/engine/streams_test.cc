#include "engine/streams.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/engine_fixture.h"
#include "store/faulty_store.h"

namespace sheaf::engine {
namespace {

using Kind = ChangeEvent::Kind;

class Streams : public EngineTest {
 protected:
  TableRef create_with(StreamView view) {
    TableSettings settings = collection_table("t");
    settings.streams = {{.view = view}};
    return create(settings);
  }

  // The shard in which the items of a partition key are.
  uint8_t shard_of(std::string_view partition) {
    const TableRef found = table("t");
    const ItemPlace place = *place_of_partition(*found, Item{{"PK", partition}});
    return found->settings.streams.back().shard_of(place.hash);
  }

  Result<StreamRead> read(StreamPosition from, uint32_t limit = kStreamRecordsMax,
                          std::string_view partition = "p") {
    const TableRef found = table("t");
    return read_stream(engine(), found->settings.streams.back(), shard_of(partition), from, limit);
  }

  void close_stream() { ASSERT_TRUE(update_table(engine(), "t", {.close_stream = true}).ok()); }
  void open_stream(StreamView view) { ASSERT_TRUE(update_table(engine(), "t", {.open_stream = view}).ok()); }
};

Item item(int n) { return Item{{"PK", "p"}, {"SK", "s"}, {"n", n}}; }
const Item kStreamKey{{"PK", "p"}, {"SK", "s"}};

TEST_F(Streams, EveryChangeOfAnItemIsThereInOrder) {
  create_with(StreamView::kNewAndOldImages);
  put("t", item(1));
  put("t", item(2));
  update("t", kStreamKey, "SET n = :three", {{":three", 3}});
  remove("t", kStreamKey);
  const std::vector<ChangeEvent> found = events("t");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].kind, Kind::kInsert);
  EXPECT_EQ(found[0].old_image, std::nullopt);
  EXPECT_EQ(found[0].new_image, item(1));
  EXPECT_EQ(found[1].kind, Kind::kModify);
  EXPECT_EQ(found[1].old_image, item(1));
  EXPECT_EQ(found[1].new_image, item(2));
  EXPECT_EQ(found[2].kind, Kind::kModify);
  EXPECT_EQ(found[2].new_image, item(3));
  EXPECT_EQ(found[3].kind, Kind::kRemove);
  EXPECT_EQ(found[3].old_image, item(3));
  EXPECT_EQ(found[3].new_image, std::nullopt);
  for (const ChangeEvent& event : found) {
    EXPECT_EQ(event.key, kStreamKey);
    EXPECT_FALSE(event.expired);
    EXPECT_GE(event.time_us(), kTestStartUs);
    EXPECT_LT(event.time_us(), kTestStartUs + kSecondUs);
  }
}

TEST_F(Streams, WhatChangesNothingLeavesNoRecord) {
  create_with(StreamView::kNewAndOldImages);
  put("t", item(1));
  put("t", item(1));
  update("t", kStreamKey, "SET n = :one", {{":one", 1}});
  update("t", kStreamKey, "REMOVE nothing");
  remove("t", Item{{"PK", "p"}, {"SK", "none"}});
  update("t", Item{{"PK", "p"}, {"SK", "none"}}, "REMOVE n");
  EXPECT_FALSE(write_one(engine(), put_write(table("t"), item(9), condition_of("attribute_exists(nowhere)")))
                   ->applied);
  EXPECT_EQ(events("t").size(), 1u);
}

TEST_F(Streams, TheViewDecidesWhatIsKept) {
  const std::tuple<StreamView, bool, bool> views[] = {{StreamView::kKeysOnly, false, false},
                                                      {StreamView::kNewImage, false, true},
                                                      {StreamView::kOldImage, true, false},
                                                      {StreamView::kNewAndOldImages, true, true}};
  create(collection_table("t"));
  for (const auto& [view, has_old, has_new] : views) {
    put("t", item(1));
    open_stream(view);
    put("t", item(2));
    const std::vector<ChangeEvent> found = events("t");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].key, kStreamKey);
    EXPECT_EQ(found[0].old_image.has_value(), has_old);
    EXPECT_EQ(found[0].new_image.has_value(), has_new);
    close_stream();
  }
}

TEST_F(Streams, TheRecordsOfACollectionAreInOneShard) {
  create_with(StreamView::kKeysOnly);
  for (int i = 0; i < 50; ++i) {
    put("t", Item{{"PK", "p" + std::to_string(i)}, {"SK", "1"}});
    put("t", Item{{"PK", "p" + std::to_string(i)}, {"SK", "2"}});
  }
  size_t shards_used = 0, total = 0;
  for (uint8_t shard = 0; shard < 4; ++shard) {
    const Result<StreamRead> found =
        read_stream(engine(), table("t")->settings.streams.back(), shard, kOldestRecord, 1000);
    ASSERT_TRUE(found.ok()) << outcome_of(found);
    shards_used += !found->events.empty();
    total += found->events.size();
    for (const ChangeEvent& event : found->events) EXPECT_EQ(shard_of(event.key.find("PK")->bytes()), shard);
  }
  EXPECT_EQ(total, 100u);
  EXPECT_EQ(shards_used, 4u);
}

TEST_F(Streams, AReaderGoesOnWhereItStopped) {
  create_with(StreamView::kNewImage);
  for (int i = 0; i < 10; ++i) put("t", item(i));
  StreamPosition next = kOldestRecord;
  for (int i = 0; i < 10; i += 3) {
    const Result<StreamRead> found = read(next, 3);
    ASSERT_TRUE(found.ok()) << outcome_of(found);
    ASSERT_EQ(found->events.size(), i == 9 ? 1u : 3u);
    EXPECT_EQ(found->events.front().new_image, item(i));
    next = found->next;
  }
  EXPECT_TRUE(read(next)->events.empty());
  put("t", item(10));
  EXPECT_EQ(read(read(next)->next)->events.size(), 0u) << "seen by the read before";
  EXPECT_EQ(read(next)->events.size(), 1u);
  EXPECT_FALSE(read(next)->at_end) << "more may come";
}

TEST_F(Streams, TheNewestPositionIsBehindEverythingWritten) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  const StreamPosition newest = newest_position(engine());
  EXPECT_TRUE(read(newest)->events.empty());
  put("t", item(2));
  ASSERT_EQ(read(newest)->events.size(), 1u);
  EXPECT_EQ(read(newest)->events.front().new_image, item(2));
}

TEST_F(Streams, AReadReturnsAboutAMegabyteAtMost) {
  create_with(StreamView::kNewAndOldImages);
  for (int i = 0; i < 8; ++i) {
    put("t", Item{{"PK", "p"}, {"SK", std::to_string(100 + i)}, {"b", std::string(300'000, 'x')}});
  }
  const Result<StreamRead> first = read(kOldestRecord);
  ASSERT_TRUE(first.ok()) << outcome_of(first);
  EXPECT_EQ(first->events.size(), 4u) << "the one that reaches the megabyte is the last";
  EXPECT_EQ(read(first->next)->events.size(), 4u);
}

// A slice of the store has 64 KB, three of these records.
TEST_F(Streams, ARecordOfAnySliceCanBeTheLast) {
  create_with(StreamView::kNewImage);
  for (int i = 0; i < 70; ++i) {
    put("t", Item{{"PK", "p"}, {"SK", std::to_string(100 + i)}, {"b", std::string(20'000, 'x')}});
  }
  size_t expected = 0, bytes = 0;
  for (const auto& [key, row] : rows_of(store(), store::Space::kLog)) {
    if (bytes >= kStreamBytesMax) break;
    bytes += row.size();
    ++expected;
  }
  EXPECT_NE(expected % 3, 0u) << "in the middle of a slice";
  const Result<StreamRead> found = read(kOldestRecord);
  ASSERT_TRUE(found.ok()) << outcome_of(found);
  EXPECT_EQ(found->events.size(), expected);
  EXPECT_EQ(read(found->next)->events.size(), 70 - expected);
}

TEST_F(Streams, AClosedStreamCanBeReadToItsEnd) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  put("t", item(2));
  close_stream();
  put("t", item(3));
  const Result<StreamRead> first = read(kOldestRecord, 1);
  EXPECT_FALSE(first->at_end);
  const Result<StreamRead> second = read(first->next, 1);
  ASSERT_EQ(second->events.size(), 1u);
  EXPECT_EQ(second->events.front().new_image, item(2)) << "what came after it was closed is not in it";
  const Result<StreamRead> third = read(second->next, 1);
  EXPECT_TRUE(third->events.empty());
  EXPECT_TRUE(third->at_end);
  EXPECT_TRUE(read(kOldestRecord)->at_end) << "in one read as well";
}

TEST_F(Streams, AReopenedStreamIsANewOne) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  close_stream();
  clock().advance_us(kHourUs);
  open_stream(StreamView::kKeysOnly);
  put("t", item(2));
  const std::vector<StreamSettings> streams = table("t")->settings.streams;
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_NE(streams[0].id, streams[1].id);
  EXPECT_NE(streams[0].closed_us, 0);
  EXPECT_EQ(streams[1].closed_us, 0);
  EXPECT_EQ(streams[1].created_us, kTestStartUs + kHourUs);
  const Result<StreamRead> old = read_stream(engine(), streams[0], shard_of("p"), kOldestRecord, 10);
  ASSERT_EQ(old->events.size(), 1u);
  EXPECT_EQ(old->events.front().new_image, item(1));
  EXPECT_EQ(events("t").size(), 1u);
}

TEST_F(Streams, OpeningTwiceAndClosingTwiceAreRefused) {
  create(collection_table("t"));
  EXPECT_EQ(outcome_of(update_table(engine(), "t", {.close_stream = true})),
            "Table has no stream to disable: TableName: t");
  open_stream(StreamView::kKeysOnly);
  EXPECT_EQ(outcome_of(update_table(engine(), "t", {.open_stream = StreamView::kNewImage})),
            "Table already has an enabled stream: TableName: t");
}

TEST_F(Streams, AReaderThatMustNotWaitIsToldToAskAgain) {
  store::FaultyStore cold(store::open_memory_store(clock()), {.would_block = 1});
  Engine engine_over_it(cold, clock(), {});
  const StreamSettings stream{.id = 1};
  int told = 0;
  for (int i = 0; i < 50; ++i) {  // it blocks somewhere: sometimes behind the end
    const Result<StreamRead> at_once =
        read_stream(engine_over_it, stream, 0, kOldestRecord, 10, {.cached_only = true});
    told += !at_once.ok() && at_once.error().code == Code::kWouldBlock;
    EXPECT_TRUE(read_stream(engine_over_it, stream, 0, kOldestRecord, 10, {}).ok());
  }
  EXPECT_GT(told, 0);
}

TEST_F(Streams, TheLastRecordOfAShardIsKnown) {
  create_with(StreamView::kNewImage);
  const auto last = [&] {
    return *last_position(engine(), table("t")->settings.streams.back(), shard_of("p"));
  };
  EXPECT_EQ(last(), std::nullopt);
  put("t", item(1));
  put("t", item(2));
  EXPECT_EQ(last(), read(kOldestRecord)->events.back().sequence);
  clock().advance_us(kStreamRetentionUs + kHourUs);
  run_all_jobs();
  EXPECT_EQ(last(), std::nullopt) << "trimmed";
}

TEST_F(Streams, APositionOlderThanADayIsTrimmed) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  const StreamPosition first = read(kOldestRecord)->events.front().sequence;
  clock().advance_us(kStreamRetentionUs - kSecondUs);
  EXPECT_EQ(read(first)->events.size(), 1u);
  clock().advance_us(2 * kSecondUs);
  const Result<StreamRead> late = read(first);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().code, Code::kTrimmed);
}

// Nothing was missed, so nothing may look as if it had been.
TEST_F(Streams, AQuietStreamCanBeFollowedForDays) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  StreamPosition next = read(kOldestRecord)->next;
  for (int round = 0; round < 12; ++round) {
    clock().advance_us(6 * kHourUs);
    const Result<StreamRead> found = read(next);
    ASSERT_TRUE(found.ok()) << outcome_of(found);
    EXPECT_TRUE(found->events.empty());
    next = found->next;
  }
  clock().advance_us(-kHourUs);  // a clock may be put back
  put("t", item(2));
  const Result<StreamRead> found = read(next);
  ASSERT_TRUE(found.ok()) << outcome_of(found);
  ASSERT_EQ(found->events.size(), 1u);
  EXPECT_EQ(found->events.front().new_image, item(2));
}

TEST_F(Streams, TheOldestRecordIsTheOldestThatIsKept) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  clock().advance_us(kStreamRetentionUs - kHourUs);
  put("t", item(2));
  EXPECT_EQ(read(kOldestRecord)->events.size(), 2u);
  clock().advance_us(2 * kHourUs);
  const Result<StreamRead> found = read(kOldestRecord);
  ASSERT_TRUE(found.ok()) << outcome_of(found);
  ASSERT_EQ(found->events.size(), 1u) << "though nothing has been removed yet";
  EXPECT_EQ(found->events.front().new_image, item(2));
}

TEST_F(Streams, ADamagedRecordIsSaidToBeDamaged) {
  create_with(StreamView::kNewImage);
  put("t", item(1));
  const Rows log = rows_of(store(), store::Space::kLog);
  store::Batch batch;
  batch.put(log.begin()->first, "damaged");
  commit(store(), std::move(batch));
  EXPECT_EQ(read(kOldestRecord).error().code, Code::kCorrupt);
}

// Readers that follow writers miss nothing and see nothing twice.
TEST_F(Streams, AReaderMissesNothingWhileWritersWrite) {
  constexpr int kWriters = 4, kRounds = 200;
  create_with(StreamView::kNewImage);
  std::vector<std::thread> writers;
  std::atomic<int> left = kWriters;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        put("t", Item{{"PK", "p"}, {"SK", "writer" + std::to_string(i)}, {"n", round}});
      }
      --left;
    });
  }
  std::map<std::string, int64_t> seen;
  size_t total = 0;
  StreamPosition next = kOldestRecord;
  for (bool finished = false; !finished;) {
    finished = left == 0;  // before the last read
    const Result<StreamRead> found = read(next, 50);
    ASSERT_TRUE(found.ok()) << outcome_of(found);
    for (const ChangeEvent& event : found->events) {
      int64_t& count = seen[std::string(event.key.find("SK")->bytes())];
      EXPECT_EQ(*event.new_image->find("n")->number().to_int64(), count++);
      ++total;
    }
    next = found->next;
    finished = finished && found->events.empty();
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(total, static_cast<size_t>(kWriters * kRounds));
}

}  // namespace
}  // namespace sheaf::engine

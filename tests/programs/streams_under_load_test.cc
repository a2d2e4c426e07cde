// Readers and index builders while sixteen threads write.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <set>

#include "programs/event_chain.h"
#include "programs/histories.h"

namespace sheaf::programs {
namespace {

constexpr uint32_t kWriters = 16;
constexpr uint32_t kItems = 60;

class StreamsUnderLoad : public testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(
        database_
            ->create_table({.table = "busy",
                            .key = {.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kNumber}}},
                            .stream = StreamView::kNewAndOldImages})
            .ok());
    stream_ = database_->describe_table("busy").value().streams.back();
  }

  static Item key_of(uint64_t item) {
    return {{"pk", "p" + std::to_string(item % 7)}, {"sk", static_cast<int64_t>(item)}};
  }

  // Many, so that an entry that is forgotten under one of them stays there.
  static Value group(Dice& dice) { return Value("g" + std::to_string(dice.below(500))); }

  UpdateItem increment(Dice& dice) const {
    UpdateItem update{.table = "busy",
                      .key = key_of(dice.below(kItems)),
                      .update = "ADD n :one SET gp = :gp",
                      .values = {{":one", 1}, {":gp", group(dice)}}};
    if (dice.one_in(5)) {
      update.update = "ADD n :one REMOVE gp";
      update.values = {{":one", 1}};
    }
    return update;
  }

  // Everything that writes: updates, puts, deletes, transactions, batches.
  void write(Dice& dice) {
    const uint64_t kind = dice.below(10);
    if (kind < 5) {
      const UpdateItem update = increment(dice);
      insist([&] { return database_->update_item(update); });
    } else if (kind < 6) {
      Item item = key_of(dice.below(kItems));
      item.set("n", Value(static_cast<int64_t>(dice.below(1000))));
      if (dice.one_in(2)) item.set("gp", group(dice));
      insist([&] { return database_->put_item({.table = "busy", .item = item}); });
    } else if (kind < 7) {
      const Item key = key_of(dice.below(kItems));
      insist([&] { return database_->delete_item({.table = "busy", .key = key}); });
    } else if (kind < 9) {
      TransactWriteItems transaction;
      std::set<std::string> keys;
      for (int i = 0; i < 3; ++i) {
        const UpdateItem update = increment(dice);
        if (keys.emplace(update.key.encoded()).second) transaction.actions.emplace_back(update);
      }
      insist([&] { return database_->transact_write_items(transaction); });
    } else {
      std::vector<BatchWriteItems::Write> writes;
      for (uint64_t item = dice.below(5); item < kItems; item += 9) {
        Item put = key_of(item);
        put.set("gp", Value("b"));
        writes.push_back({.put = true, .item = put});
      }
      insist([&] { return database_->batch_write_items({.tables = {{"busy", writes}}}); });
    }
  }

  // Follows one shard from its beginning until `finished` and nothing more comes.
  std::vector<ChangeEvent> follow(uint32_t shard, const std::atomic<bool>& finished, uint32_t limit) {
    std::vector<ChangeEvent> events;
    StreamPosition from = kOldestRecord;
    for (;;) {
      const bool last_round = finished.load();
      const Result<StreamRead> read = database_->read_stream(
          {.table = "busy", .stream = stream_.id, .shard = shard, .from = from, .limit = limit});
      if (!read.ok()) {
        ADD_FAILURE() << read.error().message;
        return events;
      }
      events.insert(events.end(), read->events.begin(), read->events.end());
      from = read->next;
      if (read->events.empty() && last_round) return events;
    }
  }

  void expect_complete(const std::vector<ChangeEvent>& events) {
    std::map<std::string, Item> now;
    for (const Item& item : scan_all(*database_, "busy")) {
      Item key;
      key.set("pk", *item.find("pk"));
      key.set("sk", *item.find("sk"));
      now.emplace(key.encoded(), item);
    }
    const std::optional<std::string> broken = find_break(events, now);
    EXPECT_FALSE(broken) << *broken;
  }

  void add_index(const std::string& name) {
    const IndexDeclaration index{.name = name, .key = {.partition = {{"gp", Type::kString}}}};
    const Result<TableDescription> added = database_->update_table({.table = "busy", .add_index = index});
    EXPECT_TRUE(added.ok()) << added.error().message;
    wait_for_index(name);
  }

  void remove_index(const std::string& name) {
    EXPECT_TRUE(database_->update_table({.table = "busy", .remove_index = name}).ok());
    wait_for_index(name);
  }

  // Waits until the index is ready to be read, or gone.
  void wait_for_index(const std::string& name) {
    for (;;) {
      const Result<TableDescription> described = database_->describe_table("busy");
      ASSERT_TRUE(described.ok());
      bool in_transit = false;
      for (const IndexDescription& index : described->indexes)
        in_transit |= index.name == name && index.status != IndexStatus::kActive;
      if (!in_transit) return;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  // A9, A10: the index holds exactly what the items of the table imply, and its totals say so.
  void expect_index_fits(const std::string& name) {
    std::multiset<std::string> expected, actual;
    int64_t bytes = 0;
    for (const Item& item : scan_all(*database_, "busy")) {
      if (!item.find("gp")) continue;
      expected.insert(item.to_json());
      bytes += item.view().size_bytes();
    }
    for (const Item& item : scan_all(*database_, "busy", name)) actual.insert(item.to_json());
    EXPECT_EQ(expected, actual) << "in index " << name;
    const Result<TableDescription> described = database_->describe_table("busy");
    ASSERT_TRUE(described.ok());
    for (const IndexDescription& index : described->indexes) {
      if (index.name != name) continue;
      EXPECT_EQ(index.item_count, static_cast<int64_t>(expected.size())) << name;
      EXPECT_EQ(index.size_bytes, bytes) << name;
    }
  }

  // Runs the writers, two readers of every shard, and `beside` on one more thread.
  template <typename Beside>
  void run(Beside beside) {
    const uint32_t shards = stream_.shard_count;
    std::atomic<uint32_t> writing = kWriters;
    std::atomic<bool> finished = false;
    std::vector<std::vector<ChangeEvent>> read(size_t{2} * shards);
    run_threads(kWriters + 2 * shards + 1, [&](uint32_t thread) {
      if (thread < kWriters) {
        Dice dice(thread + 1);
        for (uint32_t i = 0; i < scaled(250, GetParam()); ++i) write(dice);
        if (writing.fetch_sub(1) == 1) finished = true;
      } else if (thread < kWriters + 2 * shards) {
        const uint32_t reader = thread - kWriters;
        read[reader] = follow(reader % shards, finished, reader < shards ? 1000 : 3);
      } else {
        beside(finished);
      }
    });
    std::vector<ChangeEvent> all;
    for (uint32_t shard = 0; shard < shards; ++shard) {
      const auto sequences = [](const std::vector<ChangeEvent>& events) {
        std::vector<StreamPosition> positions;
        for (const ChangeEvent& event : events) positions.push_back(event.sequence);
        return positions;
      };
      EXPECT_EQ(sequences(read[shard]), sequences(read[shards + shard])) << "two readers of one shard";
      all.insert(all.end(), read[shard].begin(), read[shard].end());
    }
    EXPECT_GT(all.size(), size_t{kWriters} * 20);
    expect_complete(all);
  }

  SharedDatabase database_{GetParam()};
  StreamDescription stream_;
};

TEST_P(StreamsUnderLoad, ReadersMissNothingAndSeeTheChangesOfAnItemInOrder) {
  run([](const std::atomic<bool>&) {});
}

// A7: a global index can be added to a table that is in use, and nobody who reads the stream notices.
TEST_P(StreamsUnderLoad, ReadersMissNothingWhileIndexesComeAndGo) {
  run([this](const std::atomic<bool>& finished) {
    for (int round = 0; !finished; ++round) {
      const std::string name = "by-gp-" + std::to_string(round % 3);
      if (round >= 3) remove_index(name);
      add_index(name);
    }
  });
  const Result<TableDescription> described = database_->describe_table("busy");
  ASSERT_TRUE(described.ok());
  for (const IndexDescription& index : described->indexes) expect_index_fits(index.name);
}

TEST_P(StreamsUnderLoad, AnIndexThatIsFilledUnderLoadHoldsWhatTheItemsImply) {
  const uint32_t rounds = scaled(GetParam() == StoreKind::kDisk ? 20 : 150, GetParam());
  for (uint32_t round = 0; round < rounds; ++round) {
    std::atomic<bool> added = false;
    run_threads(kWriters + 1, [&](uint32_t thread) {
      if (thread == kWriters) {
        add_index("by-gp");
        added = true;
        return;
      }
      Dice dice(uint64_t{round} * 100 + thread);
      for (uint32_t i = 0; i < 5 || !added; ++i) write(dice);
    });
    expect_index_fits("by-gp");
    if (HasFailure()) return;
    remove_index("by-gp");
  }
}

class TablesUnderLoad : public testing::TestWithParam<StoreKind> {
 protected:
  static CreateTable table() {
    return {
        .table = "busy",
        .key = {.partition = {{"pk", Type::kString}}, .sort = {{"sk", Type::kNumber}}},
        .local_indexes = {{.name = "by-v",
                           .key = {.partition = {{"pk", Type::kString}}, .sort = {{"v", Type::kNumber}}}}},
        .stream = StreamView::kNewAndOldImages};
  }

  SharedDatabase database_{GetParam(), false};
};

// A20: totals and sizes of item collections are those of the items, whatever happened to the table.
TEST_P(TablesUnderLoad, ATableThatIsMadeAnewHoldsOnlyWhatWasWrittenToIt) {
  ASSERT_TRUE(database_->create_table(table()).ok());
  std::atomic<uint32_t> writing = kWriters;
  std::atomic<uint64_t> writes = 0;
  run_threads(kWriters + 1, [&](uint32_t thread) {
    if (thread == kWriters) {
      for (uint64_t seen = 0; writing > 0; std::this_thread::yield()) {
        if (writes < seen + 300) continue;
        seen = writes;
        EXPECT_TRUE(database_->delete_table("busy").ok());
        Result<TableDescription> made = database_->create_table(table());
        for (; !made.ok(); made = database_->create_table(table())) {
          EXPECT_EQ(made.error().code, Code::kInUse) << made.error().message;
          EXPECT_TRUE(database_->run_background_work().ok());
        }
      }
      return;
    }
    Dice dice(thread + 1);
    for (uint32_t done = 0, i = 0; done < scaled(200, GetParam()); ++i) {
      Item item{{"pk", "p" + std::to_string(dice.below(3))}, {"sk", static_cast<int64_t>(dice.below(40))}};
      item.set("v", Value(static_cast<int64_t>(i)));
      const Result<Written> written = database_->put_item({.table = "busy", .item = item});
      EXPECT_TRUE(written.ok() || written.error().code == Code::kNotFound ||
                  written.error().code == Code::kConflict)
          << written.error().message;
      done += written.ok();
      writes += written.ok();
    }
    --writing;
  });

  std::map<std::string, CollectionSize> collections;
  int64_t items = 0, bytes = 0;
  for (const Item& item : scan_all(*database_, "busy")) {
    const int64_t size = item.view().size_bytes();
    CollectionSize& collection = collections[std::string(item.find("pk")->bytes())];
    ++collection.item_count;
    collection.size_bytes += 2 * size;  // the index holds all of it once more
    ++items;
    bytes += size;
  }
  const Result<TableDescription> described = database_->describe_table("busy");
  ASSERT_TRUE(described.ok());
  EXPECT_GT(items, 0);
  EXPECT_EQ(described->item_count, items);
  EXPECT_EQ(described->size_bytes, bytes);
  EXPECT_EQ(described->indexes.front().item_count, items);
  EXPECT_EQ(scan_all(*database_, "busy", "by-v").size(), static_cast<size_t>(items));
  for (int i = 0; i < 3; ++i) {
    const std::string name = "p" + std::to_string(i);
    const Result<CollectionSize> size = database_->collection_size("busy", {{"pk", name}});
    ASSERT_TRUE(size.ok());
    EXPECT_EQ(size->item_count, collections[name].item_count);
    EXPECT_EQ(size->size_bytes, collections[name].size_bytes);
  }
}

// An item whose life was prolonged while others were expiring is left alone.
TEST_P(TablesUnderLoad, TimeToLiveRemovesOnlyWhatIsDue) {
  ASSERT_TRUE(database_->create_table(table()).ok());
  ASSERT_TRUE(database_->update_time_to_live("busy", "ttl", true).ok());
  std::atomic<uint32_t> writing = kWriters;
  run_threads(kWriters + 1, [&](uint32_t thread) {
    if (thread == kWriters) {
      while (writing > 0) {
        database_.clock().advance_us(2'000'000);
        EXPECT_TRUE(database_->run_background_work().ok());
      }
      return;
    }
    Dice dice(thread + 1);
    for (uint32_t i = 0; i < scaled(400, GetParam()); ++i) {
      const int64_t now_s = database_.clock().now_us() / 1'000'000;
      const int64_t ttl = dice.one_in(2) ? now_s - 5 : now_s + 1'000'000'000;
      const Item item{{"pk", "p"},
                      {"sk", static_cast<int64_t>(dice.below(20))},
                      {"ttl", ttl},
                      {"writer", static_cast<int64_t>(thread)},
                      {"i", static_cast<int64_t>(i)}};
      insist([&] { return database_->put_item({.table = "busy", .item = item}); });
    }
    --writing;
  });
  database_.clock().advance_us(10'000'000);
  for (int round = 0; round < 200; ++round) {
    EXPECT_TRUE(database_->run_background_work().ok());
    database_.clock().advance_us(2'000'000);
  }
  const int64_t now_s = database_.clock().now_us() / 1'000'000;
  for (const Item& item : scan_all(*database_, "busy"))
    EXPECT_GT(*item.find("ttl")->number().to_int64(), now_s) << "was due and is still there";
  const StreamDescription stream = database_->describe_table("busy").value().streams.back();
  uint32_t expired = 0;
  for (uint32_t shard = 0; shard < stream.shard_count; ++shard) {
    StreamPosition from = kOldestRecord;
    for (bool more = true; more;) {
      const StreamRead read =
          database_->read_stream({.table = "busy", .stream = stream.id, .shard = shard, .from = from})
              .value();
      for (const ChangeEvent& event : read.events) {
        if (!event.expired) continue;
        ++expired;
        EXPECT_LT(*event.old_image->find("ttl")->number().to_int64(), event.time_us() / 1'000'000);
      }
      more = !read.events.empty();
      from = read.next;
    }
  }
  EXPECT_GT(expired, 5u);
}

INSTANTIATE_TEST_SUITE_P(Stores, TablesUnderLoad, testing::ValuesIn(kStoreKinds), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StreamsUnderLoad, testing::ValuesIn(kStoreKinds), store_name);

}  // namespace
}  // namespace sheaf::programs

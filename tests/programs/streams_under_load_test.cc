// Stream readers and index builders while sixteen threads write.
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
  const bool fast = GetParam() == StoreKind::kMemory || GetParam() == StoreKind::kDisk;
  const uint32_t rounds = scaled(fast ? 30 : 150, GetParam());
  for (uint32_t round = 0; round < rounds; ++round) {
    std::atomic<bool> added = false;
    run_threads(kWriters + 1, [&](uint32_t thread) {
      if (thread == kWriters) {
        add_index("by-gp");
        added = true;
        return;
      }
      Dice dice(uint64_t{round} * 100 + thread);
      for (uint32_t i = 0; i < 5 || !added; ++i) {
        write(dice);
        std::this_thread::sleep_for(std::chrono::microseconds(500));
      }
    });
    expect_index_fits("by-gp");
    if (HasFailure()) return;
    remove_index("by-gp");
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, StreamsUnderLoad, testing::ValuesIn(kStoreKinds), store_name);

}  // namespace
}  // namespace sheaf::programs

// Tables that come and go, and items that expire, while sixteen threads write.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "programs/histories.h"

namespace sheaf::programs {
namespace {

constexpr uint32_t kWriters = 16;

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
  for (int i = 0; i < 3; ++i) {  // the table may have been made anew after the last write
    const Item item{{"pk", "p" + std::to_string(i)}, {"sk", 40}, {"v", i}};
    ASSERT_TRUE(database_->put_item({.table = "busy", .item = item}).ok());
  }

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
  EXPECT_GE(items, 3);
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

}  // namespace
}  // namespace sheaf::programs

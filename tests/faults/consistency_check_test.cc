// The check itself: it finds nothing in a sound database, and what is wrong in one that lies about itself.
#include "consistency_check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "api/forwarding_database.h"
#include "workload.h"
#include "workload_check.h"

namespace sheaf::faults {
namespace {

// A sound database seen through a glass that can be bent.
class BentDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  std::function<void(TableDescription&)> bend_description;
  std::function<void(const Scan&, std::vector<Item>&)> bend_scan;
  std::function<void(CollectionSize&)> bend_collection;
  std::function<void(std::vector<ChangeEvent>&)> bend_events;

  Result<TableDescription> describe_table(std::string_view table) override {
    Result<TableDescription> result = inner_.describe_table(table);
    if (result.ok() && bend_description) bend_description(*result);
    return result;
  }
  Result<Page> scan(const Scan& request) override {
    Result<Page> result = inner_.scan(request);
    if (!result.ok() || !bend_scan) return result;
    std::vector<Item> items;
    for (size_t i = 0; i < result->items.size(); ++i) items.emplace_back(result->items[i]);
    bend_scan(request, items);
    result->items = ItemList();
    for (const Item& item : items) result->items.append(item);
    return result;
  }
  Result<CollectionSize> collection_size(std::string_view table, const Item& partition_key) override {
    Result<CollectionSize> result = inner_.collection_size(table, partition_key);
    if (result.ok() && bend_collection) bend_collection(*result);
    return result;
  }
  Result<StreamRead> read_stream(const ReadStream& request) override {
    Result<StreamRead> result = inner_.read_stream(request);
    if (result.ok() && bend_events && !result->events.empty()) bend_events(result->events);
    return result;
  }
};

class ConsistencyCheckTest : public ::testing::Test {
 protected:
  // A database after a while of the workload.
  ConsistencyCheckTest() : sound_(Database::open_in_memory()), bent_(*sound_) {
    std::atomic<bool> stop = false;
    std::thread observer([&] {
      while (!every_writer_is_busy()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      stop = true;
    });
    Workload(*sound_, journal_, 1).run(stop);
    observer.join();
    EXPECT_EQ(settle(*sound_), "");
  }

  bool every_writer_is_busy() const {
    constexpr uint32_t kWritesMin = 100;
    for (const auto& items : journal_.items) {
      uint32_t writes = 0;
      for (const Steps& steps : items) writes += steps.acknowledged.load();
      if (writes < kWritesMin) return false;
    }
    return true;
  }

  // What the check says of the bent database.
  std::string first_problem() {
    const ConsistencyReport report = check_consistency(bent_);
    return report.problems.empty() ? "" : report.problems.front();
  }
  void expect_problem(const std::string& part) {
    const std::string problem = first_problem();
    EXPECT_NE(problem.find(part), std::string::npos) << "said: " << problem;
  }

  WorkloadJournal journal_{};
  std::unique_ptr<Database> sound_;
  BentDatabase bent_;
};

TEST_F(ConsistencyCheckTest, FindsNothingWrongInASoundDatabase) {
  const ConsistencyReport report = check_consistency(bent_);
  EXPECT_EQ(report.problems, std::vector<std::string>());
  EXPECT_GE(report.tables, 3u);
  EXPECT_GE(report.items, static_cast<size_t>(kFillers));
  EXPECT_GE(report.index_entries, static_cast<size_t>(kFillers));
  EXPECT_GE(report.stream_events, static_cast<size_t>(kFillers));
  EXPECT_EQ(report.unfinished, 0u);
  EXPECT_EQ(check_promises(*sound_, journal_).problems, std::vector<std::string>());
}

TEST_F(ConsistencyCheckTest, NoticesAMissingItem) {
  bent_.bend_scan = [](const Scan& request, std::vector<Item>& items) {
    if (!request.index && request.table == kItemsTable) items.pop_back();
  };
  expect_problem("Items's number of items is told to be");
}

TEST_F(ConsistencyCheckTest, NoticesAMissingIndexEntry) {
  bent_.bend_scan = [](const Scan& request, std::vector<Item>& items) {
    if (request.index == "ByGroup") items.pop_back();
  };
  expect_problem("Items.ByGroup lacks the entry");
}

TEST_F(ConsistencyCheckTest, NoticesAStaleIndexEntry) {
  bent_.bend_scan = [](const Scan& request, std::vector<Item>& items) {
    if (request.index == "ByLabel") items.front().set("version", Value(-1));
  };
  expect_problem("Items.ByLabel has an entry that no item implies");
}

TEST_F(ConsistencyCheckTest, NoticesWrongTotals) {
  bent_.bend_description = [](TableDescription& table) { ++table.size_bytes; };
  expect_problem("size is told to be");
  bent_.bend_description = [](TableDescription& table) {
    if (!table.indexes.empty()) --table.indexes.front().item_count;
  };
  expect_problem("Items.ByLabel's number of items is told to be");
}

TEST_F(ConsistencyCheckTest, NoticesAWrongCollectionSize) {
  bent_.bend_collection = [](CollectionSize& size) { --size.size_bytes; };
  expect_problem("size is told to be");
  bent_.bend_collection = [](CollectionSize& size) { ++size.item_count; };
  expect_problem("number of items is told to be");
}

TEST_F(ConsistencyCheckTest, NoticesAMissingChange) {
  bent_.bend_events = [](std::vector<ChangeEvent>& events) { events.erase(events.begin()); };
  EXPECT_NE(first_problem(), "");
  bent_.bend_events = [](std::vector<ChangeEvent>& events) { events.pop_back(); };
  EXPECT_NE(first_problem(), "");
}

TEST_F(ConsistencyCheckTest, NoticesAChangedImage) {
  bent_.bend_events = [](std::vector<ChangeEvent>& events) {
    for (ChangeEvent& event : events) {
      if (event.new_image) event.new_image->set("bent", Value(true));
    }
  };
  EXPECT_NE(first_problem(), "");
}

TEST_F(ConsistencyCheckTest, PromisesNoticeALostWriteAndAHalfTransaction) {
  for (uint32_t number = 0; number < kSingles; ++number) {
    const Slot slot{.writer = 0, .number = number};
    const Steps& steps = journal_.items[0][number];
    if (!state_of(slot, steps.acknowledged.load())) continue;
    ASSERT_TRUE(sound_->delete_item({.table = table_of(slot), .key = key_of(slot)}).ok());
    break;
  }
  EXPECT_EQ(check_promises(*sound_, journal_).problems.size(), 1u);
  const Slot member = group_slot(1, 0, 1);
  ASSERT_TRUE(sound_
                  ->update_item({.table = table_of(member),
                                 .key = key_of(member),
                                 .update = "ADD writes :one",
                                 .values = {{":one", 1}}})
                  .ok());
  EXPECT_EQ(check_promises(*sound_, journal_).problems.size(), 2u);
  ASSERT_TRUE(sound_
                  ->update_item({.table = kAccountsTable,
                                 .key = {{"id", "account-0"}},
                                 .update = "ADD money :one, moves :one",
                                 .values = {{":one", 1}}})
                  .ok());
  EXPECT_GE(check_promises(*sound_, journal_).problems.size(), 4u);
}

}  // namespace
}  // namespace sheaf::faults

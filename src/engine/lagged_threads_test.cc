// Threads write and read at once: strong reads are right, and late ones are whole.
#include <array>
#include <atomic>
#include <set>
#include <thread>

#include "engine/engine_fixture.h"
#include "engine/query_page.h"
#include "engine/query_plan.h"
#include "store/contract_fixture.h"

namespace sheaf::engine {
namespace {

using std::chrono::milliseconds;

constexpr int kItems = 6;
constexpr int kWrites = 300;  // of each item; odd ones put it, even ones delete it

Item key(int item) { return Item{{"PK", "p"}, {"SK", std::to_string(item)}}; }
std::string text_of(int number) { return std::to_string(10'000 + number); }

class LaggedThreads : public store::StoreContract {
 protected:
  void SetUp() override {
    store::StoreContract::SetUp();
    if (IsSkipped()) return;
    const Lag lag{.table = "*", .min = milliseconds(0), .max = milliseconds(3)};
    engine_.emplace(store(), clock(), EngineOptions{.index_lags = {lag}, .read_lags = {lag}});
    TableSettings settings = collection_table("t");
    settings.indexes = {local_index("keys", text_key("l"), ProjectionKind::kKeysOnly),
                        global_index("gsi", {.partition = {text_key("g")}, .sort = {}})};
    const Result<TableRef> created = create_table(*engine_, std::move(settings));
    ASSERT_TRUE(created.ok()) << outcome_of(created);
    table_ = *created;
  }

  void write_every_other(int first) {
    for (int number = 1; number <= kWrites; ++number) {
      for (int i = first; i < kItems; i += 2) {
        Item put = key(i);
        put.set("l", Value(text_of(number)));
        put.set("g", Value("g" + text_of(number)));
        ItemWrite write = number % 2 == 0 ? delete_write(table_, key(i)) : put_write(table_, std::move(put));
        const auto written = write_one(*engine_, std::move(write));
        EXPECT_TRUE(written.ok()) << outcome_of(written);
        acknowledged_[static_cast<size_t>(i)] = number;
        clock().advance_us(200);
      }
    }
    --writers_;
  }

  void check_strong_read(int i) {
    const int least = acknowledged_[static_cast<size_t>(i)];
    const auto found = read_item(*engine_, *ItemRead::of_key(table_, key(i)), ReadMode::kStrong, {});
    ASSERT_TRUE(found.ok()) << outcome_of(found);
    if (!*found) return;
    EXPECT_GE(std::string((*found)->item().find("l")->bytes()), text_of(least));
  }

  // An error here is an entry without its item.
  std::vector<Item> scanned(const char* index, bool fetch, ReadMode mode) {
    std::vector<Item> items;
    KeyRange keys = *plan_scan(table_, *index == '\0' ? nullptr : table_->find_index(index), {});
    const auto end = read_page(*engine_, {.keys = std::move(keys), .fetch_items = fetch, .mode = mode}, {},
                               [&](ItemView item) { items.emplace_back(item); });
    EXPECT_TRUE(end.ok()) << outcome_of(end);
    return items;
  }

  void check_each_once(const std::vector<Item>& items) {
    std::set<std::string> sorts;
    for (const Item& item : items) EXPECT_TRUE(sorts.emplace(item.find("SK")->bytes()).second);
  }

  void read_until_all_is_written() {
    while (writers_ > 0) {
      for (int i = 0; i < kItems; ++i) check_strong_read(i);
      check_each_once(scanned("", false, ReadMode::kEventual));
      check_each_once(scanned("keys", true, ReadMode::kEventual));
      check_each_once(scanned("keys", true, ReadMode::kStrong));
      check_each_once(scanned("gsi", false, ReadMode::kEventual));
    }
  }

  std::optional<Engine> engine_;
  TableRef table_;
  std::array<std::atomic<int>, kItems> acknowledged_{};  // the number of the last write
  std::atomic<int> writers_ = 2;
};

TEST_P(LaggedThreads, StrongReadsAreRightAndLateOnesWhole) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back([this, i] { write_every_other(i); });
  for (int i = 0; i < 2; ++i) threads.emplace_back([this] { read_until_all_is_written(); });
  for (std::thread& thread : threads) thread.join();
  clock().advance_us(3000);
  EXPECT_EQ(scanned("", false, ReadMode::kEventual), scanned("", false, ReadMode::kStrong));
  EXPECT_EQ(scanned("gsi", false, ReadMode::kEventual), std::vector<Item>());
  EXPECT_EQ(engine_->past->bytes(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Stores, LaggedThreads,
                         testing::Values(store::StoreKind::kMemory, store::StoreKind::kRocksRelaxed),
                         store::kind_name);

}  // namespace
}  // namespace sheaf::engine

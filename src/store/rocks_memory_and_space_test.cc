// What the store on disk does with memory and disk space: reads that must not wait, drops that free, counters
// that do not grow, budgets.
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "store/contract_fixture.h"
#include "store/rocks_tuning.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

class RocksStoreSpace : public testing::Test {
 protected:
  void SetUp() override {
    if (!kRocksCanRun) GTEST_SKIP() << "RocksDB under the thread sanitizer";
  }

  static constexpr uint64_t kTiny = 1;

  void open(uint64_t memory_bytes = kTiny) {
    store_.reset();
    auto opened =
        open_rocks_store({.directory = path_, .durable = false, .memory_bytes = memory_bytes}, clock_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store_ = *std::move(opened);
  }

  // Incompressible, so that what is written is what lies on the disk.
  std::string noise(size_t bytes) {
    std::string text(bytes, '\0');
    for (char& byte : text) byte = static_cast<char>(random_());
    return text;
  }

  void fill(Space space, int rows, size_t row_bytes) {
    Batch batch;
    for (int i = 0; i < rows; ++i) {
      batch.put(in_space(space, std::to_string(1'000'000 + i)), noise(row_bytes));
      if (batch.byte_count() < (1 << 20) && i + 1 < rows) continue;
      ASSERT_EQ(commit(*store_, std::move(batch)).kind, Kind::kApplied);
      batch = Batch();
    }
  }

  uint64_t table_bytes() const {
    uint64_t bytes = 0;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      if (entry.path().extension() != ".sst") continue;
      const uint64_t size = entry.file_size(gone);
      if (!gone) bytes += size;
    }
    return bytes;
  }

  // Compaction works on its own time.
  template <typename Condition>
  static bool eventually(Condition holds, int tries = 1000) {
    for (int i = 0; i < tries; ++i) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  TempDirectory directory_;
  const std::string path_ = directory_.path("store");
  ManualClock clock_{1'700'000'000'000'000};
  std::mt19937 random_{7};
  std::unique_ptr<Store> store_;
};

constexpr ViewOptions kCachedOnly = {.cached_only = true};

TEST_F(RocksStoreSpace, ACachedReadAnswersWhatIsInMemoryAndOtherwiseWouldBlock) {
  open();
  fill(Space::kItems, 100, 1000);
  EXPECT_TRUE(store_->view(kCachedOnly)->read(item_key("1000007")).ok()) << "written just now";
  open();  // into files; nothing is cached
  const std::string key = item_key("1000007");
  const std::vector<std::string> keys = {item_key("1000001"), key};
  const auto would_block = [&](const auto& result) {
    return !result.ok() && result.error().code == Code::kWouldBlock;
  };
  const auto walk = [&](const Range& range) {
    return store_->view(kCachedOnly)->scan(range, {}, [](auto, auto) { return true; });
  };
  EXPECT_TRUE(would_block(store_->view(kCachedOnly)->read(key)));
  EXPECT_TRUE(would_block(store_->view(kCachedOnly)->read_many(keys)));
  EXPECT_TRUE(would_block(walk(all_of(Space::kItems))));
  const std::string expected = value_of(*store_, key).value();
  const auto read = store_->view(kCachedOnly)->read(key);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->value, expected);
  EXPECT_TRUE(would_block(walk(all_of(Space::kItems)))) << "most of it is still only on disk";
  const Rows rows = scan_all(*store_, all_of(Space::kItems));
  EXPECT_EQ(rows.size(), 100u);
  ScanEnd end;
  EXPECT_FALSE(scan_slice(*store_->view(kCachedOnly), all_of(Space::kItems), {}, &end).empty());
  EXPECT_TRUE(store_->view(kCachedOnly)->read_many(keys).ok());
  put(*store_, key, "newer");
  EXPECT_EQ(store_->view({.snapshot = true, .cached_only = true})->read(key)->value, "newer");
}

TEST_F(RocksStoreSpace, ACachedReadOfACounterIsItsWholeSumOrWouldBlock) {
  open();
  Batch batch;
  for (int i = 0; i < 100; ++i) batch.add(counter_key(std::to_string(100 + i)), std::vector<int64_t>{i, 5});
  commit(*store_, std::move(batch));
  open();
  for (int i = 0; i < 100; ++i) {
    const std::string key = counter_key(std::to_string(100 + i));
    if (i % 2 == 0) add(*store_, key, {1});
    for (const bool warm : {false, true}) {
      if (warm) sums_of(*store_, key);
      const auto read = store_->view(kCachedOnly)->read(key);
      ASSERT_TRUE(!warm || read.ok());
      if (!read.ok()) {
        EXPECT_EQ(read.error().code, Code::kWouldBlock);
      } else {
        EXPECT_EQ(decode_sums(read->value.value_or("")), (std::vector<int64_t>{i + (i + 1) % 2, 5}));
      }
    }
  }
}

TEST_F(RocksStoreSpace, WhatFiltersKnowToBeAbsentNeedsNoDisk) {
  open();
  fill(Space::kItems, 100, 1000);
  open();
  int known = 0;
  for (int i = 0; i < 100; ++i) {
    const auto read = store_->view(kCachedOnly)->read(item_key("1000050x" + std::to_string(i)));
    known += read.ok();
    if (read.ok()) {
      EXPECT_EQ(read->value, std::nullopt);
    }
  }
  EXPECT_GT(known, 80);
}

// Reads row after row into memory and scans from there over what is not yet in it, so also from the end of
// one file into the next: it would block, or is complete. (RocksDB 7.8 alone takes the next file for empty.)
TEST_F(RocksStoreSpace, ACachedScanNeverLeavesRowsOut) {
  open();
  const int rows = 6000;
  fill(Space::kItems, rows, 4000);
  open();
  fill(Space::kItems, rows, 4000);
  // Files below level 0 lie side by side: wait until there are several.
  ASSERT_TRUE(eventually([&] { return table_bytes() < 32u << 20; })) << table_bytes();
  const auto key_at = [&](int i) { return item_key(std::to_string(1'000'000 + i)); };
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const bool forward = direction == Direction::kForward;
    open();
    int blocked = 0;
    for (int step = 0; step < rows; ++step) {
      const int warm = forward ? step : rows - 1 - step;
      ASSERT_TRUE(value_of(*store_, key_at(warm)).has_value());
      const int begin = forward ? warm : std::max(0, warm - 5),
                end = forward ? std::min(rows, warm + 5) : warm + 1;
      int seen = 0;
      const auto slice =
          store_->view(kCachedOnly)
              ->scan({key_at(begin), key_at(end)}, {.direction = direction}, [&](auto key, auto) {
                EXPECT_EQ(key, key_at(forward ? begin + seen : end - 1 - seen));
                ++seen;
                return true;
              });
      if (slice.ok()) {
        ASSERT_EQ(seen, end - begin) << "of " << begin << " to " << end;
      } else {
        ++blocked;
        ASSERT_EQ(slice.error().code, Code::kWouldBlock) << slice.error().message;
      }
    }
    EXPECT_GT(blocked, rows / 2);
    EXPECT_TRUE(eventually([&] {
      const Range piece = {key_at(100), key_at(110)};
      scan_all(*store_, piece);
      return store_->view(kCachedOnly)->scan(piece, {}, [](auto, auto) { return true; }).ok();
    }));
  }
}

TEST_F(RocksStoreSpace, ADropFreesItsSpace) {
  for (const Space space : {Space::kItems, Space::kLog}) {
    open();
    fill(space, 8000, 2000);  // 16 MB
    ASSERT_TRUE(eventually([&] { return table_bytes() > 8u << 20; })) << table_bytes();
    const Range dead = {in_space(space, "1000100"), in_space(space, "1007900")};
    ASSERT_TRUE(store_->drop(dead).ok());
    EXPECT_TRUE(eventually([&] { return table_bytes() < 2u << 20; })) << table_bytes();
    EXPECT_EQ(scan_all(*store_, all_of(space)).size(), 200u);
    open();
    EXPECT_EQ(scan_all(*store_, all_of(space)).size(), 200u);
    EXPECT_TRUE(scan_all(*store_, dead).empty());
    ASSERT_TRUE(store_->drop(all_of(space)).ok());
  }
}

// Whichever key a file ends with.
TEST_F(RocksStoreSpace, ADropNeverTakesTheKeyBehindItsEnd) {
  open();
  const int rows = 1200;
  for (int i = 0; i < 4; ++i) fill(Space::kItems, rows, 7000);
  ASSERT_TRUE(eventually([&] { return table_bytes() < 24u << 20; })) << table_bytes();
  for (int end = 1; end < rows; ++end) {
    const std::string next = item_key(std::to_string(1'000'000 + end));
    ASSERT_TRUE(store_->drop({item_key(""), next}).ok());
    ASSERT_TRUE(store_->view({})->read(next)->value.has_value()) << end;
  }
  EXPECT_EQ(scan_all(*store_, all_of(Space::kItems)).size(), 1u);
}

TEST_F(RocksStoreSpace, AScanOverADroppedRangeIsComplete) {
  open();
  fill(Space::kLog, 6000, 2000);
  ASSERT_TRUE(store_->drop({log_key("1000010"), log_key("1005990")}).ok());
  open();
  for (int round = 0; round < 2; ++round) {
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      size_t seen = 0;
      const auto end =
          store_->view(kCachedOnly)->scan(all_of(Space::kLog), {.direction = direction}, [&](auto, auto) {
            ++seen;
            return true;
          });
      if (end.ok() && !end->more) {
        EXPECT_EQ(seen, 20u);
      }
      EXPECT_EQ(scan_all(*store_, all_of(Space::kLog), {.direction = direction}).size(), 20u);
    }
  }
}

TEST_F(RocksStoreSpace, AddsDoNotPileUp) {
  open();
  const auto operands = [&] {
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    rocksdb::get_perf_context()->Reset();
    const Rows rows = scan_all(*store_, {counter_key("n"), counter_key("o")});
    EXPECT_EQ(rows.size(), 1u);
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
    return rocksdb::get_perf_context()->internal_merge_count;
  };
  uint64_t most = 0;
  for (int i = 1; i <= 5000; ++i) {
    add(*store_, counter_key("n"), {1, i});
    if (i % 50 < 12) most = std::max(most, operands());
  }
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, 10u);
  EXPECT_EQ(sums_of(*store_, counter_key("n"), 2), (std::vector<int64_t>{5000, 5000 * 5001 / 2}));
  open();
  EXPECT_LE(operands(), 2u);
  EXPECT_EQ(sums_of(*store_, counter_key("n"), 2), (std::vector<int64_t>{5000, 5000 * 5001 / 2}));
}

TEST_F(RocksStoreSpace, CountersAtZeroGoAway) {
  open();
  const auto are_gone = [&] { return scan_all(*store_, all_of(Space::kCounters)).size() < 1000; };
  int rounds = 0;
  // After some rounds all files are compacted, and which round is the last of them is not known.
  do {
    Batch up, down;
    for (int i = 0; i < 1000; ++i) {
      up.add(counter_key(std::to_string(i)), std::vector<int64_t>{1, 50});
      down.add(counter_key(std::to_string(i)), std::vector<int64_t>{-1, -50});
    }
    commit(*store_, std::move(up));
    commit(*store_, std::move(down));
    add(*store_, counter_key("kept"), {1});
    open();  // a file each time
    ASSERT_LT(++rounds, 60);
  } while (!eventually(are_gone, 30));
  EXPECT_EQ(sums_of(*store_, counter_key("kept"), 1), (std::vector<int64_t>{rounds}));
}

TEST_F(RocksStoreSpace, AnyBudgetOpensTheSameData) {
  open(kTiny);
  put(*store_, item_key("a"), "1");
  for (const uint64_t memory_bytes :
       {uint64_t{0}, uint64_t{1} << 20, uint64_t{256} << 20, uint64_t{64} << 30}) {
    open(memory_bytes);
    EXPECT_EQ(value_of(*store_, item_key("a")), "1");
    put(*store_, item_key(std::to_string(memory_bytes)), "");
  }
  EXPECT_EQ(scan_all(*store_, all_of(Space::kItems)).size(), 5u);
}

TEST(RocksTuning, EverySpaceHasItsColumnFamily) {
  const auto families = column_families(256u << 20);
  ASSERT_EQ(families.size(), size_t{kSpaceMax} + 1);
  const auto name = [&](Space space) { return families[static_cast<size_t>(space)].name; };
  EXPECT_EQ(families[0].name, "default");
  EXPECT_EQ(name(Space::kCatalog), "catalog");
  EXPECT_EQ(name(Space::kItems), "items");
  EXPECT_EQ(name(Space::kIndexes), "indexes");
  EXPECT_EQ(name(Space::kLog), "log");
  EXPECT_EQ(name(Space::kCounters), "counters");
  EXPECT_EQ(name(Space::kJobs), "jobs");
  EXPECT_EQ(name(Space::kTokens), "tokens");
  EXPECT_EQ(name(Space::kExpiry), "expiry");
  for (const ColumnFamily& family : families)
    EXPECT_EQ(family.options.merge_operator != nullptr, family.name == "counters");
}

TEST(RocksTuning, BuffersStayWithinHalfOfTheBudget) {
  for (const uint64_t memory_bytes : {uint64_t{64} << 20, uint64_t{256} << 20, uint64_t{8} << 30}) {
    EXPECT_LE(database_options(memory_bytes).db_write_buffer_size, memory_bytes / 2);
    for (const ColumnFamily& family : column_families(memory_bytes))
      EXPECT_LE(family.options.write_buffer_size, memory_bytes / 2);
  }
}

TEST(RocksTuning, WhatDurabilityAndCachedReadsRestOn) {
  const rocksdb::DBOptions options = database_options(256u << 20);
  EXPECT_EQ(options.wal_recovery_mode, rocksdb::WALRecoveryMode::kPointInTimeRecovery);
  EXPECT_TRUE(options.track_and_verify_wals_in_manifest);
  EXPECT_FALSE(options.manual_wal_flush);
  EXPECT_FALSE(options.avoid_flush_during_recovery);
  EXPECT_EQ(options.max_open_files, -1);
  EXPECT_EQ(options.recycle_log_file_num, 0u);
}

}  // namespace
}  // namespace sheaf::store

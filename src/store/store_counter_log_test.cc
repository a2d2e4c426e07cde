// Counters, dropped ranges and logs: invariants 10 to 13 of doc/store-contract.md, for every store.
#include <algorithm>
#include <atomic>
#include <set>

#include "store/contract_fixture.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;
using Sums = std::vector<int64_t>;

class StoreCounters : public StoreContract {};
class StoreDrops : public StoreContract {};
class StoreLogs : public StoreContract {
 protected:
  struct LogRow {
    Stamp stamp;
    uint16_t position;
    std::string value;
    bool operator==(const LogRow&) const = default;
  };

  std::vector<LogRow> log_of(const std::string& prefix) {
    std::vector<LogRow> rows;
    for (const auto& [key, value] : scan_all(store(), {prefix, prefix + "\xff\xff"})) {
      EXPECT_EQ(key.size(), prefix.size() + kStampBytes + kPositionBytes);
      rows.push_back({.stamp = read_u64(key.data() + prefix.size()),
                      .position = read_u16(key.data() + prefix.size() + kStampBytes),
                      .value = value});
    }
    return rows;
  }

  Stamp append(const std::string& prefix, std::string_view value) {
    Batch batch;
    batch.append(prefix, value);
    const Outcome outcome = commit(store(), std::move(batch));
    EXPECT_EQ(outcome.kind, Kind::kApplied);
    return outcome.stamp;
  }
};
SHEAF_FOR_ALL_STORES(StoreCounters);
SHEAF_FOR_ALL_STORES(StoreDrops);
SHEAF_FOR_ALL_STORES(StoreLogs);

// Invariant 10.

TEST_P(StoreCounters, ReadTheSumOfWhatWasAdded) {
  EXPECT_EQ(sums_of(store(), counter_key("n")), (Sums{0, 0, 0, 0}));
  add(store(), counter_key("n"), {1, 10});
  add(store(), counter_key("n"), {2, 20});
  add(store(), counter_key("n"), {-5, 3});
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{-2, 33}));
  settle();
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{-2, 33}));
  add(store(), counter_key("n"), {1, 1});
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{-1, 34}));
  EXPECT_EQ(sums_of(store(), counter_key("m")), (Sums{0, 0, 0, 0}));
}

TEST_P(StoreCounters, SumsThatWereNotAddedToAreZero) {
  add(store(), counter_key("n"), {1});
  add(store(), counter_key("n"), {1, 2, 3, 4});
  add(store(), counter_key("n"), {1, 2});
  EXPECT_EQ(sums_of(store(), counter_key("n")), (Sums{3, 4, 3, 4}));
  settle();
  EXPECT_EQ(sums_of(store(), counter_key("n")), (Sums{3, 4, 3, 4}));
}

TEST_P(StoreCounters, GoThroughZeroAndComeBack) {
  add(store(), counter_key("n"), {5, -5});
  add(store(), counter_key("n"), {-5, 5});
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{0, 0}));
  for (int i = 0; i < 3; ++i) settle();
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{0, 0}));
  add(store(), counter_key("n"), {7, 1});
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{7, 1}));
}

TEST_P(StoreCounters, OneBatchMayAddToACounterSeveralTimes) {
  Batch batch;
  for (int i = 1; i <= 10; ++i) batch.add(counter_key("n"), Sums{i});
  batch.add(counter_key("m"), Sums{1, 2});
  commit(store(), std::move(batch));
  EXPECT_EQ(sums_of(store(), counter_key("n"), 1), (Sums{55}));
  EXPECT_EQ(sums_of(store(), counter_key("m"), 2), (Sums{1, 2}));
}

TEST_P(StoreCounters, AddsThatArePendingTogetherAreAllCounted) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  for (int i = 0; i < 500; ++i) {
    Batch batch;
    batch.add(counter_key("total"), Sums{1, i});
    batch.add(counter_key("by" + std::to_string(i % 7)), Sums{1});
    store().submit(std::move(batch), loop, answers.next());
  }
  EXPECT_EQ(answers.count(Kind::kApplied), 500u);
  EXPECT_EQ(sums_of(store(), counter_key("total"), 2), (Sums{500, 499 * 500 / 2}));
  int64_t split = 0;
  for (int i = 0; i < 7; ++i) split += sums_of(store(), counter_key("by" + std::to_string(i)), 1)[0];
  EXPECT_EQ(split, 500);
}

TEST_P(StoreCounters, ThreadsAddWithoutGuardsAndLoseNothing) {
  const int adds = syncs() ? 40 : 400;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, adds, t] {
      for (int i = 0; i < adds; ++i) add(store(), counter_key("n"), {1, t});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{4 * adds, 6 * adds}));
  settle();
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (Sums{4 * adds, 6 * adds}));
}

TEST_P(StoreCounters, AnAddOfABatchWhoseGuardFailsIsNotCounted) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  const Version absent = version_of(store(), item_key("once"));
  for (int i = 0; i < 20; ++i) {
    Batch batch;
    batch.guard(item_key("once"), absent);
    batch.put(item_key("once"), "");
    batch.add(counter_key("n"), Sums{1});
    store().submit(std::move(batch), loop, answers.next());
  }
  EXPECT_EQ(answers.count(Kind::kApplied), 1u);
  EXPECT_EQ(sums_of(store(), counter_key("n"), 1), (Sums{1}));
}

TEST_P(StoreCounters, WrapInsteadOfEndingTheProgram) {
  add(store(), counter_key("n"), {INT64_MAX});
  add(store(), counter_key("n"), {1});
  EXPECT_EQ(sums_of(store(), counter_key("n"), 1), (Sums{INT64_MIN}));
}

TEST_P(StoreCounters, ASnapshotAndAScanShowThem) {
  add(store(), counter_key("a"), {1});
  add(store(), counter_key("b"), {2});
  add(store(), counter_key("b"), {3});
  const std::unique_ptr<View> snapshot = store().view({.snapshot = true});
  const Rows rows = scan_slice(*snapshot, all_of(Space::kCounters));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(decode_sums(rows[0].second), (Sums{1}));
  EXPECT_EQ(decode_sums(rows[1].second), (Sums{5}));
  EXPECT_EQ(decode_sums(*snapshot->read(counter_key("b"))->value), (Sums{5}));
}

TEST_P(StoreCounters, CountFromZeroAfterADropOfWhatWasNotThere) {
  ASSERT_TRUE(store().drop({counter_key("a"), counter_key("b")}).ok());
  add(store(), counter_key("a1"), {3});
  add(store(), counter_key("b1"), {4});
  ASSERT_TRUE(store().drop({counter_key("c"), counter_key("d")}).ok());
  settle();
  EXPECT_EQ(sums_of(store(), counter_key("a1"), 1), (Sums{3}));
  EXPECT_EQ(sums_of(store(), counter_key("b1"), 1), (Sums{4}));
}

// Invariant 11.

TEST_P(StoreDrops, RemoveTheirRangeAndNothingElse) {
  for (const Space space : {Space::kCatalog, Space::kItems, Space::kIndexes, Space::kLog, Space::kExpiry}) {
    Batch batch;
    for (int i = 0; i < 1500; ++i) batch.put(in_space(space, std::to_string(10000 + i)), "x");
    commit(store(), std::move(batch));
    if (space == Space::kIndexes) settle();
    ASSERT_TRUE(store().drop({in_space(space, "10100"), in_space(space, "11400")}).ok());
    for (const bool settled : {false, true}) {
      if (settled) settle();
      const Rows left = scan_all(store(), all_of(space));
      ASSERT_EQ(left.size(), 200u);
      EXPECT_EQ(left[99].first, in_space(space, "10099"));
      EXPECT_EQ(left[100].first, in_space(space, "11400"));
      EXPECT_EQ(value_of(store(), in_space(space, "10100")), std::nullopt);
      EXPECT_EQ(value_of(store(), in_space(space, "11400")), "x");
    }
  }
}

TEST_P(StoreDrops, MayGoToTheEndOfTheirSpace) {
  for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
    if (Space{space} == Space::kCounters) continue;
    put(store(), in_space(Space{space}, "a"), "stays");
    put(store(), in_space(Space{space}, "b"), "goes");
    put(store(), in_space(Space{space}, std::string(20, '\xff')), "goes");
  }
  settle();
  ASSERT_TRUE(store().drop({item_key("b"), all_of(Space::kItems).end}).ok());
  ASSERT_TRUE(store().drop({in_space(Space::kLog, "b"), all_of(Space::kExpiry).end}).ok());
  ASSERT_TRUE(store().drop(all_of(Space::kJobs)).ok());
  settle();
  for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
    const bool cut = Space{space} == Space::kItems || Space{space} == Space::kLog;
    const bool none = Space{space} == Space::kJobs || Space{space} == Space::kCounters;
    EXPECT_EQ(scan_all(store(), all_of(Space{space})).size(), none ? 0u : cut ? 1u : 3u) << int{space};
  }
}

TEST_P(StoreDrops, OfNothingAreFineAndMayBeRepeated) {
  put(store(), item_key("a"), "1");
  put(store(), item_key("b"), "2");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(store().drop({item_key("b"), item_key("c")}).ok());
  ASSERT_TRUE(store().drop({item_key("x"), item_key("y")}).ok());
  ASSERT_TRUE(store().drop({item_key("b"), item_key("b")}).ok());
  ASSERT_TRUE(store().drop({item_key("b"), item_key("a")}).ok());
  EXPECT_EQ(scan_all(store(), all_of(Space::kItems)), (Rows{{item_key("a"), "1"}}));
}

TEST_P(StoreDrops, RemoveCounters) {
  for (int i = 0; i < 10; ++i) add(store(), counter_key("t1/" + std::to_string(i)), {i + 1});
  add(store(), counter_key("t2/0"), {9});
  ASSERT_TRUE(store().drop({counter_key("t1/"), counter_key("t10")}).ok());
  settle();
  EXPECT_EQ(scan_all(store(), all_of(Space::kCounters)).size(), 1u);
  EXPECT_EQ(sums_of(store(), counter_key("t2/0"), 1), (Sums{9}));
}

TEST_P(StoreDrops, GoOnBesideWritersOfOtherRanges) {
  Batch batch;
  for (int i = 0; i < 2000; ++i) batch.put(item_key("dead/" + std::to_string(i)), std::string(100, 'x'));
  commit(store(), std::move(batch));
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (; !stop; ++written) put(store(), item_key("live/" + std::to_string(written)), "x");
  });
  EXPECT_TRUE(store().drop({item_key("dead/"), item_key("dead0")}).ok());
  stop = true;
  writer.join();
  EXPECT_TRUE(scan_all(store(), {item_key("dead/"), item_key("dead0")}).empty());
  EXPECT_EQ(scan_all(store(), {item_key("live/"), item_key("live0")}).size(),
            static_cast<size_t>(written.load()));
}

// Invariants 12 and 13.

TEST_P(StoreLogs, ARowLiesUnderItsPrefixStampAndPosition) {
  Batch batch;
  batch.append(log_key("one"), "a");
  batch.append(log_key("two"), "b");
  batch.append(log_key("one"), "c");
  const Outcome outcome = commit(store(), std::move(batch));
  EXPECT_EQ(log_of(log_key("one")), (std::vector<LogRow>{{outcome.stamp, 0, "a"}, {outcome.stamp, 2, "c"}}));
  EXPECT_EQ(log_of(log_key("two")), (std::vector<LogRow>{{outcome.stamp, 1, "b"}}));
}

TEST_P(StoreLogs, ManyRowsOfABatchKeepTheirOrder) {
  Batch batch;
  for (int i = 0; i < 700; ++i) batch.append(log_key("s"), std::to_string(i));
  const Outcome outcome = commit(store(), std::move(batch));
  settle();
  const std::vector<LogRow> rows = log_of(log_key("s"));
  ASSERT_EQ(rows.size(), 700u);
  for (size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(rows[i], (LogRow{outcome.stamp, static_cast<uint16_t>(i), std::to_string(i)}));
}

TEST_P(StoreLogs, StampsGrowWhateverTheClockDoes) {
  Stamp last = 0;
  const auto next = [&] {
    const Stamp stamp = append(log_key("s"), "");
    EXPECT_GT(stamp, last);
    last = stamp;
  };
  for (int i = 0; i < 5; ++i) next();
  clock().advance_us(-86'400'000'000);
  for (int i = 0; i < 5; ++i) next();
  settle();
  for (int i = 0; i < 5; ++i) next();
  clock().advance_us(1);
  for (int i = 0; i < 5; ++i) next();
  clock().advance_us(2 * 86'400'000'000);
  next();
  EXPECT_EQ(last, static_cast<Stamp>(clock().now_us()));
  settle();
  next();
  EXPECT_EQ(log_of(log_key("s")).size(), 22u);
}

TEST_P(StoreLogs, AStampIsATime) {
  for (int i = 0; i < 20; ++i) {
    clock().advance_us(1000);
    EXPECT_EQ(append(log_key("s"), ""), static_cast<Stamp>(clock().now_us()));
  }
  // Also after many restarts in a short time.
  for (int i = 0; i < 5; ++i) {
    settle();
    clock().advance_us(1000);
    EXPECT_LE(append(log_key("s"), ""), static_cast<Stamp>(clock().now_us()) + 10);
  }
}

TEST_P(StoreLogs, TheLastStampIsThatOfTheNewestBatch) {
  for (int i = 0; i < 5; ++i) {
    const Stamp stamp = put(store(), item_key("a"), std::to_string(i));
    EXPECT_EQ(store().last_stamp(), stamp);
    clock().advance_us(i * 100);
  }
  const Stamp before = store().last_stamp();
  settle();
  EXPECT_GE(store().last_stamp(), before);
}

TEST_P(StoreLogs, BatchesThatArePendingTogetherHaveStampsOfTheirOwn) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  for (int i = 0; i < 300; ++i) {
    Batch batch;
    batch.append(log_key("s"), std::to_string(i));
    store().submit(std::move(batch), loop, answers.next());
  }
  std::set<Stamp> stamps;
  for (const Outcome& outcome : answers.wait()) stamps.insert(outcome.stamp);
  EXPECT_EQ(stamps.size(), 300u);
  std::set<Stamp> rows;
  for (const LogRow& row : log_of(log_key("s"))) rows.insert(row.stamp);
  EXPECT_EQ(rows, stamps);
}

TEST_P(StoreLogs, ReadersThatFollowManyWritersMissNothing) {
  const int writer_count = 4, appends = syncs() ? 30 : 300;
  std::atomic<int> writing = writer_count;
  std::vector<std::thread> writers;
  for (int w = 0; w < writer_count; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < appends; ++i) {
        Batch batch;
        for (int row = 0; row <= i % 3; ++row)
          batch.append(log_key("s"), std::to_string(w) + "/" + std::to_string(i) + "/" + std::to_string(row));
        if (i % 4 == 0) batch.put(item_key("a"), "x");
        EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kApplied);
      }
      --writing;
    });
  }
  std::vector<Rows> followed(3);
  std::vector<std::thread> readers;
  for (size_t r = 0; r < followed.size(); ++r) {
    readers.emplace_back([&, r] {
      Range rest = all_of(Space::kLog);
      for (;;) {
        const bool last_look = writing == 0;
        const std::unique_ptr<View> view = store().view({.snapshot = r == 0});
        const Rows slice = scan_slice(*view, rest, {.rows_max = r == 1 ? 5 : kSliceRowsMax});
        followed[r].insert(followed[r].end(), slice.begin(), slice.end());
        if (!slice.empty()) rest.begin = slice.back().first + '\0';
        if (slice.empty() && last_look) return;
      }
    });
  }
  for (std::thread& thread : writers) thread.join();
  for (std::thread& thread : readers) thread.join();
  const Rows all = scan_all(store(), all_of(Space::kLog));
  EXPECT_EQ(all.size(), static_cast<size_t>(writer_count * appends * 2));
  for (const Rows& rows : followed) EXPECT_EQ(rows, all);
}

}  // namespace
}  // namespace sheaf::store

// Reading, guards and batches: invariants 2 to 6 of doc/store-contract.md, for every store. Scans, counters,
// logs, drops and answers are in the files beside this one.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>

#include "store/contract_fixture.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

class StoreReads : public StoreContract {};
class StoreGuards : public StoreContract {};
class StoreBatches : public StoreContract {};
SHEAF_FOR_ALL_STORES(StoreReads);
SHEAF_FOR_ALL_STORES(StoreGuards);
SHEAF_FOR_ALL_STORES(StoreBatches);

// Invariant 2: a value or its absence.

TEST_P(StoreReads, AKeyThatWasNeverWrittenIsAbsent) {
  EXPECT_EQ(value_of(store(), item_key("nobody")), std::nullopt);
  put(store(), item_key("somebody"), "here");
  EXPECT_EQ(value_of(store(), item_key("nobody")), std::nullopt);
  EXPECT_EQ(value_of(store(), item_key("somebod")), std::nullopt);
  EXPECT_EQ(value_of(store(), item_key("somebody2")), std::nullopt);
}

TEST_P(StoreReads, WhatWasPutIsReadAndWhatWasErasedIsNot) {
  put(store(), item_key("a"), "1");
  EXPECT_EQ(value_of(store(), item_key("a")), "1");
  put(store(), item_key("a"), "2");
  EXPECT_EQ(value_of(store(), item_key("a")), "2");
  erase(store(), item_key("a"));
  EXPECT_EQ(value_of(store(), item_key("a")), std::nullopt);
  settle();
  EXPECT_EQ(value_of(store(), item_key("a")), std::nullopt);
}

TEST_P(StoreReads, AnEmptyValueIsNotAbsent) {
  put(store(), item_key("empty"), "");
  EXPECT_EQ(value_of(store(), item_key("empty")), "");
  settle();
  EXPECT_EQ(value_of(store(), item_key("empty")), "");
}

TEST_P(StoreReads, KeysAndValuesMayHoldAnyBytes) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every.push_back(static_cast<char>(byte));
  const std::vector<std::string> keys = {
      item_key(""),     item_key(std::string(1, '\0')), item_key(std::string(2, '\0')),
      item_key("\xff"), item_key("\xff\xff"),           item_key(every)};
  for (const std::string& key : keys) put(store(), key, key + every);
  settle();
  for (const std::string& key : keys) EXPECT_EQ(value_of(store(), key), key + every);
}

TEST_P(StoreReads, TheSameKeyInEverySpaceIsAnotherKey) {
  for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
    if (Space{space} != Space::kCounters) put(store(), in_space(Space{space}, "k"), std::to_string(space));
  }
  erase(store(), in_space(Space::kJobs, "k"));
  for (uint8_t space = kSpaceMin; space <= kSpaceMax; ++space) {
    if (Space{space} == Space::kCounters || Space{space} == Space::kJobs) {
      EXPECT_EQ(value_of(store(), in_space(Space{space}, "k")), std::nullopt);
    } else {
      EXPECT_EQ(value_of(store(), in_space(Space{space}, "k")), std::to_string(space));
    }
  }
}

TEST_P(StoreReads, AMegabyteComesBackWhole) {
  std::string large(1 << 20, '\0');
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 2654435761u >> 13);
  put(store(), item_key("large"), large);
  EXPECT_EQ(value_of(store(), item_key("large")), large);
  settle();
  EXPECT_EQ(value_of(store(), item_key("large")), large);
}

TEST_P(StoreReads, ManyReadsAnswerInTheOrderOfTheirKeys) {
  put(store(), item_key("a"), "1");
  put(store(), item_key("c"), "3");
  put(store(), in_space(Space::kCatalog, "a"), "table");
  add(store(), counter_key("a"), {7});
  const std::vector<std::string> keys = {item_key("c"),    item_key("b"), in_space(Space::kCatalog, "a"),
                                         counter_key("a"), item_key("a"), item_key("c")};
  for (const bool settled : {false, true}) {
    if (settled) settle();
    for (const bool snapshot : {false, true}) {
      const auto reads = store().view({.snapshot = snapshot})->read_many(keys);
      ASSERT_TRUE(reads.ok());
      ASSERT_EQ(reads->size(), keys.size());
      EXPECT_EQ((*reads)[0].value, "3");
      EXPECT_EQ((*reads)[1].value, std::nullopt);
      EXPECT_EQ((*reads)[2].value, "table");
      EXPECT_EQ(decode_sums((*reads)[3].value.value_or("")), std::vector<int64_t>{7});
      EXPECT_EQ((*reads)[4].value, "1");
      EXPECT_EQ((*reads)[5].value, "3");
    }
  }
  const auto none = store().view({})->read_many({});
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
}

TEST_P(StoreReads, VersionsOfManyReadsGuardTheirKeys) {
  put(store(), item_key("a"), "1");
  const std::vector<std::string> keys = {item_key("a"), item_key("b")};
  const auto reads = store().view({})->read_many(keys);
  ASSERT_TRUE(reads.ok());
  put(store(), item_key("b"), "2");
  Batch holds, fails;
  holds.guard(keys[0], (*reads)[0].version);
  holds.put(item_key("c"), "3");
  fails.guard(keys[1], (*reads)[1].version);
  fails.put(item_key("d"), "4");
  EXPECT_EQ(commit(store(), std::move(holds)).kind, Kind::kApplied);
  EXPECT_EQ(commit(store(), std::move(fails)).kind, Kind::kGuardFailed);
}

// Invariant 3: a snapshot is one state; without it a state at least as new as the view's opening.

TEST_P(StoreReads, ASnapshotDoesNotChangeWhileOthersWrite) {
  put(store(), item_key("a"), "old");
  std::atomic<bool> started = false;
  std::thread writer;
  {
    const std::unique_ptr<View> snapshot = store().view({.snapshot = true});
    EXPECT_EQ(snapshot->read(item_key("a"))->value, "old");
    writer = std::thread([&] {
      started = true;
      Batch batch;
      batch.put(item_key("a"), "new");
      batch.put(item_key("b"), "new");
      commit(store(), std::move(batch));
    });
    while (!started) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    EXPECT_EQ(snapshot->read(item_key("a"))->value, "old");
    EXPECT_EQ(snapshot->read(item_key("b"))->value, std::nullopt);
    EXPECT_EQ(scan_slice(*snapshot, all_of(Space::kItems)), (Rows{{item_key("a"), "old"}}));
    const std::vector<std::string> keys = {item_key("a"), item_key("b")};
    EXPECT_EQ(snapshot->read_many(keys)->at(0).value, "old");
  }
  writer.join();
  EXPECT_EQ(value_of(store(), item_key("a")), "new");
}

TEST_P(StoreReads, ASnapshotShowsEveryBatchWholeOrNotAtAll) {
  const std::vector<std::string> keys = {in_space(Space::kCatalog, "k"), item_key("k"),
                                         in_space(Space::kIndexes, "k"), in_space(Space::kJobs, "k")};
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      Batch batch;
      for (const std::string& key : keys) batch.put(key, std::to_string(i));
      batch.put(item_key("l"), std::to_string(i));
      commit(store(), std::move(batch));
    }
  });
  while (!value_of(store(), keys.back())) std::this_thread::yield();
  for (int round = 0; round < 200; ++round) {
    const std::unique_ptr<View> snapshot = store().view({.snapshot = true});
    const std::string first = snapshot->read(keys[0])->value.value();
    const auto reads = snapshot->read_many(keys);
    for (const Read& read : *reads) EXPECT_EQ(read.value, first);
    for (const auto& row : scan_slice(*snapshot, all_of(Space::kItems))) EXPECT_EQ(row.second, first);
  }
  stop = true;
  writer.join();
}

TEST_P(StoreReads, AViewShowsWhatWasAppliedBeforeItWasOpened) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([this, t] {
      const std::string key = item_key(std::to_string(t));
      for (int i = 0; i < 40; ++i) {
        put(store(), key, std::to_string(i));
        EXPECT_EQ(value_of(store(), key), std::to_string(i));
        EXPECT_EQ(read_of(store(), key, {.snapshot = true}).value, std::to_string(i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(StoreReads, AGuardOfAViewHoldsOnlyIfNothingChangedSinceItWasOpened) {
  put(store(), item_key("a"), "1");
  const std::unique_ptr<View> view = store().view({});
  std::thread([this] { put(store(), item_key("a"), "2"); }).join();
  // The read may already show the new value: its guard fails all the same, for nothing.
  const Read read = *view->read(item_key("a"));
  Batch batch;
  batch.guard(item_key("a"), read.version);
  batch.put(item_key("a"), "3");
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kGuardFailed);
  EXPECT_EQ(value_of(store(), item_key("a")), "2");
}

TEST_P(StoreReads, AThreadMayReadOnWhileItScansOrHoldsASnapshot) {
  for (int i = 0; i < 20; ++i) put(store(), item_key(std::to_string(100 + i)), "x");
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) put(store(), item_key("other"), std::to_string(i));
  });
  for (int round = 0; round < 30; ++round) {
    const std::unique_ptr<View> outer = store().view({.snapshot = round % 2 == 0});
    const auto end =
        outer->scan(all_of(Space::kItems), {}, [&](std::string_view key, std::string_view value) {
          EXPECT_TRUE(outer->read(key)->value.has_value());
          EXPECT_TRUE(value_of(store(), key).has_value());
          EXPECT_TRUE(read_of(store(), key, {.snapshot = true}).value.has_value());
          return !value.empty();
        });
    EXPECT_TRUE(end.ok());
  }
  stop = true;
  writer.join();
}

// Invariants 2 and 5: a guard names a key as it was, also an absent one, also one that is not written.

TEST_P(StoreGuards, HoldsOnAKeyThatDidNotChange) {
  put(store(), item_key("a"), "1");
  Batch batch;
  batch.guard(item_key("a"), version_of(store(), item_key("a")));
  batch.put(item_key("a"), "2");
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kApplied);
  EXPECT_EQ(value_of(store(), item_key("a")), "2");
}

TEST_P(StoreGuards, HoldsOnAKeyThatIsStillAbsent) {
  Batch batch;
  batch.guard(item_key("a"), version_of(store(), item_key("a")));
  batch.put(item_key("a"), "1");
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kApplied);
  EXPECT_EQ(value_of(store(), item_key("a")), "1");
}

TEST_P(StoreGuards, HoldsAndFailsOnKeysThatTheBatchDoesNotWrite) {
  put(store(), in_space(Space::kCatalog, "table"), "v1");
  const Version version = version_of(store(), in_space(Space::kCatalog, "table"));
  const auto guarded = [&](std::string_view value) {
    Batch batch;
    batch.guard(in_space(Space::kCatalog, "table"), version);
    batch.put(item_key("a"), value);
    return commit(store(), std::move(batch)).kind;
  };
  EXPECT_EQ(guarded("1"), Kind::kApplied);
  EXPECT_EQ(guarded("2"), Kind::kApplied);
  put(store(), in_space(Space::kCatalog, "table"), "v2");
  EXPECT_EQ(guarded("3"), Kind::kGuardFailed);
  EXPECT_EQ(value_of(store(), item_key("a")), "2");
}

TEST_P(StoreGuards, FailsOnAnAbsentKeyThatTheBatchDoesNotWriteOnceItIsThere) {
  const Version absent = version_of(store(), item_key("gone"));
  put(store(), item_key("gone"), "back");
  Batch batch;
  batch.guard(item_key("gone"), absent);
  batch.put(item_key("a"), "1");
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kGuardFailed);
  EXPECT_EQ(value_of(store(), item_key("a")), std::nullopt);
}

TEST_P(StoreGuards, FailsAfterEveryKindOfChange) {
  struct Change {
    const char* name;
    bool present;
    std::function<void(Store&, const std::string&)> make;
  };
  const std::vector<Change> changes = {
      {"another value", true, [](Store& s, const std::string& key) { put(s, key, "2"); }},
      {"the same value again", true, [](Store& s, const std::string& key) { put(s, key, "1"); }},
      {"erased", true, [](Store& s, const std::string& key) { erase(s, key); }},
      {"erased and put back", true,
       [](Store& s, const std::string& key) {
         erase(s, key);
         put(s, key, "1");
       }},
      {"created", false, [](Store& s, const std::string& key) { put(s, key, "1"); }},
      {"created and erased", false,
       [](Store& s, const std::string& key) {
         put(s, key, "1");
         erase(s, key);
       }},
  };
  for (const Change& change : changes) {
    for (const bool snapshot : {false, true}) {
      const std::string key = item_key(std::string(change.name) + (snapshot ? "/snapshot" : ""));
      if (change.present) put(store(), key, "1");
      const Version before = read_of(store(), key, {.snapshot = snapshot}).version;
      change.make(store(), key);
      const std::optional<std::string> now = value_of(store(), key);
      Batch batch;
      batch.guard(key, before);
      batch.put(key, "guarded");
      EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kGuardFailed) << change.name;
      EXPECT_EQ(value_of(store(), key), now) << change.name;
    }
  }
}

TEST_P(StoreGuards, AnOldVersionStaysOldAfterManyOtherCommits) {
  put(store(), item_key("a"), "1");
  const Version old = version_of(store(), item_key("a"));
  put(store(), item_key("a"), "2");
  for (int i = 0; i < 50; ++i) put(store(), item_key("b"), std::to_string(i));
  clock().advance_us(-3'600'000'000);
  for (int i = 0; i < 5; ++i) put(store(), item_key("b"), std::to_string(i));
  Batch batch;
  batch.guard(item_key("a"), old);
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kGuardFailed);
}

TEST_P(StoreGuards, AVersionOfAnEarlierLifeDoesNotHoldOverAChange) {
  if (GetParam() == StoreKind::kMemory) GTEST_SKIP() << "has one life";
  put(store(), item_key("a"), "1");
  const Version before = version_of(store(), item_key("a"));
  put(store(), item_key("a"), "2");
  settle();
  Batch batch;
  batch.guard(item_key("a"), before);
  batch.put(item_key("a"), "3");
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kGuardFailed);

  // Also if the earlier life wrote nothing, and the clock was put back before the later one.
  clock().advance_us(60'000'000);
  settle();
  const Version read_only = version_of(store(), item_key("a"));
  clock().advance_us(-3'600'000'000);
  settle();
  put(store(), item_key("a"), "4");
  Batch again;
  again.guard(item_key("a"), read_only);
  again.put(item_key("a"), "5");
  EXPECT_EQ(commit(store(), std::move(again)).kind, Kind::kGuardFailed);
}

// Invariant 6.

TEST_P(StoreGuards, OfBatchesThatGuardTheSameAbsenceOneApplies) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  const Version absent = version_of(store(), item_key("token"));
  for (int i = 0; i < 100; ++i) {
    Batch batch;
    batch.guard(item_key("token"), absent);
    batch.put(item_key("token"), std::to_string(i));
    batch.put(item_key("mark" + std::to_string(i)), "");
    store().submit(std::move(batch), loop, answers.next());
  }
  EXPECT_EQ(answers.count(Kind::kApplied), 1u);
  EXPECT_EQ(answers.count(Kind::kGuardFailed), 99u);
  const std::string winner = value_of(store(), item_key("token")).value();
  EXPECT_EQ(scan_all(store(), {item_key("mark"), item_key("marl")}), (Rows{{item_key("mark" + winner), ""}}));
}

TEST_P(StoreGuards, ThreadsThatCountWithRetriesLoseNothing) {
  const int thread_count = 4, increments = syncs() ? 25 : 300;
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([this, t, increments] {
      for (int done = 0; done < increments;) {
        const Read read = read_of(store(), item_key("count"), {.snapshot = t % 2 == 0});
        Batch batch;
        batch.guard(item_key("count"), read.version);
        batch.put(item_key("count"), std::to_string(std::stoi(read.value.value_or("0")) + 1));
        const Outcome outcome = commit(store(), std::move(batch));
        ASSERT_TRUE(outcome.kind == Kind::kApplied || outcome.kind == Kind::kGuardFailed) << outcome.reason;
        done += outcome.kind == Kind::kApplied;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(value_of(store(), item_key("count")), std::to_string(thread_count * increments));
}

TEST_P(StoreGuards, TwoBatchesThatEachReadWhatTheOtherWritesDoNotBothApply) {
  for (int round = 0; round < (syncs() ? 20 : 100); ++round) {
    const std::string a = item_key("a" + std::to_string(round)), b = item_key("b" + std::to_string(round));
    std::atomic<int> applied = 0;
    const auto claim = [&](const std::string& mine) {
      const std::unique_ptr<View> view = store().view({});
      const Read read_a = *view->read(a), read_b = *view->read(b);
      if (read_a.value || read_b.value) return;
      Batch batch;
      batch.guard(a, read_a.version);
      batch.guard(b, read_b.version);
      batch.put(mine, "claimed");
      applied += commit(store(), std::move(batch)).kind == Kind::kApplied;
    };
    std::thread other([&] { claim(b); });
    claim(a);
    other.join();
    EXPECT_EQ(applied, 1);
    EXPECT_EQ(value_of(store(), a).has_value() + value_of(store(), b).has_value(), 1);
  }
}

TEST_P(StoreGuards, ConflictingBatchesAreSerialisedInTheOrderOfTheirStamps) {
  std::mutex mutex;
  std::map<Stamp, std::string> order;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int done = 0; done < (syncs() ? 8 : 60);) {
        const Read read = read_of(store(), item_key("list"));
        const std::string entry(1, static_cast<char>('a' + t));
        Batch batch;
        batch.guard(item_key("list"), read.version);
        batch.put(item_key("list"), read.value.value_or("") + entry);
        const Outcome outcome = commit(store(), std::move(batch));
        if (outcome.kind != Kind::kApplied) continue;
        ++done;
        std::lock_guard lock(mutex);
        EXPECT_TRUE(order.emplace(outcome.stamp, entry).second);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::string expected;
  for (const auto& [stamp, entry] : order) expected += entry;
  EXPECT_EQ(value_of(store(), item_key("list")), expected);
}

// Invariant 5: whole or not at all.

TEST_P(StoreBatches, AppliesEverythingInIt) {
  put(store(), item_key("old"), "x");
  Batch batch;
  batch.guard(item_key("new"), version_of(store(), item_key("new")));
  batch.put(item_key("new"), "1");
  batch.put(in_space(Space::kIndexes, "new"), "2");
  batch.erase(item_key("old"));
  batch.erase(item_key("never was"));
  batch.add(counter_key("n"), std::vector<int64_t>{1, 100});
  batch.append(log_key("s"), "record");
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kApplied);
  EXPECT_EQ(value_of(store(), item_key("new")), "1");
  EXPECT_EQ(value_of(store(), in_space(Space::kIndexes, "new")), "2");
  EXPECT_EQ(value_of(store(), item_key("old")), std::nullopt);
  EXPECT_EQ(sums_of(store(), counter_key("n"), 2), (std::vector<int64_t>{1, 100}));
  EXPECT_EQ(scan_all(store(), all_of(Space::kLog)).size(), 1u);
}

TEST_P(StoreBatches, ChangesNothingIfOneOfItsGuardsFails) {
  put(store(), item_key("old"), "x");
  const Version holds = version_of(store(), item_key("old"));
  const Version fails = version_of(store(), item_key("changed"));
  put(store(), item_key("changed"), "y");
  Batch batch;
  batch.put(item_key("new"), "1");
  batch.guard(item_key("old"), holds);
  batch.erase(item_key("old"));
  batch.add(counter_key("n"), std::vector<int64_t>{1});
  batch.append(log_key("s"), "record");
  batch.guard(item_key("changed"), fails);
  const Outcome outcome = commit(store(), std::move(batch));
  EXPECT_EQ(outcome.kind, Kind::kGuardFailed);
  EXPECT_EQ(outcome.stamp, 0u);
  EXPECT_EQ(value_of(store(), item_key("new")), std::nullopt);
  EXPECT_EQ(value_of(store(), item_key("old")), "x");
  EXPECT_EQ(sums_of(store(), counter_key("n"), 1), std::vector<int64_t>{0});
  EXPECT_TRUE(scan_all(store(), all_of(Space::kLog)).empty());
  // Nor does it count as a change of what it would have written.
  Batch again;
  again.guard(item_key("old"), holds);
  EXPECT_EQ(commit(store(), std::move(again)).kind, Kind::kApplied);
}

TEST_P(StoreBatches, EntriesForOneKeyApplyInTheirOrder) {
  Batch batch;
  batch.put(item_key("a"), "1");
  batch.put(item_key("a"), "2");
  batch.put(item_key("b"), "1");
  batch.erase(item_key("b"));
  batch.erase(item_key("c"));
  batch.put(item_key("c"), "1");
  commit(store(), std::move(batch));
  EXPECT_EQ(scan_all(store(), all_of(Space::kItems)), (Rows{{item_key("a"), "2"}, {item_key("c"), "1"}}));
}

TEST_P(StoreBatches, WithoutWritesStillHasAnOutcomeAndAStamp) {
  const Stamp before = put(store(), item_key("a"), "1");
  const Outcome empty = commit(store(), {});
  EXPECT_EQ(empty.kind, Kind::kApplied);
  EXPECT_GT(empty.stamp, before);
  const Version version = version_of(store(), item_key("a"));
  for (int i = 0; i < 2; ++i) {
    Batch check;
    check.guard(item_key("a"), version);
    const Outcome checked = commit(store(), std::move(check));
    EXPECT_EQ(checked.kind, Kind::kApplied);
    EXPECT_GT(checked.stamp, empty.stamp);
  }
  put(store(), item_key("a"), "2");
  Batch check;
  check.guard(item_key("a"), version);
  EXPECT_EQ(commit(store(), std::move(check)).kind, Kind::kGuardFailed);
}

TEST_P(StoreBatches, MayBeLargerThanAGroup) {
  Batch batch;
  const std::string value(100'000, 'v');
  for (int i = 0; i < 40; ++i) batch.put(item_key("k" + std::to_string(i)), value);
  EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kApplied);
  EXPECT_EQ(scan_all(store(), all_of(Space::kItems)).size(), 40u);
}

TEST_P(StoreBatches, FromOneCallerApplyInTheOrderOfTheirStamps) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  for (int i = 0; i < 200; ++i) {
    Batch batch;
    batch.put(item_key("last"), std::to_string(i));
    batch.append(log_key("s"), std::to_string(i));
    store().submit(std::move(batch), loop, answers.next());
  }
  answers.wait();
  const Rows log = scan_all(store(), all_of(Space::kLog));
  ASSERT_EQ(log.size(), 200u);
  EXPECT_EQ(value_of(store(), item_key("last")), log.back().second);
}

}  // namespace
}  // namespace sheaf::store

#include "store/faulty_store.h"

#include <algorithm>
#include <atomic>

#include "store/contract_fixture.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

class FaultyStoreOnMemory : public testing::Test {
 protected:
  FaultyStore& open(const FaultyOptions& options) {
    store_.reset();
    store_ = std::make_unique<FaultyStore>(open_memory_store(clock_), options);
    return *store_;
  }

  static Batch guarded_put(Store& store, const std::string& key, std::string_view value) {
    Batch batch;
    batch.guard(key, version_of(store, key));
    batch.put(key, value);
    return batch;
  }

  ManualClock clock_{1'000'000};
  std::unique_ptr<FaultyStore> store_;
};

TEST_F(FaultyStoreOnMemory, WithoutFaultsIsTheStoreItself) {
  FaultyStore& store = open({});
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(commit(store, guarded_put(store, item_key("a"), std::to_string(i))).kind, Kind::kApplied);
  EXPECT_EQ(read_of(store, item_key("a"), {.cached_only = true}).value, "99");
  EXPECT_EQ(scan_all(store, all_of(Space::kItems)).size(), 1u);
  EXPECT_EQ(store.last_stamp(), put(store, item_key("b"), ""));
  ASSERT_TRUE(store.drop(all_of(Space::kItems)).ok());
  EXPECT_EQ(value_of(store, item_key("b")), std::nullopt);
  EXPECT_EQ(store.checkpoint("/nowhere").error().code, Code::kInvalid);
  EXPECT_EQ(store.counts(), FaultCounts{});
}

TEST_F(FaultyStoreOnMemory, FailsGuardsForNothingAndOnlyGuards) {
  FaultyStore& store = open({.guard_failed = 0.5});
  uint64_t failed = 0;
  for (int i = 0; i < 200; ++i) {
    const auto before = value_of(store, item_key("a"));
    const Kind kind = commit(store, guarded_put(store, item_key("a"), std::to_string(i))).kind;
    failed += kind == Kind::kGuardFailed;
    EXPECT_EQ(value_of(store, item_key("a")), kind == Kind::kApplied ? std::to_string(i) : before);
    put(store, item_key("unguarded"), "");
  }
  EXPECT_GT(failed, 60u);
  EXPECT_LT(failed, 140u);
  EXPECT_EQ(store.counts().guards_failed, failed);
}

TEST_F(FaultyStoreOnMemory, AnswersUnknownWithAndWithoutHavingApplied) {
  for (const bool applies : {true, false}) {
    FaultyStore& store = open({.unknown_applied = applies ? 0.3 : 0.0,
                               .unknown_not_applied = applies ? 0.0 : 0.3,
                               .refuse_after_unknown = false});
    uint64_t unknown = 0;
    for (int i = 0; i < 200; ++i) {
      const std::string key = item_key(std::to_string(i));
      const Outcome outcome = commit(store, put_batch(key, ""));
      if (outcome.kind != Kind::kUnknown) {
        EXPECT_EQ(outcome.kind, Kind::kApplied);
        EXPECT_TRUE(value_of(store, key).has_value());
        continue;
      }
      ++unknown;
      EXPECT_FALSE(outcome.reason.empty());
      EXPECT_EQ(value_of(store, key).has_value(), applies);
    }
    EXPECT_GT(unknown, 30u);
    EXPECT_EQ(applies ? store.counts().unknown_applied : store.counts().unknown_not_applied, unknown);
  }
}

TEST_F(FaultyStoreOnMemory, RefusesEverythingAfterAnUnknownOutcomeUntilItIsReopened) {
  FaultyStore& store = open({.unknown_applied = 0.1, .unknown_not_applied = 0.1});
  int lives = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string key = item_key(std::to_string(i));
    const Kind kind = commit(store, put_batch(key, "")).kind;
    if (kind == Kind::kApplied) continue;
    ASSERT_EQ(kind, Kind::kUnknown);
    for (int again = 0; again < 3; ++again) {
      EXPECT_EQ(commit(store, put_batch(item_key("refused"), "")).kind, Kind::kRefused);
      EXPECT_EQ(store.drop(all_of(Space::kItems)).error().code, Code::kUnavailable);
      EXPECT_EQ(store.checkpoint("/nowhere").error().code, Code::kUnavailable);
    }
    EXPECT_EQ(value_of(store, item_key("refused")), std::nullopt) << "reads go on";
    store.reopen();
    ++lives;
  }
  EXPECT_GT(lives, 20);
  EXPECT_EQ(store.counts().unknown_applied + store.counts().unknown_not_applied,
            static_cast<uint64_t>(lives));
  EXPECT_EQ(store.counts().refused, static_cast<uint64_t>(lives) * 9);
}

TEST_F(FaultyStoreOnMemory, ReordersCommitsAndAnswers) {
  for (const bool submits : {true, false}) {
    FaultyStore& store = open(
        {.submit_delayed = submits ? 0.5 : 0.0, .answer_delayed = submits ? 0.0 : 0.5, .delay_us_max = 50});
    for (const bool may_block : {true, false}) {
      std::mutex mutex;
      std::vector<std::pair<int, Stamp>> order;
      {
        ThreadLoop loop(may_block);
        Answers answers;
        for (int i = 0; i < 200; ++i) {
          store.submit(put_batch(item_key(std::to_string(i)), ""), loop,
                       [&, i, done = answers.next()](Outcome outcome) mutable {
                         {
                           std::lock_guard lock(mutex);
                           EXPECT_EQ(std::this_thread::get_id(), loop.thread());
                           order.emplace_back(i, outcome.stamp);
                         }
                         done(std::move(outcome));
                       });
        }
        EXPECT_EQ(answers.count(Kind::kApplied), 200u);
      }
      ASSERT_EQ(order.size(), 200u);
      EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
      std::sort(order.begin(), order.end());
      const bool in_order = std::is_sorted(order.begin(), order.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
      EXPECT_EQ(in_order, !submits);
    }
    EXPECT_GT(submits ? store.counts().submits_delayed : store.counts().answers_delayed, 100u);
  }
}

TEST_F(FaultyStoreOnMemory, AnswersEverythingBeforeItGoes) {
  for (const bool may_block : {true, false}) {
    ThreadLoop loop(may_block);
    Answers answers;
    FaultyStore& store = open({.guard_failed = 0.1,
                               .unknown_applied = 0.01,
                               .submit_delayed = 0.5,
                               .answer_delayed = 0.5,
                               .delay_us_max = 10'000});
    for (int i = 0; i < 300; ++i) store.submit(put_batch(item_key("a"), ""), loop, answers.next());
    store_.reset();
    EXPECT_EQ(answers.wait().size(), 300u);
  }
}

TEST_F(FaultyStoreOnMemory, BlocksOnlyViewsThatAskedNotToWait) {
  FaultyStore& store = open({.would_block = 0.5});
  for (int i = 0; i < 10; ++i) put(store, item_key(std::to_string(i)), "");
  const std::vector<std::string> keys = {item_key("1"), item_key("2")};
  uint64_t blocked = 0, after_rows = 0;
  const auto check = [&](const auto& result) {
    if (result.ok()) return false;
    EXPECT_EQ(result.error().code, Code::kWouldBlock);
    ++blocked;
    return true;
  };
  for (int i = 0; i < 100; ++i) {
    for (const bool cached_only : {true, false}) {
      const auto view = store.view({.cached_only = cached_only});
      const uint64_t before = blocked;
      check(view->read(keys[0]));
      check(view->read_many(keys));
      uint64_t rows = 0;
      const bool stopped =
          check(view->scan(all_of(Space::kItems), {}, [&](auto, auto) { return ++rows > 0; }));
      after_rows += stopped && rows > 0;
      if (!cached_only) {
        EXPECT_EQ(blocked, before);
      }
    }
  }
  EXPECT_GT(blocked, 100u);
  EXPECT_LT(blocked, 200u);
  EXPECT_GT(after_rows, 10u);
  EXPECT_EQ(store.counts().would_block, blocked);
}

TEST_F(FaultyStoreOnMemory, EndsScansEarlyAndSaysWhereToResume) {
  FaultyStore& store = open({.scan_short = 0.7, .scan_rest_empty = 0.5});
  std::vector<std::string> keys;
  for (int i = 0; i < 100; ++i) {
    keys.push_back(item_key(std::to_string(100 + i)));
    put(store, keys.back(), "");
  }
  for (int round = 0; round < 20; ++round) {
    for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
      std::vector<std::string> seen;
      for (const auto& row : scan_all(store, all_of(Space::kItems), {.direction = direction, .rows_max = 40}))
        seen.push_back(row.first);
      if (direction == Direction::kBackward) std::reverse(seen.begin(), seen.end());
      EXPECT_EQ(seen, keys);
    }
  }
  EXPECT_GT(store.counts().scans_short, 40u);
  EXPECT_GT(store.counts().scan_rests_empty, 5u);
}

TEST_F(FaultyStoreOnMemory, OneSeedIsOneStory) {
  const auto story = [&](uint64_t seed) {
    FaultyStore& store = open({.seed = seed,
                               .guard_failed = 0.2,
                               .unknown_applied = 0.1,
                               .unknown_not_applied = 0.1,
                               .refuse_after_unknown = false,
                               .would_block = 0.3,
                               .scan_short = 0.3});
    std::string told;
    for (int i = 0; i < 100; ++i) {
      told += std::to_string(static_cast<int>(commit(store, guarded_put(store, item_key("a"), "")).kind));
      told += store.view({.cached_only = true})->read(item_key("a")).ok() ? "+" : "-";
      told += std::to_string(scan_slice(*store.view({}), all_of(Space::kItems)).size());
    }
    return std::pair(told, store.counts());
  };
  EXPECT_EQ(story(5), story(5));
  EXPECT_NE(story(5).first, story(6).first);
}

TEST_F(FaultyStoreOnMemory, ThreadsThatRetryCountExactly) {
  FaultyStore& store = open(
      {.seed = 11, .guard_failed = 0.2, .submit_delayed = 0.1, .answer_delayed = 0.1, .delay_us_max = 20});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int done = 0; done < 100;) {
        const Read read = read_of(store, item_key("count"));
        Batch batch;
        batch.guard(item_key("count"), read.version);
        batch.put(item_key("count"), std::to_string(std::stoi(read.value.value_or("0")) + 1));
        batch.add(counter_key("n"), std::vector<int64_t>{1});
        done += commit(store, std::move(batch)).kind == Kind::kApplied;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(value_of(store, item_key("count")), "400");
  EXPECT_EQ(sums_of(store, counter_key("n"), 1), std::vector<int64_t>{400});
  EXPECT_GT(store.counts().guards_failed, 0u);
}

}  // namespace
}  // namespace sheaf::store

#include "store/committer.h"

#include <algorithm>
#include <atomic>

#include "store/contract_fixture.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

// Remembers what it was told to write; can be held up, and can fail.
class RecordingWriter final : public GroupWriter {
 public:
  struct Group {
    std::vector<Stamp> stamps;
    std::map<std::string, std::string> adds;
    std::optional<Stamp> reserve;
    std::thread::id thread;
  };

  Result<void> write(std::span<const Admitted> group, const FoldedAdds& adds,
                     std::optional<Stamp> reserve) override {
    std::unique_lock lock(mutex_);
    writing_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    writing_ = false;
    Group written{.reserve = reserve, .thread = std::this_thread::get_id()};
    for (const Admitted& admitted : group) written.stamps.push_back(admitted.stamp);
    for (const auto& [key, deltas] : adds) EXPECT_TRUE(written.adds.emplace(key, deltas).second);
    groups_.push_back(std::move(written));
    changed_.notify_all();
    if (fail_) return Error{Code::kIo, "the disk is gone"};
    return {};
  }

  std::optional<std::string> refuse(const Batch&) override {
    std::lock_guard lock(mutex_);
    return refusal_;
  }
  void refuse_with(std::optional<std::string> refusal) {
    std::lock_guard lock(mutex_);
    refusal_ = std::move(refusal);
  }

  bool may_wait() const override { return may_wait_; }
  void set_may_wait(bool may_wait) { may_wait_ = may_wait; }

  void hold(bool held) {
    std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }
  // Until someone stands in `write`.
  void wait_for_writer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return writing_; });
  }
  void fail() {
    std::lock_guard lock(mutex_);
    fail_ = true;
  }
  std::vector<Group> groups() {
    std::lock_guard lock(mutex_);
    return groups_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  bool writing_ = false;
  bool fail_ = false;
  std::optional<std::string> refusal_;
  std::atomic<bool> may_wait_ = true;
  std::vector<Group> groups_;
};

class CommitterOfMemory : public testing::Test {
 protected:
  Outcome commit(Batch batch) {
    BlockingLoop loop;
    std::optional<Outcome> outcome;
    committer_->submit(std::move(batch), loop, [&](Outcome result) { outcome = std::move(result); });
    loop.run_until([&] { return outcome.has_value(); });
    return *outcome;
  }

  void open(const CommitterOptions& options) {
    committer_.reset();
    committer_ = std::make_unique<Committer>(writer_, clock_, options);
  }

  ManualClock clock_{1'000'000'000};
  RecordingWriter writer_;
  std::unique_ptr<Committer> committer_ = std::make_unique<Committer>(writer_, clock_, CommitterOptions{});
};

TEST_F(CommitterOfMemory, ALoneWriterNeverWaitsForAnotherThread) {
  for (int i = 0; i < 500; ++i) commit(put_batch(item_key("a"), ""));
  const auto groups = writer_.groups();
  EXPECT_EQ(groups.size(), 500u);
  for (const auto& group : groups) EXPECT_EQ(group.thread, std::this_thread::get_id());
}

// With a disk that is slow the first is written while the others come, and they are one group.
TEST_F(CommitterOfMemory, WhatALoneWriterSubmitsTogetherIsWrittenTogether) {
  writer_.hold(true);
  BlockingLoop loop;
  size_t applied = 0;
  loop.expect_more(true);
  for (int i = 0; i < 25; ++i)
    committer_->submit(put_batch(item_key("a" + std::to_string(i)), ""), loop,
                       [&](const Outcome& outcome) { applied += outcome.kind == Kind::kApplied ? 1 : 0; });
  loop.expect_more(false);
  writer_.hold(false);
  loop.run_until([&] { return applied == 25; });
  EXPECT_LE(writer_.groups().size(), 2u);
}

TEST_F(CommitterOfMemory, ALoopThatMustNotBlockNeverWrites) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  for (int i = 0; i < 50; ++i) committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  answers.wait();
  for (const auto& group : writer_.groups()) {
    EXPECT_NE(group.thread, std::this_thread::get_id());
    EXPECT_NE(group.thread, loop.thread());
  }
}

TEST_F(CommitterOfMemory, WhatTheWriterRefusesIsNotWrittenAndTheNextMayBe) {
  EXPECT_EQ(commit(put_batch(item_key("a"), "")).kind, Kind::kApplied);
  writer_.refuse_with("no room");
  const Outcome refused = commit(put_batch(item_key("a"), ""));
  EXPECT_EQ(refused.kind, Kind::kRefused);
  EXPECT_EQ(refused.reason, "no room");
  EXPECT_EQ(writer_.groups().size(), 1u);
  writer_.refuse_with(std::nullopt);
  EXPECT_EQ(commit(put_batch(item_key("a"), "")).kind, Kind::kApplied);
}

// A loop whose tasks run when it is told to.
class HeldLoop final : public Loop {
 public:
  void post(Task task) override {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  bool may_block() const override { return false; }

  void run() {
    std::vector<Task> tasks;
    {
      std::lock_guard lock(mutex_);
      tasks.swap(tasks_);
    }
    for (Task& task : tasks) task();
  }
  void run_until_answered(Answers& answers, size_t count) {
    while (answers.arrived() < count) {
      run();
      std::this_thread::yield();
    }
  }
  void forget() {
    std::vector<Task> tasks;
    std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }

 private:
  std::mutex mutex_;
  std::vector<Task> tasks_;
};

TEST_F(CommitterOfMemory, ALoopWritesWhatItSubmittedAsOneGroupIfThatDoesNotWait) {
  writer_.set_may_wait(false);
  commit(put_batch(item_key("a"), ""));  // with the first reservation
  HeldLoop loop;
  Answers answers;
  for (int i = 0; i < 10; ++i) committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  EXPECT_EQ(writer_.groups().size(), 1u);
  loop.run_until_answered(answers, 10);
  const auto groups = writer_.groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].stamps.size(), 10u);
  EXPECT_EQ(groups[1].thread, std::this_thread::get_id());
}

TEST_F(CommitterOfMemory, ALoopLeavesReservationsAndWritesThatWaitToTheThread) {
  writer_.set_may_wait(false);
  HeldLoop loop;
  Answers answers;
  committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  loop.run_until_answered(answers, 1);
  EXPECT_TRUE(writer_.groups().at(0).reserve);
  EXPECT_NE(writer_.groups().at(0).thread, std::this_thread::get_id());

  committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  writer_.set_may_wait(true);  // as when a stall begins in between
  loop.run_until_answered(answers, 2);
  EXPECT_NE(writer_.groups().at(1).thread, std::this_thread::get_id());
}

TEST_F(CommitterOfMemory, ALoopThatEndsLeavesItsGroupToTheThread) {
  writer_.set_may_wait(false);
  commit(put_batch(item_key("a"), ""));
  HeldLoop loop;
  Answers answers;
  committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  loop.forget();
  loop.run_until_answered(answers, 1);
  EXPECT_EQ(writer_.groups().size(), 2u);
  EXPECT_NE(writer_.groups()[1].thread, std::this_thread::get_id());
}

TEST_F(CommitterOfMemory, ACallerWritesItsOwnGroupAndLeavesTheRestToTheThread) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  writer_.hold(true);
  std::thread::id caller_id;
  std::thread caller([&] {
    caller_id = std::this_thread::get_id();
    commit(put_batch(item_key("first"), ""));
  });
  writer_.wait_for_writer();
  for (int i = 0; i < 10; ++i) committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  writer_.hold(false);
  caller.join();
  answers.wait();
  const auto groups = writer_.groups();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].thread, caller_id);
  EXPECT_EQ(groups[0].stamps.size(), 1u);
  EXPECT_NE(groups[1].thread, caller_id);
  EXPECT_EQ(groups[1].stamps.size(), 10u);
}

TEST_F(CommitterOfMemory, WhatIsPendingIsWrittenInOneGroupInItsOrder) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  writer_.hold(true);
  committer_->submit(put_batch(item_key("first"), ""), loop, answers.next());
  for (int i = 0; i < 100; ++i) {
    Batch batch;
    batch.add(counter_key("n"), std::vector<int64_t>{1, i});
    batch.add(counter_key(std::to_string(i % 2)), std::vector<int64_t>{2});
    committer_->submit(std::move(batch), loop, answers.next());
  }
  writer_.hold(false);
  EXPECT_EQ(answers.count(Kind::kApplied), 101u);
  std::vector<Stamp> stamps;
  std::map<std::string, std::string> sums;
  const auto groups = writer_.groups();
  EXPECT_LE(groups.size(), 3u);
  for (const auto& group : groups) {
    stamps.insert(stamps.end(), group.stamps.begin(), group.stamps.end());
    for (const auto& [key, deltas] : group.adds) fold_sums(sums[key], deltas);
  }
  EXPECT_EQ(stamps.size(), 101u);
  EXPECT_TRUE(std::is_sorted(stamps.begin(), stamps.end()));
  EXPECT_EQ(std::adjacent_find(stamps.begin(), stamps.end()), stamps.end());
  EXPECT_EQ(decode_sums(sums[counter_key("n")]), (std::vector<int64_t>{100, 4950}));
  EXPECT_EQ(decode_sums(sums[counter_key("0")]), (std::vector<int64_t>{100}));
  EXPECT_EQ(decode_sums(sums[counter_key("1")]), (std::vector<int64_t>{100}));
}

TEST_F(CommitterOfMemory, GroupsAreBoundedInBytes) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  writer_.hold(true);
  for (int i = 0; i < 20; ++i)
    committer_->submit(put_batch(item_key("a"), std::string(300'000, 'x')), loop, answers.next());
  writer_.hold(false);
  EXPECT_EQ(answers.count(Kind::kApplied), 20u);
  for (const auto& group : writer_.groups()) EXPECT_LE(group.stamps.size(), 3u);
}

TEST_F(CommitterOfMemory, AFailedWriteIsUnknownAndThenEverythingIsRefused) {
  ThreadLoop loop(/*may_block=*/false);
  commit(put_batch(item_key("a"), "1"));
  const Stamp before = committer_->last_stamp();
  EXPECT_EQ(committer_->failure(), std::nullopt);
  writer_.fail();
  const Outcome unknown = commit(put_batch(item_key("a"), "2"));
  EXPECT_EQ(unknown.kind, Kind::kUnknown);
  EXPECT_NE(unknown.reason.find("the disk is gone"), std::string::npos);
  EXPECT_EQ(unknown.stamp, 0u);
  EXPECT_EQ(committer_->last_stamp(), before);
  const size_t writes = writer_.groups().size();
  Answers answers;
  for (int i = 0; i < 10; ++i) {
    const Outcome refused = commit(put_batch(item_key("a"), "3"));
    EXPECT_EQ(refused.kind, Kind::kRefused);
    EXPECT_NE(refused.reason.find("the disk is gone"), std::string::npos);
    committer_->submit(put_batch(item_key("a"), "3"), loop, answers.next());
  }
  EXPECT_EQ(answers.count(Kind::kRefused), 10u);
  EXPECT_NE(committer_->failure(), std::nullopt);
  committer_.reset();
  EXPECT_EQ(writer_.groups().size(), writes) << "nothing is written after a failure, not even on closing";
}

TEST_F(CommitterOfMemory, WhatWasPendingWhenAWriteFailedIsAnsweredToo) {
  ThreadLoop loop(/*may_block=*/false);
  Answers answers;
  writer_.hold(true);
  writer_.fail();
  for (int i = 0; i < 5000; ++i) committer_->submit(put_batch(item_key("a"), ""), loop, answers.next());
  writer_.hold(false);
  const size_t unknown = answers.count(Kind::kUnknown), refused = answers.count(Kind::kRefused);
  EXPECT_EQ(unknown + refused, 5000u);
  EXPECT_GT(unknown, 0u);
  EXPECT_GT(refused, 0u);  // more than one group
}

TEST_F(CommitterOfMemory, TheStampsOfALaterLifeAreReserved) {
  for (int i = 0; i < 2000; ++i) {
    clock_.advance_us(i % 10 == 0 ? 400'000 : -100);
    commit(put_batch(item_key("a"), ""));
  }
  Stamp reserved = 0;
  size_t reserves = 0;
  for (const auto& group : writer_.groups()) {
    if (group.reserve) {
      EXPECT_GT(*group.reserve, reserved);
      reserved = *group.reserve;
      ++reserves;
    }
    for (const Stamp stamp : group.stamps) ASSERT_LT(stamp, reserved);
  }
  EXPECT_LT(reserves, 150u);  // seldom: a write each
}

TEST_F(CommitterOfMemory, ClosingGivesBackWhatWasReservedAndNotUsed) {
  const Stamp last = commit(put_batch(item_key("a"), "")).stamp;
  committer_.reset();
  const auto groups = writer_.groups();
  ASSERT_TRUE(groups.back().reserve.has_value());
  EXPECT_GT(*groups.back().reserve, last);
  EXPECT_LT(*groups.back().reserve, last + 10);
}

TEST_F(CommitterOfMemory, ClosingWithoutAWriteWritesNothing) {
  committer_.reset();
  EXPECT_TRUE(writer_.groups().empty());
}

TEST_F(CommitterOfMemory, StampsAndVersionsOfALaterLifeLieAboveTheReserved) {
  const Stamp reserved = 5'000'000'000;  // the clock shows less
  open({.first_stamp = reserved});
  EXPECT_EQ(committer_->last_stamp(), reserved);
  Batch old;
  old.guard(item_key("a"), Version{reserved - 1});
  EXPECT_EQ(commit(std::move(old)).kind, Kind::kGuardFailed);
  Batch fresh;
  fresh.guard(item_key("a"), Version{committer_->last_stamp()});
  const Outcome outcome = commit(std::move(fresh));
  EXPECT_EQ(outcome.kind, Kind::kApplied);
  EXPECT_GT(outcome.stamp, reserved);
}

TEST_F(CommitterOfMemory, AClockBefore1970DoesNotMakeStampsLarge) {
  clock_.advance_us(-2'000'000'000);
  EXPECT_LT(commit(put_batch(item_key("a"), "")).stamp, 1000u);
}

TEST_F(CommitterOfMemory, KeysThatShareASlotFailForNothingAndNeverHoldForNothing) {
  // 60,000 keys share 262,144 slots: a guard may fail for that, seldom; after a change it must.
  int failed_for_nothing = 0;
  for (int i = 0; i < 3000; ++i) {
    Batch spread;
    for (int k = 0; k < 20; ++k) spread.put(item_key(std::to_string(i) + "/" + std::to_string(k)), "");
    const Version before{committer_->last_stamp()};
    commit(std::move(spread));
    Batch unchanged, changed;
    unchanged.guard(item_key("never written" + std::to_string(i)), before);
    changed.guard(item_key(std::to_string(i) + "/" + std::to_string(i % 20)), before);
    failed_for_nothing += commit(std::move(unchanged)).kind == Kind::kGuardFailed;
    ASSERT_EQ(commit(std::move(changed)).kind, Kind::kGuardFailed);
  }
  EXPECT_LT(failed_for_nothing, 30);
}

}  // namespace
}  // namespace sheaf::store

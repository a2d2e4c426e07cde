// One answer: invariant 7 of doc/store-contract.md, for every store. What happens after a failed write is in
// committer_test.cc.
#include <atomic>
#include <set>

#include "store/contract_fixture.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

class StoreAnswers : public StoreContract {};
SHEAF_FOR_ALL_STORES(StoreAnswers);

TEST_P(StoreAnswers, ComeOnceEachOnTheLoopThatWasGiven) {
  for (const bool may_block : {false, true}) {
    std::mutex mutex;
    std::map<int, int> calls;
    bool elsewhere = false;
    {
      ThreadLoop loop(may_block);
      Answers answers;
      for (int i = 0; i < 100; ++i) {
        store().submit(put_batch(item_key(std::to_string(i)), ""), loop,
                       [&, i, done = answers.next()](Outcome outcome) mutable {
                         {
                           std::lock_guard lock(mutex);
                           ++calls[i];
                           elsewhere |= std::this_thread::get_id() != loop.thread();
                         }
                         done(std::move(outcome));
                       });
      }
      EXPECT_EQ(answers.count(Kind::kApplied), 100u);
    }  // what the loop still had was run
    EXPECT_FALSE(elsewhere);
    EXPECT_EQ(calls.size(), 100u);
    for (const auto& [batch, count] : calls) EXPECT_EQ(count, 1) << batch;
  }
}

TEST_P(StoreAnswers, ComeToManyCallersWithLoopsOfBothKinds) {
  ThreadLoop patient(/*may_block=*/true), impatient(/*may_block=*/false);
  Answers answers;
  std::vector<std::thread> threads;
  const int batches = syncs() ? 20 : 200;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < batches; ++i) {
        Batch batch = put_batch(item_key(std::to_string(t) + "/" + std::to_string(i)), "");
        if (t == 0) {
          EXPECT_EQ(commit(store(), std::move(batch)).kind, Kind::kApplied);
        } else {
          store().submit(std::move(batch), t == 1 ? patient : impatient, answers.next());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answers.count(Kind::kApplied), static_cast<size_t>(3 * batches));
  EXPECT_EQ(scan_all(store(), all_of(Space::kItems)).size(), static_cast<size_t>(4 * batches));
}

TEST_P(StoreAnswers, ArePostedNotCalledFromWithinSubmit) {
  BlockingLoop loop;
  bool answered = false;
  store().submit(put_batch(item_key("a"), "1"), loop, [&](Outcome) { answered = true; });
  EXPECT_FALSE(answered);
  loop.run_until([&] { return answered; });
}

TEST_P(StoreAnswers, MaySubmitAgain) {
  for (const bool may_block : {false, true}) {
    ThreadLoop loop(may_block);
    std::mutex mutex;
    std::condition_variable finished;
    int left = 30;
    std::function<void()> next = [&] {
      store().submit(put_batch(item_key("a"), std::to_string(left)), loop, [&](Outcome outcome) {
        EXPECT_EQ(outcome.kind, Kind::kApplied);
        std::unique_lock lock(mutex);
        if (--left == 0) return finished.notify_all();
        lock.unlock();
        next();
      });
    };
    next();
    std::unique_lock lock(mutex);
    finished.wait(lock, [&] { return left == 0; });
  }
}

TEST_P(StoreAnswers, ComeForAllThatWasQueuedWhenTheStoreGoes) {
  for (const bool may_block : {false, true}) {
    auto held = std::make_shared<int>(0);
    {
      ThreadLoop loop(may_block);
      Answers answers;
      for (int i = 0; i < 500; ++i) {
        Batch batch = put_batch(item_key(std::to_string(i)), std::string(3000, 'x'));
        store().submit(std::move(batch), loop,
                       [held, done = answers.next()](Outcome outcome) mutable { done(std::move(outcome)); });
      }
      close();
      const size_t applied = answers.count(Kind::kApplied), refused = answers.count(Kind::kRefused);
      EXPECT_EQ(applied + refused, 500u);
      EXPECT_EQ(answers.wait().size(), 500u);
    }
    EXPECT_EQ(held.use_count(), 1);  // and what they held was let go
    settle();
    if (GetParam() == StoreKind::kMemory) break;
    EXPECT_EQ(scan_all(store(), all_of(Space::kItems)).size(), 500u);
  }
}

TEST_P(StoreAnswers, CarryGrowingStampsInTheOrderOfCommit) {
  Stamp last = 0;
  for (int i = 0; i < 20; ++i) {
    const Stamp stamp = put(store(), item_key("a"), std::to_string(i));
    EXPECT_GT(stamp, last);
    last = stamp;
  }
}

}  // namespace
}  // namespace sheaf::store

#include "engine/key_locks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <random>
#include <thread>

#include "value/random_value.h"

namespace sheaf::engine {
namespace {

using Stripes = std::vector<KeyLocks::Stripe>;

// Keeps what is posted until the test runs it.
class HeldLoop final : public Loop {
 public:
  void post(Task task) override { posted_.push_back(std::move(task)); }
  bool may_block() const override { return false; }

  size_t posted() const { return posted_.size(); }
  void run() {
    for (Task& task : std::exchange(posted_, {})) task();
  }

 private:
  std::vector<Task> posted_;
};

// Wakes the thread that waits for its locks; gives up rather than hang.
class WaitingLoop final : public Loop {
 public:
  void post(Task task) override {
    std::lock_guard lock(mutex_);
    posted_ = std::move(task);
    arrived_.notify_one();
  }
  bool may_block() const override { return true; }

  bool wait() {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, std::chrono::seconds(60), [this] { return bool{posted_}; })) return false;
    Task task = std::move(posted_);
    posted_ = Task();
    lock.unlock();
    task();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  Task posted_;
};

class KeyLocksTest : public testing::Test {
 protected:
  // Asks under a name; the name is noted when the locks are there.
  bool acquire(const std::string& name, const Stripes& stripes) {
    return locks_.acquire(stripes, loop_, [this, name] { granted_.push_back(name); });
  }

  KeyLocks locks_;
  HeldLoop loop_;
  std::vector<std::string> granted_;
};

TEST_F(KeyLocksTest, FreeLocksAreTakenAtOnce) {
  const Stripes a{1, 2}, b{3};
  EXPECT_TRUE(acquire("a", a));
  EXPECT_TRUE(acquire("b", b));
  EXPECT_EQ(loop_.posted(), 0u) << "whoever has them already is not told again";
  locks_.release(a);
  EXPECT_TRUE(acquire("c", a));
}

TEST_F(KeyLocksTest, ALockedKeyQueuesTheRequestAndGrantsItOnItsLoop) {
  const Stripes one{5};
  EXPECT_TRUE(acquire("a", one));
  EXPECT_FALSE(acquire("b", one));
  EXPECT_EQ(loop_.posted(), 0u);
  locks_.release(one);
  EXPECT_EQ(loop_.posted(), 1u);
  EXPECT_TRUE(granted_.empty()) << "posted, not called";
  loop_.run();
  EXPECT_EQ(granted_, std::vector<std::string>{"b"});
}

TEST_F(KeyLocksTest, WaitersAreServedInTheOrderInWhichTheyAsked) {
  const Stripes one{5};
  EXPECT_TRUE(acquire("a", one));
  for (const char* name : {"b", "c", "d"}) EXPECT_FALSE(acquire(name, one));
  for (int i = 0; i < 3; ++i) {
    locks_.release(one);
    EXPECT_EQ(loop_.posted(), 1u) << "one at a time";
    loop_.run();
  }
  EXPECT_EQ(granted_, (std::vector<std::string>{"b", "c", "d"}));
  locks_.release(one);
  EXPECT_TRUE(acquire("e", one)) << "free again";
}

TEST_F(KeyLocksTest, NobodyOvertakesAWaiter) {
  const Stripes one{5};
  EXPECT_TRUE(acquire("a", one));
  EXPECT_FALSE(acquire("b", one));
  locks_.release(one);  // b has it now, though it does not know yet
  EXPECT_FALSE(acquire("late", one));
  loop_.run();
  locks_.release(one);
  loop_.run();
  EXPECT_EQ(granted_, (std::vector<std::string>{"b", "late"}));
}

TEST_F(KeyLocksTest, ARequestIsGrantedOnceItHasAllOfItsLocks) {
  const Stripes two{2}, four{4}, both{2, 4};
  EXPECT_TRUE(acquire("x", two));
  EXPECT_TRUE(acquire("y", four));
  EXPECT_FALSE(acquire("both", both));
  locks_.release(two);
  EXPECT_EQ(loop_.posted(), 0u) << "half is not enough";
  EXPECT_FALSE(acquire("z", two)) << "but the half that it has, it keeps";
  locks_.release(four);
  loop_.run();
  EXPECT_EQ(granted_, std::vector<std::string>{"both"});
  locks_.release(both);
  loop_.run();
  EXPECT_EQ(granted_, (std::vector<std::string>{"both", "z"}));
}

TEST_F(KeyLocksTest, ARequestKeepsWhatItTookBeforeItHadToWait) {
  const Stripes one{1}, two{2}, both{1, 2};
  EXPECT_TRUE(acquire("x", two));
  EXPECT_FALSE(acquire("both", both));
  EXPECT_FALSE(acquire("y", one)) << "both holds it already";
  locks_.release(two);
  loop_.run();
  EXPECT_EQ(granted_, std::vector<std::string>{"both"});
}

TEST_F(KeyLocksTest, AReleaseCanServeSeveralWaiters) {
  const Stripes one{1}, two{2}, both{1, 2};
  EXPECT_TRUE(acquire("both", both));
  EXPECT_FALSE(acquire("a", one));
  EXPECT_FALSE(acquire("b", two));
  locks_.release(both);
  EXPECT_EQ(loop_.posted(), 2u);
  loop_.run();
  EXPECT_EQ(granted_, (std::vector<std::string>{"a", "b"}));
}

TEST(KeyLocksStripes, AreSortedAndEachIsNamedOnce) {
  Stripes stripes{7, 3, 7, 1, 3};
  KeyLocks::sort_stripes(stripes);
  EXPECT_EQ(stripes, (Stripes{1, 3, 7}));
}

TEST(KeyLocksStripes, AKeyHasAlwaysTheSameAndKeysAreSpread) {
  std::set<KeyLocks::Stripe> seen;
  for (int i = 0; i < 1000; ++i) {
    Stripes stripes;
    KeyLocks::add_stripe(stripes, "key" + std::to_string(i));
    KeyLocks::add_stripe(stripes, "key" + std::to_string(i));
    ASSERT_EQ(stripes.size(), 2u);
    EXPECT_EQ(stripes[0], stripes[1]);
    seen.insert(stripes[0]);
  }
  EXPECT_GT(seen.size(), 950u);
}

// Many threads take several of few locks, in every combination. What a lock protects is not atomic: two
// holders at once would lose counts. A lost wake-up or a deadlock would leave a thread waiting.
TEST(KeyLocksThreads, NobodyWaitsForEverAndNoLockHasTwoHolders) {
  constexpr int kThreads = 8, kRounds = 4000;
  constexpr KeyLocks::Stripe kStripes = 6;
  KeyLocks locks;
  std::array<int, kStripes> counts{};
  std::array<int, kStripes> expected{};
  std::mutex mutex;
  std::atomic<int> stuck = 0, waited = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::mt19937_64 random(test_seed() + static_cast<uint64_t>(i));
      std::array<int, kStripes> mine{};
      for (int round = 0; round < kRounds; ++round) {
        Stripes stripes;
        for (uint64_t count = 1 + random() % 4; count > 0; --count) {
          stripes.push_back(static_cast<KeyLocks::Stripe>(random() % kStripes));
        }
        KeyLocks::sort_stripes(stripes);
        WaitingLoop loop;
        bool granted = false;
        if (!locks.acquire(stripes, loop, [&] { granted = true; })) {
          ++waited;
          if (!loop.wait() || !granted) {
            ++stuck;
            return;
          }
        }
        for (const KeyLocks::Stripe stripe : stripes) {
          ++counts[stripe];
          ++mine[stripe];
        }
        if (round % 16 == 0) std::this_thread::yield();
        locks.release(stripes);
      }
      std::lock_guard lock(mutex);
      for (size_t stripe = 0; stripe < kStripes; ++stripe) expected[stripe] += mine[stripe];
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stuck, 0) << "SHEAF_TEST_SEED=" << test_seed();
  EXPECT_EQ(counts, expected);
  EXPECT_GT(waited, 0) << "the threads never met, so nothing was shown";
}

}  // namespace
}  // namespace sheaf::engine

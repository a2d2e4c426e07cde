#include "http/memory_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "http/buffer.h"

namespace sheaf::http {
namespace {

constexpr MemoryBudgetOptions kSmall{.soft_bytes = 100, .hard_bytes = 150};

// Keeps what is posted, for the test to count.
class QueueLoop final : public Loop {
 public:
  void post(Task task) override {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  bool may_block() const override { return true; }
  size_t size() {
    std::lock_guard lock(mutex_);
    return tasks_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<Task> tasks_;
};

TEST(MemoryBudget, CountsWhatIsTakenAndReleased) {
  MemoryBudget budget(kSmall);
  budget.take(70);
  budget.take(50);
  EXPECT_EQ(budget.used_bytes(), 120u);
  budget.release(100);
  EXPECT_EQ(budget.used_bytes(), 20u);
  EXPECT_EQ(budget.used_bytes_peak(), 120u);
}

TEST(MemoryBudget, KnowsItsLinesExactly) {
  MemoryBudget budget(kSmall);
  budget.take(100);
  EXPECT_FALSE(budget.is_above_soft_line());
  budget.take(1);
  EXPECT_TRUE(budget.is_above_soft_line());
  budget.take(49);
  EXPECT_FALSE(budget.is_above_hard_line());
  budget.take(1);
  EXPECT_TRUE(budget.is_above_hard_line());
}

TEST(MemoryBudget, TryingDoesNotLeadBeyondTheHardLine) {
  MemoryBudget budget(kSmall);
  EXPECT_FALSE(budget.try_take(151));
  EXPECT_TRUE(budget.try_take(150));
  EXPECT_FALSE(budget.try_take(1));
  EXPECT_EQ(budget.used_bytes(), 150u);
}

TEST(MemoryBudget, NotifiesWhenTheSoftLineIsReachedAgain) {
  MemoryBudget budget(kSmall);
  QueueLoop loop;
  budget.take(130);
  budget.notify(loop, [] {});
  budget.release(29);
  EXPECT_EQ(loop.size(), 0u);
  budget.release(1);
  EXPECT_EQ(loop.size(), 1u);
  budget.release(1);
  EXPECT_EQ(loop.size(), 1u);
}

TEST(MemoryBudget, NotifiesAtOnceIfThereIsMemory) {
  MemoryBudget budget(kSmall);
  QueueLoop loop;
  budget.notify(loop, [] {});
  EXPECT_EQ(loop.size(), 1u);
}

TEST(MemoryBudget, ForgetsALoop) {
  MemoryBudget budget(kSmall);
  QueueLoop forgotten;
  QueueLoop other;
  budget.take(130);
  budget.notify(forgotten, [] {});
  budget.notify(other, [] {});
  budget.forget(forgotten);
  budget.release(130);
  EXPECT_EQ(forgotten.size(), 0u);
  EXPECT_EQ(other.size(), 1u);
}

TEST(MemoryBudget, NobodyWaitsForeverWhileOthersTakeAndRelease) {
  MemoryBudget budget(kSmall);
  QueueLoop loop;
  constexpr size_t kWaits = 3000;
  std::thread waiter([&] {
    for (size_t i = 0; i < kWaits; ++i) budget.notify(loop, [] {});
  });
  std::vector<std::thread> users;
  for (int i = 0; i < 2; ++i)
    users.emplace_back([&] {
      for (int j = 0; j < 20'000; ++j) {
        budget.take(90);
        budget.release(90);
      }
    });
  waiter.join();
  for (std::thread& user : users) user.join();
  EXPECT_EQ(budget.used_bytes(), 0u);
  EXPECT_EQ(loop.size(), kWaits);
}

TEST(Buffer, CountsWhatItAllocates) {
  MemoryBudget budget(kSmall);
  {
    Buffer buffer(&budget);
    EXPECT_EQ(budget.used_bytes(), 0u);
    buffer.resize(40);
    EXPECT_EQ(budget.used_bytes(), 40u);
    ASSERT_TRUE(buffer.try_resize(150));
    EXPECT_EQ(budget.used_bytes(), 150u);
    EXPECT_FALSE(buffer.try_resize(151));
    EXPECT_EQ(buffer.capacity(), 150u);
    buffer.resize(151);
    EXPECT_EQ(budget.used_bytes(), 151u);
    buffer.resize(10);
    EXPECT_EQ(budget.used_bytes(), 10u);
    buffer.clear();
    EXPECT_EQ(budget.used_bytes(), 0u);
    buffer.resize(7);
  }
  EXPECT_EQ(budget.used_bytes(), 0u);
}

TEST(Buffer, KeepsItsContentsWhenItGrows) {
  Buffer buffer(nullptr);
  buffer.resize(4);
  std::memcpy(buffer.data(), "abcd", 4);
  buffer.resize(1 << 20);
  EXPECT_EQ(std::string(buffer.data(), 4), "abcd");
}

}  // namespace
}  // namespace sheaf::http

#include "http/deadlines.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace sheaf::http {
namespace {

constexpr int64_t kTick = Deadlines::kTickMs;

struct Alarm final : Timed {
  void on_deadline() override {
    ++rung;
    if (then) then();
  }
  int rung = 0;
  std::function<void()> then;
};

TEST(Deadlines, RingOnceTheirTimeHasComeAndNotBefore) {
  Deadlines deadlines(1000);
  Alarm alarm;
  deadlines.set(alarm, 1100);
  deadlines.run(1099);
  EXPECT_EQ(alarm.rung, 0);
  deadlines.run(1100 + kTick);
  EXPECT_EQ(alarm.rung, 1);
  deadlines.run(100'000);
  EXPECT_EQ(alarm.rung, 1);
}

TEST(Deadlines, CanBeMovedLater) {
  Deadlines deadlines(0);
  Alarm alarm;
  deadlines.set(alarm, 100);
  deadlines.set(alarm, 500);
  deadlines.run(499);
  EXPECT_EQ(alarm.rung, 0);
  deadlines.run(500 + kTick);
  EXPECT_EQ(alarm.rung, 1);
}

TEST(Deadlines, CanBeMovedEarlier) {
  Deadlines deadlines(0);
  Alarm alarm;
  deadlines.set(alarm, 10'000);
  deadlines.set(alarm, 100);
  deadlines.run(100 + kTick);
  EXPECT_EQ(alarm.rung, 1);
}

TEST(Deadlines, CanBeCleared) {
  Deadlines deadlines(0);
  Alarm alarm;
  deadlines.set(alarm, 100);
  deadlines.clear(alarm);
  deadlines.clear(alarm);
  deadlines.run(1000);
  EXPECT_EQ(alarm.rung, 0);
  EXPECT_EQ(deadlines.next_ms(), Deadlines::kNever);
}

TEST(Deadlines, InThePastRingAtTheNextTick) {
  Deadlines deadlines(5000);
  Alarm alarm;
  deadlines.set(alarm, 10);
  deadlines.run(5000 + kTick);
  EXPECT_EQ(alarm.rung, 1);
}

TEST(Deadlines, BeyondTheWheelRingAtTheirTime) {
  Deadlines deadlines(0);
  Alarm alarm;
  const int64_t due_ms = 10'000'000;
  deadlines.set(alarm, due_ms);
  int64_t now_ms = 0;
  while (deadlines.next_ms() < due_ms) {
    now_ms = deadlines.next_ms();
    deadlines.run(now_ms);
    ASSERT_EQ(alarm.rung, 0);
  }
  deadlines.run(deadlines.next_ms());
  EXPECT_EQ(alarm.rung, 1);
}

TEST(Deadlines, NeverNeverRings) {
  Deadlines deadlines(0);
  Alarm alarm;
  deadlines.set(alarm, Deadlines::kNever);
  deadlines.run(int64_t{1} << 50);
  EXPECT_EQ(alarm.rung, 0);
  deadlines.clear(alarm);
}

TEST(Deadlines, TellWhenToLookAgain) {
  Deadlines deadlines(0);
  EXPECT_EQ(deadlines.next_ms(), Deadlines::kNever);
  Alarm far;
  Alarm near;
  deadlines.set(far, 9000);
  deadlines.set(near, 70);
  EXPECT_GE(deadlines.next_ms(), 70);
  EXPECT_LE(deadlines.next_ms(), 70 + kTick);
  deadlines.run(200);
  EXPECT_GE(deadlines.next_ms(), 9000);
  EXPECT_LE(deadlines.next_ms(), 9000 + kTick);
  deadlines.clear(far);
}

TEST(Deadlines, AllRingAfterALongSleep) {
  Deadlines deadlines(0);
  std::vector<Alarm> alarms(5000);
  for (size_t i = 0; i < alarms.size(); ++i) deadlines.set(alarms[i], static_cast<int64_t>(i * 10));
  deadlines.run(1'000'000'000);
  for (const Alarm& alarm : alarms) ASSERT_EQ(alarm.rung, 1);
}

TEST(Deadlines, MayBeSetAndClearedWhileTheyRing) {
  Deadlines deadlines(0);
  Alarm first;
  Alarm second;
  Alarm later;
  // Both are due in the same tick; whichever rings first keeps the other from it.
  first.then = [&] { deadlines.clear(second), deadlines.set(later, 500); };
  second.then = [&] { deadlines.clear(first), deadlines.set(later, 500); };
  deadlines.set(first, 100);
  deadlines.set(second, 100);
  deadlines.run(200);
  EXPECT_EQ(first.rung + second.rung, 1);
  EXPECT_EQ(later.rung, 0);
  deadlines.run(600);
  EXPECT_EQ(later.rung, 1);
}

TEST(Deadlines, OneThatSetsItselfAgainRingsAgain) {
  Deadlines deadlines(0);
  Alarm alarm;
  int64_t now_ms = 0;
  alarm.then = [&] { deadlines.set(alarm, now_ms + 100); };
  deadlines.set(alarm, 100);
  for (now_ms = 0; now_ms <= 10'000; now_ms += kTick) deadlines.run(now_ms);
  EXPECT_GT(alarm.rung, 50);
  EXPECT_LE(alarm.rung, 100);
  deadlines.clear(alarm);
}

TEST(Deadlines, RingAsAListOfTimesWouldSay) {
  std::mt19937_64 random(4711);
  Deadlines deadlines(0);
  std::vector<Alarm> alarms(200);
  std::map<size_t, int64_t> due;  // what is set
  int64_t now_ms = 0;
  for (int step = 0; step < 20'000; ++step) {
    const size_t i = random() % alarms.size();
    switch (random() % 8) {
      case 0:
        deadlines.clear(alarms[i]);
        due.erase(i);
        break;
      case 1:
        now_ms += static_cast<int64_t>(random() % (random() % 50 == 0 ? 200'000 : 200));
        deadlines.run(now_ms);
        break;
      default:
        due[i] = now_ms + static_cast<int64_t>(random() % (random() % 10 == 0 ? 100'000 : 500));
        deadlines.set(alarms[i], due[i]);
    }
    for (auto entry = due.begin(); entry != due.end();) {
      Alarm& alarm = alarms[entry->first];
      ASSERT_LE(alarm.rung, 1);
      if (alarm.rung == 1) {
        ASSERT_LE(entry->second, now_ms) << "too early";
        entry = due.erase(entry);
      } else {
        ASSERT_GT(entry->second + 2 * kTick, now_ms) << "too late";
        ++entry;
      }
      alarm.rung = 0;
    }
    const int64_t next_ms = deadlines.next_ms();
    for (const auto& [index, due_ms] : due) ASSERT_LE(next_ms, due_ms + 2 * kTick);
  }
  for (Alarm& alarm : alarms) deadlines.clear(alarm);
}

}  // namespace
}  // namespace sheaf::http

// Pulls the plug under a store with concurrent writers, at random points and at every point, and holds the
// store to what it acknowledged. SHEAF_TEST_ROUNDS multiplies the rounds; a failure names its seed, and
// SHEAF_TEST_SEED starts from it.
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "base/clock.h"
#include "ledger.h"
#include "power_loss_file_system.h"
#include "store/contract_fixture.h"
#include "store/rocks_store.h"

namespace sheaf::faults {
namespace {

using store::Batch;
using store::commit;
using store::Outcome;
using store::RocksOptions;
using store::Space;
using store::Stamp;
using store::Store;
using store::ThreadLoop;
using Kind = Outcome::Kind;

constexpr const char* kDirectory = "/store";

uint64_t environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Totals {
  int cuts = 0;
  int cuts_while_opening = 0;
  size_t acknowledged = 0;
  size_t lost = 0;
  size_t unknown_there = 0;
  size_t unknown_gone = 0;
  int drops = 0;
  int checkpoints = 0;

  void add(const Totals& other) {
    cuts += other.cuts;
    cuts_while_opening += other.cuts_while_opening;
    acknowledged += other.acknowledged;
    lost += other.lost;
    unknown_there += other.unknown_there;
    unknown_gone += other.unknown_gone;
    drops += other.drops;
    checkpoints += other.checkpoints;
  }
};

// One disk with one store, over many power cuts.
class Machine {
 public:
  Machine(uint64_t seed, bool durable)
      : durable_(durable), random_(seed), files_(std::make_shared<PowerLossFileSystem>(seed)) {}

  PowerLossFileSystem& files() { return *files_; }
  Ledger& ledger() { return ledger_; }
  Totals& totals() { return totals_; }
  size_t below(size_t bound) { return random_() % bound; }

  // With as little memory as it takes, so that flushes and compactions are frequent.
  Result<std::unique_ptr<Store>> open(const std::string& directory = kDirectory) {
    // Somewhere between an hour ago and an hour from now: stamps must grow all the same.
    const ManualClock now(1'700'000'000'000'000 + static_cast<int64_t>(below(7200)) * 1'000'000);
    clock_.advance_us(now.now_us() - clock_.now_us());
    ledger_.begin_life();
    return store::open_rocks_store(
        {.directory = directory, .durable = durable_, .memory_bytes = 1, .file_system = files_}, clock_);
  }

  // Opens with the power on, which must succeed, and compares.
  std::unique_ptr<Store> open_and_compare() {
    auto opened = open();
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    if (!opened.ok()) return nullptr;
    const Ledger::Comparison found = ledger_.settle(**opened);
    for (const std::string& problem : found.problems) ADD_FAILURE() << problem;
    totals_.acknowledged = found.acknowledged;
    totals_.lost += found.lost;
    totals_.unknown_there += found.unknown_there;
    totals_.unknown_gone += found.unknown_gone;
    if (durable_) {
      EXPECT_EQ(found.lost, 0u) << "acknowledged batches are lost";
    }
    check_dropped(**opened);
    check_checkpoint();
    return *std::move(opened);
  }

  void restore_power() {
    files_->cut_power();
    files_->restore();
    ++totals_.cuts;
  }

  // Until the power goes, or everyone has written enough.
  void run_writers(Store& store, uint32_t batches, uint32_t value_bytes_max) {
    std::vector<std::thread> threads;
    writers_done_ = false;
    for (uint32_t writer = 0; writer < 3; ++writer) {
      const uint64_t seed = random_();
      threads.emplace_back([this, &store, writer, batches, value_bytes_max, seed] {
        write_guarded(store, writer, batches, value_bytes_max, seed);
      });
    }
    const uint64_t seed = random_();
    threads.emplace_back([this, &store, batches, value_bytes_max, seed] {
      write_ahead(store, /*writer=*/3, batches, value_bytes_max, seed);
    });
    threads.emplace_back([this, &store] { follow_log(store); });
    if (below(3) == 0) {
      threads.emplace_back([this, &store] { drop_something(store); });
    }
    if (below(4) == 0) {
      threads.emplace_back([this, &store] { make_checkpoint(store); });
    }
    for (size_t i = 0; i < 4; ++i) threads[i].join();
    writers_done_ = true;
    for (size_t i = 4; i < threads.size(); ++i) threads[i].join();
  }

  // One batch after the other, each guarded by the one before.
  void write_guarded(Store& store, uint32_t writer, uint32_t batches, uint32_t bytes_max, uint64_t seed) {
    std::mt19937_64 random(seed);
    for (uint32_t i = 0; i < batches; ++i) {
      const auto head = store.view({})->read(head_key(writer));
      if (!head.ok()) return;
      Batch batch;
      const std::string id = ledger_.begin(
          {.writer = writer, .number = head_number(*head) + 1, .value_bytes = value_bytes(random, bytes_max)},
          batch);
      batch.guard(head_key(writer), head->version);
      const Outcome outcome = commit(store, std::move(batch));
      ledger_.told(id, outcome);
      if (outcome.kind == Kind::kUnknown || outcome.kind == Kind::kRefused) return;
    }
  }

 private:
  static uint32_t value_bytes(std::mt19937_64& random, uint32_t bytes_max) {
    return static_cast<uint32_t>(random() % 8 == 0 ? random() % bytes_max : random() % 200);
  }

  // Many at once, from a loop that must not block.
  void write_ahead(Store& store, uint32_t writer, uint32_t batches, uint32_t bytes_max, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto head = store.view({})->read(head_key(writer));
    if (!head.ok()) return;
    uint32_t number = head_number(*head);
    ThreadLoop loop(/*may_block=*/false);
    std::mutex mutex;
    std::condition_variable changed;
    uint32_t in_flight = 0;
    bool stop = false;
    for (uint32_t i = 0; i < batches; ++i) {
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return in_flight < 12; });
        if (stop) break;
        ++in_flight;
      }
      Batch batch;
      const std::string id = ledger_.begin(
          {.writer = writer, .number = ++number, .value_bytes = value_bytes(random, bytes_max)}, batch);
      store.submit(std::move(batch), loop, [&, id](Outcome outcome) {
        ledger_.told(id, outcome);
        std::lock_guard lock(mutex);
        stop |= outcome.kind != Kind::kApplied;
        --in_flight;
        changed.notify_all();
      });
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return in_flight == 0; });
  }

  // Reads the newest rows again and again: what it sees must be durable, also if nobody was told yet.
  void follow_log(Store& store) {
    for (; !writers_done_; std::this_thread::sleep_for(std::chrono::microseconds(300))) {
      for (const char* shard : {"a", "b"}) {
        const store::Range range = {store::log_key(shard), store::log_key(std::string(shard) + "\xff")};
        const auto end =
            store.view({})->scan(range, {.direction = store::Direction::kBackward, .rows_max = 5},
                                 [&](std::string_view, std::string_view id) {
                                   ledger_.saw(std::string(id));
                                   return true;
                                 });
        if (!end.ok()) return;
      }
    }
  }

  std::string dead_key(int drop, uint32_t row) const {
    std::string key(1, static_cast<char>(Space::kExpiry));
    append_u32(key, static_cast<uint32_t>(drop));
    append_u32(key, row);
    return key;
  }

  void drop_something(Store& store) {
    const int drop = ++totals_.drops;
    for (uint32_t row = 0; row < 300; row += 100) {
      Batch batch;
      for (uint32_t i = 0; i < 100; ++i) batch.put(dead_key(drop, row + i), std::string(300, 'd'));
      if (commit(store, std::move(batch)).kind != Kind::kApplied) return;
    }
    if (store.drop({dead_key(drop, 0), dead_key(drop + 1, 0)}).ok()) dropped_.insert(drop);
  }

  // What was dropped before the power went is gone, if the store syncs.
  void check_dropped(Store& store) const {
    if (!durable_) return;
    for (const int drop : dropped_) {
      EXPECT_TRUE(store::scan_all(store, {dead_key(drop, 0), dead_key(drop + 1, 0)}).empty())
          << "drop " << drop << " came back";
    }
  }

  void make_checkpoint(Store& store) {
    const std::string directory = "/copy" + std::to_string(++totals_.checkpoints);
    std::set<std::string> expected = ledger_.acknowledged();
    if (!store.checkpoint(directory).ok()) return;
    checkpoint_ = directory;
    checkpoint_holds_ = std::move(expected);
  }

  // The last one that was made is still there, and holds what was acknowledged before it was begun.
  void check_checkpoint() {
    if (checkpoint_.empty()) return;
    auto opened = open(checkpoint_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Ledger::Comparison found = ledger_.compare(**opened, checkpoint_holds_);
    for (const std::string& problem : found.problems) ADD_FAILURE() << "checkpoint: " << problem;
    EXPECT_EQ(found.lost, 0u) << "checkpoint";
    checkpoint_.clear();
  }

  const bool durable_;
  std::mt19937_64 random_;
  ManualClock clock_{0};
  const std::shared_ptr<PowerLossFileSystem> files_;
  Ledger ledger_;
  Totals totals_;
  std::atomic<bool> writers_done_ = false;
  std::set<int> dropped_;
  std::string checkpoint_;
  std::set<std::string> checkpoint_holds_;
};

// One disk through a number of cuts: while it opens and recovers, writes, flushes, compacts, drops and
// copies.
Totals run_machine(uint64_t seed, bool durable, int cuts) {
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
  Machine machine(seed, durable);
  for (int cut = 0; cut < cuts && !testing::Test::HasFailure(); ++cut) {
    std::unique_ptr<Store> store;
    if (machine.below(3) == 0) {
      machine.files().cut_power_during(1 + machine.below(80));
      auto opened = machine.open();
      if (opened.ok()) {
        store = *std::move(opened);
        machine.run_writers(*store, /*batches=*/100, /*value_bytes_max=*/2'000);
      } else {
        EXPECT_TRUE(machine.files().is_off()) << opened.error().message;
        ++machine.totals().cuts_while_opening;
      }
    } else {
      store = machine.open_and_compare();
      const bool large = machine.below(3) == 0;
      machine.files().cut_power_during(1 + machine.below(large ? 600 : 250));
      if (store) machine.run_writers(*store, /*batches=*/400, large ? 200'000 : 8'000);
    }
    store.reset();
    machine.restore_power();
  }
  machine.open_and_compare();
  return machine.totals();
}

// Many at once: after an error RocksDB's threads, which all databases share, sleep for a second, and nobody
// can wake them.
Totals run_machines(bool durable, uint64_t machines, int cuts) {
  for (const auto priority : {rocksdb::Env::Priority::HIGH, rocksdb::Env::Priority::LOW})
    rocksdb::Env::Default()->SetBackgroundThreads(32, priority);
  const uint64_t first = environment("SHEAF_TEST_SEED", durable ? 1000 : 5000);
  const uint64_t end = first + machines * environment("SHEAF_TEST_ROUNDS", 1);
  std::atomic<uint64_t> next = first;
  std::mutex mutex;
  Totals totals;
  std::vector<std::thread> threads;
  for (int t = 0; t < 24; ++t) {
    threads.emplace_back([&] {
      for (uint64_t seed = next++; seed < end && !testing::Test::HasFailure(); seed = next++) {
        const Totals run = run_machine(seed, durable, cuts);
        std::lock_guard lock(mutex);
        totals.add(run);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::printf(
      "%d cuts (%d while opening), %zu batches kept, %zu lost; unknown: %zu there, %zu gone; %d drops, "
      "%d checkpoints\n",
      totals.cuts, totals.cuts_while_opening, totals.acknowledged, totals.lost, totals.unknown_there,
      totals.unknown_gone, totals.drops, totals.checkpoints);
  return totals;
}

class PowerCut : public testing::Test {
 protected:
  void SetUp() override {
    if (!store::kRocksCanRun) GTEST_SKIP() << "RocksDB under the thread sanitizer";
  }
};

TEST_F(PowerCut, ADurableStoreKeepsAllThatItAcknowledged) {
  const Totals totals = run_machines(/*durable=*/true, /*machines=*/24, /*cuts=*/7);
  EXPECT_GE(totals.cuts, 100);
  EXPECT_GT(totals.cuts_while_opening, 5);
  EXPECT_GT(totals.acknowledged, 1000u);
  EXPECT_GT(totals.unknown_there, 0u);
  EXPECT_GT(totals.unknown_gone, 0u);
}

// Also shows that the comparison can find what is lost.
TEST_F(PowerCut, ARelaxedStoreLosesTheNewestBatchesAndOnlyThose) {
  const Totals totals = run_machines(/*durable=*/false, /*machines=*/16, /*cuts=*/7);
  EXPECT_GT(totals.lost, 0u);
  EXPECT_GT(totals.acknowledged, 0u);
}

TEST_F(PowerCut, ARelaxedStoreThatWasClosedLosesNothing) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Machine machine(seed, /*durable=*/false);
    for (int life = 0; life < 3; ++life) {
      auto store = machine.open_and_compare();
      ASSERT_NE(store, nullptr);
      machine.write_guarded(*store, /*writer=*/0, /*batches=*/40, /*bytes_max=*/100'000, seed);
      store.reset();
      machine.restore_power();
    }
    machine.open_and_compare();
    EXPECT_EQ(machine.totals().lost, 0u);
    EXPECT_EQ(machine.totals().acknowledged, 120u);
  }
}

// Keeps RocksDB's flushes waiting as long as it lives.
class HeldFlushes {
 public:
  HeldFlushes() {
    rocksdb::Env* env = rocksdb::Env::Default();
    env->SetBackgroundThreads(1, rocksdb::Env::Priority::HIGH);
    env->Schedule(
        [](void* self) {
          auto& held = *static_cast<HeldFlushes*>(self);
          std::unique_lock lock(held.mutex_);
          held.changed_.wait(lock, [&] { return held.released_; });
          held.gone_ = true;
          held.changed_.notify_all();
        },
        this, rocksdb::Env::Priority::HIGH);
  }
  ~HeldFlushes() { release(); }

  void release() {
    std::unique_lock lock(mutex_);
    released_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return gone_; });
  }
  HeldFlushes(const HeldFlushes&) = delete;
  HeldFlushes& operator=(const HeldFlushes&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool released_ = false;
  bool gone_ = false;
};

// A full buffer begins a new log file. What was not synced of the old one must not be missing before what is
// there of the new one.
TEST_F(PowerCut, ARelaxedStoreLeavesNoGapsBetweenItsLogFiles) {
  size_t lost = 0;
  for (uint64_t seed = 1; seed <= 25 * environment("SHEAF_TEST_ROUNDS", 1); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Machine machine(seed, /*durable=*/false);
    {
      HeldFlushes held;
      auto opened = machine.open();
      ASSERT_TRUE(opened.ok()) << opened.error().message;
      machine.write_guarded(**opened, /*writer=*/0, /*batches=*/30, /*bytes_max=*/1'000'000, seed);
      machine.files().cut_power();
      // It waits for its flushes, and these for us. Once it goes they give up quickly.
      std::thread releases([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        held.release();
      });
      opened->reset();
      releases.join();
    }
    machine.restore_power();
    machine.open_and_compare();
    lost += machine.totals().lost;
    if (HasFailure()) return;
  }
  EXPECT_GT(lost, 0u);
}

// From the first call that makes the directory to the last one that closes it.
TEST_F(PowerCut, AtEveryCallOfAShortLifeLosesNothing) {
  uint64_t calls = 0;
  for (uint64_t call = 1; calls == 0 || call <= calls; call += 1 + call / 30) {
    SCOPED_TRACE("cut during call " + std::to_string(call));
    Machine machine(call, /*durable=*/true);
    machine.files().cut_power_during(call);
    if (auto opened = machine.open(); opened.ok()) machine.write_guarded(**opened, 0, 5, 100, call);
    if (!machine.files().is_off()) calls = machine.files().change_count();
    for (int life = 0; life < 3; ++life) {
      machine.restore_power();
      const std::unique_ptr<Store> store = machine.open_and_compare();
      if (HasFailure()) return;
      machine.write_guarded(*store, 1, 2, 100, call);
    }
  }
  EXPECT_GT(calls, 50u);
}

class DiskError : public PowerCut {
 protected:
  static std::string item(int number) { return store::item_key(std::to_string(1000 + number)); }
  static Outcome put(Store& store, int number, size_t bytes = 100) {
    return commit(store, store::put_batch(item(number), std::string(bytes, 'x')));
  }
  Result<std::unique_ptr<Store>> try_open() {
    return store::open_rocks_store({.directory = kDirectory, .memory_bytes = 1, .file_system = files_},
                                   clock_);
  }
  std::unique_ptr<Store> open() {
    auto opened = try_open();
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? *std::move(opened) : nullptr;
  }

  ManualClock clock_{1'700'000'000'000'000};
  std::shared_ptr<PowerLossFileSystem> files_ = std::make_shared<PowerLossFileSystem>(77);
};

TEST_F(DiskError, AFailedSyncIsUnknownAndThenWritesAreRefusedUntilReopened) {
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(round);
    files_ = std::make_shared<PowerLossFileSystem>(static_cast<uint64_t>(round));
    auto store = open();
    int applied = 0;
    for (; applied < 5; ++applied) ASSERT_EQ(put(*store, applied).kind, Kind::kApplied);
    files_->fail_sync(static_cast<uint64_t>(1 + round % 3), ".log");
    for (; applied < 5 + round % 3; ++applied) ASSERT_EQ(put(*store, applied).kind, Kind::kApplied);
    const int unknown = applied;
    const Outcome outcome = put(*store, unknown);
    EXPECT_EQ(outcome.kind, Kind::kUnknown);
    EXPECT_NE(outcome.reason.find("Input/output error"), std::string::npos) << outcome.reason;
    for (int i = 0; i < 3; ++i) {
      const Outcome refused = put(*store, 500 + i);
      EXPECT_EQ(refused.kind, Kind::kRefused);
      EXPECT_NE(refused.reason.find("opened again"), std::string::npos) << refused.reason;
    }
    EXPECT_EQ(store->drop(store::all_of(Space::kItems)).error().code, Code::kUnavailable);
    EXPECT_EQ(store->checkpoint("/copy").error().code, Code::kUnavailable);
    for (int i = 0; i < applied; ++i)
      EXPECT_TRUE(store::value_of(*store, item(i)).has_value()) << "reads go on";

    // Reopened without a power loss, then with one: what the page cache still had must not count as written.
    store.reset();
    store = open();
    const auto check = [&] {
      for (int i = 0; i < applied; ++i) EXPECT_TRUE(store::value_of(*store, item(i)).has_value()) << i;
      for (int i = 0; i < 3; ++i) EXPECT_FALSE(store::value_of(*store, item(500 + i)).has_value());
    };
    check();
    const bool unknown_there = store::value_of(*store, item(unknown)).has_value();
    ASSERT_EQ(put(*store, 900).kind, Kind::kApplied);
    store.reset();
    files_->cut_power();
    files_->restore();
    store = open();
    check();
    EXPECT_TRUE(store::value_of(*store, item(900)).has_value());
    EXPECT_EQ(store::value_of(*store, item(unknown)).has_value(), unknown_there) << "once known, it stays so";
  }
}

TEST_F(DiskError, SyncsThatFailAtRandomLoseNothingThatWasAcknowledged) {
  for (uint64_t seed = 1; seed <= 8 * environment("SHEAF_TEST_ROUNDS", 1); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Machine machine(seed, /*durable=*/true);
    machine.open_and_compare();
    for (int life = 0; life < 6 && !HasFailure(); ++life) {
      // While opening too: then it may fail to open, and must not lose anything either.
      machine.files().set_error_rates(0.02, 0);
      if (auto opened = machine.open(); opened.ok()) machine.write_guarded(**opened, 0, 60, 3000, seed);
      machine.files().set_error_rates(0, 0);
      if (life % 2 == 0) machine.restore_power();
      machine.open_and_compare();
    }
    if (HasFailure()) return;
  }
}

TEST_F(DiskError, AFullDiskIsSaidClearlyAndReadsGoOn) {
  auto store = open();
  files_->set_capacity(files_->used_bytes() + 3'000'000);
  int applied = 0;
  Outcome outcome;
  for (;; ++applied) {
    ASSERT_LT(applied, 1000);
    outcome = put(*store, applied, 10'000);
    if (outcome.kind != Kind::kApplied) break;
  }
  EXPECT_GT(applied, 50);
  EXPECT_EQ(outcome.kind, Kind::kUnknown);
  EXPECT_NE(outcome.reason.find("disk is full"), std::string::npos) << outcome.reason;
  const Outcome refused = put(*store, 5000);
  EXPECT_EQ(refused.kind, Kind::kRefused);
  EXPECT_NE(refused.reason.find("disk is full"), std::string::npos) << refused.reason;
  for (int i = 0; i < applied; ++i) EXPECT_TRUE(store::value_of(*store, item(i)).has_value());
  EXPECT_EQ(store::scan_all(*store, store::all_of(Space::kItems)).size(), static_cast<size_t>(applied));

  // While the disk is full it may open or not, but says why and breaks nothing.
  store.reset();
  if (auto opened = try_open(); opened.ok()) {
    EXPECT_EQ(store::scan_all(**opened, store::all_of(Space::kItems)).size(), static_cast<size_t>(applied));
  } else {
    EXPECT_EQ(opened.error().code, Code::kIo);
    EXPECT_NE(opened.error().message.find("disk is full"), std::string::npos) << opened.error().message;
  }
  files_->set_capacity(UINT64_MAX);
  store = open();
  const size_t found = store::scan_all(*store, store::all_of(Space::kItems)).size();
  EXPECT_TRUE(found == static_cast<size_t>(applied) || found == static_cast<size_t>(applied) + 1) << found;
  EXPECT_EQ(put(*store, 5000).kind, Kind::kApplied);
}

TEST_F(DiskError, ADiskThatIsFullNowAndThenLosesNothingThatWasAcknowledged) {
  for (uint64_t seed = 1; seed <= 8 * environment("SHEAF_TEST_ROUNDS", 1); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Machine machine(seed, /*durable=*/true);
    machine.open_and_compare();
    for (int life = 0; life < 6 && !HasFailure(); ++life) {
      machine.files().set_error_rates(0, 0.01);
      if (auto opened = machine.open(); opened.ok()) machine.write_guarded(**opened, 0, 60, 50'000, seed);
      machine.files().set_error_rates(0, 0);
      if (life % 2 == 0) machine.restore_power();
      machine.open_and_compare();
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sheaf::faults

// Pulls the plug under a whole database with concurrent writers, and holds it to what it acknowledged.
// SHEAF_TEST_ROUNDS multiplies the rounds; a failure names its seed, and SHEAF_TEST_SEED starts from it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "api/local_database.h"
#include "base/clock.h"
#include "consistency_check.h"
#include "power_loss_file_system.h"
#include "store/rocks_store.h"
#include "workload.h"
#include "workload_check.h"

namespace sheaf::faults {
namespace {

constexpr int kMachines = 8;
constexpr int kCutsPerMachine = 4;
constexpr int kRelaxedMachines = 6;

uint64_t environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Totals {
  int cuts = 0;
  int cuts_while_opening = 0;
  size_t acknowledged = 0;
  size_t broken_promises = 0;
  size_t open_there = 0;
  size_t open_gone = 0;
  size_t unfinished = 0;
  size_t stream_events = 0;
};

// One disk with one database, over several power cuts.
class Machine {
 public:
  Machine(uint64_t seed, bool durable, Totals& totals)
      : durable_(durable),
        random_(seed),
        totals_(totals),
        files_(std::make_shared<PowerLossFileSystem>(seed)) {}
  ~Machine() { totals_.acknowledged += acknowledged_; }

  // Works until the power goes: in the middle of a change of some file, or after a while of work.
  enum class Cut : uint8_t { kAnywhere, kAtWork };
  void work_until_power_cut(Cut cut) {
    if (cut == Cut::kAnywhere) files_->cut_power_during(1 + below(prepared() ? 4000 : 12'000));
    Result<std::unique_ptr<Database>> db = open(true);
    if (!db.ok()) {
      ASSERT_TRUE(files_->is_off()) << db.error().message;
    } else {
      journal_.running.store(0);
      const std::atomic<bool> never = false;
      std::atomic<bool> ended = false;
      const std::chrono::milliseconds limit(200 + below(400));
      std::thread plug([&] { cut_power_after(limit, ended); });
      Workload(**db, journal_, random_()).run(never);
      ended = true;
      plug.join();
    }
    ++totals_.cuts;
  }

  // Brings the power back and looks at what is there; returns what was promised and is not.
  std::vector<std::string> check() {
    files_->restore();
    if (below(4) == 0) cut_while_opening();
    Result<std::unique_ptr<Database>> db = open(false);
    if (!db.ok()) {
      ADD_FAILURE() << "cannot open: " << db.error().message;
      return {};
    }
    const PromiseReport promises = check_promises(**db, journal_);
    acknowledged_ = promises.acknowledged;
    totals_.broken_promises += promises.problems.size();
    totals_.open_there += promises.open_there;
    totals_.open_gone += promises.open_gone;
    ConsistencyReport report = check_consistency(**db);
    totals_.unfinished += report.unfinished;
    if (below(2) == 0) {
      EXPECT_EQ(settle(**db), "");
      report = check_consistency(**db);
      EXPECT_EQ(report.unfinished, 0u);
    }
    totals_.stream_events += report.stream_events;
    for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
    return promises.problems;
  }

 private:
  uint64_t below(uint64_t bound) { return random_() % bound; }
  bool prepared() const { return journal_.prepared.load() != 0; }

  // At the latest: it may go before, or the work may end.
  void cut_power_after(std::chrono::milliseconds work, const std::atomic<bool>& ended) {
    const auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
    while (!files_->is_off() && journal_.running.load() == 0 && !ended) nap();
    const auto end = std::chrono::steady_clock::now() + work;
    while (!files_->is_off() && !ended && std::chrono::steady_clock::now() < end) nap();
    if (!files_->is_off()) files_->cut_power();
  }

  // With as little memory as it takes, so that files are written and merged all the time.
  Result<std::unique_ptr<Database>> open(bool background_thread) {
    Result<std::unique_ptr<store::Store>> opened = store::open_rocks_store(
        {.directory = "/data", .durable = durable_, .memory_bytes = 1, .file_system = files_}, clock_);
    if (!opened.ok()) return opened.error();
    return api::make_local_database(std::move(*opened), clock_, {.background_thread = background_thread});
  }

  void cut_while_opening() {
    files_->cut_power_during(1 + below(60));
    static_cast<void>(open(false).ok());
    files_->cut_power();
    files_->restore();
    ++totals_.cuts_while_opening;
  }

  const bool durable_;
  std::mt19937_64 random_;
  Totals& totals_;
  const SystemClock clock_;
  const std::shared_ptr<PowerLossFileSystem> files_;
  WorkloadJournal journal_{};
  size_t acknowledged_ = 0;
};

void print(const Totals& totals) {
  std::cout << totals.cuts << " power cuts (and " << totals.cuts_while_opening
            << " while opening): " << totals.acknowledged << " acknowledged writes, "
            << totals.broken_promises << " broken promises, " << totals.open_there
            << " open writes there and " << totals.open_gone << " gone, " << totals.unfinished
            << " tables and indexes in transit, " << totals.stream_events << " stream events checked\n";
}

TEST(EnginePowerLoss, LosesNothingAcknowledgedAndLeavesNothingHalfDone) {
  const uint64_t first = environment("SHEAF_TEST_SEED", 100);
  Totals totals;
  for (uint64_t seed = first; seed < first + kMachines * environment("SHEAF_TEST_ROUNDS", 1); ++seed) {
    SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
    Machine machine(seed, true, totals);
    for (int cut = 0; cut < kCutsPerMachine && !HasFailure(); ++cut) {
      SCOPED_TRACE("cut " + std::to_string(cut));
      machine.work_until_power_cut(Machine::Cut::kAnywhere);
      for (const std::string& problem : machine.check()) ADD_FAILURE() << problem;
    }
    if (HasFailure()) break;
  }
  print(totals);
  EXPECT_GT(totals.acknowledged, 0u);
}

// Without syncs acknowledged writes are lost, and the check says so; what is left is consistent all the same.
TEST(EnginePowerLoss, WithoutSyncsWritesAreLostAndWhatIsLeftIsConsistent) {
  const uint64_t first = environment("SHEAF_TEST_SEED", 500);
  Totals totals;
  for (uint64_t seed = first; seed < first + kRelaxedMachines * environment("SHEAF_TEST_ROUNDS", 1); ++seed) {
    SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
    Machine machine(seed, false, totals);
    machine.work_until_power_cut(Machine::Cut::kAtWork);
    machine.check();
    if (HasFailure()) break;
  }
  print(totals);
  EXPECT_GT(totals.broken_promises, 0u) << "a check that cannot see a lost write proves nothing";
}

}  // namespace
}  // namespace sheaf::faults

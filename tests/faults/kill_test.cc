// Kills a process that works on a database, at random moments, and holds the database to what the process was
// told. SHEAF_TEST_ROUNDS multiplies the rounds; a failure names its seed, and SHEAF_TEST_SEED starts from
// it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>

#include "base/temp_directory.h"
#include "consistency_check.h"
#include "workload.h"
#include "workload_check.h"

extern char** environ;

namespace sheaf::faults {
namespace {

using std::chrono::milliseconds;

constexpr const char* kWorkRole = "work";
constexpr int kRounds = 20;
constexpr uint64_t kMemoryBytes = 4 << 20;  // little, so that files are written and merged all the time
constexpr auto kStartMax = std::chrono::seconds(60);

uint64_t environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A journal in a file, mapped: what is entered there is there for others when the process is killed.
class MappedJournal {
 public:
  explicit MappedJournal(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ::ftruncate(file, sizeof(WorkloadJournal)) != 0) std::abort();
    memory_ = ::mmap(nullptr, sizeof(WorkloadJournal), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (memory_ == MAP_FAILED) std::abort();
  }
  ~MappedJournal() { ::munmap(memory_, sizeof(WorkloadJournal)); }
  MappedJournal(const MappedJournal&) = delete;
  MappedJournal& operator=(const MappedJournal&) = delete;

  WorkloadJournal& operator*() { return *static_cast<WorkloadJournal*>(memory_); }
  WorkloadJournal* operator->() { return &**this; }

 private:
  void* memory_;
};

// The process to be killed. It returns only if something is wrong.
int work(const std::string& directory, const std::string& journal_path, uint64_t seed) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  MappedJournal journal(journal_path);
  Result<std::unique_ptr<Database>> db = Database::open(directory, {.memory_bytes = kMemoryBytes});
  if (!db.ok()) {
    std::cerr << "cannot open: " << db.error().message << "\n";
    return 3;
  }
  const std::atomic<bool> never = false;
  Workload(**db, *journal, seed).run(never);
  return 4;
}

class Process {
 public:
  Process(const std::string& directory, const std::string& journal, uint64_t seed) {
    std::string arguments[] = {"kill_test", kWorkRole, directory, journal, std::to_string(seed)};
    char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                    arguments[3].data(), arguments[4].data(), nullptr};
    if (::posix_spawn(&id_, "/proc/self/exe", nullptr, nullptr, argv, environ) != 0) std::abort();
  }

  // Kills it; false if it had ended by itself.
  bool kill() {
    ::kill(id_, SIGKILL);
    int status = 0;
    ::waitpid(id_, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }

 private:
  pid_t id_ = 0;
};

struct Totals {
  int kills = 0;
  int kills_before_running = 0;
  size_t acknowledged = 0;
  size_t open_there = 0;
  size_t open_gone = 0;
  size_t unfinished = 0;  // indexes being filled or tables being cleared when the process was killed
  ConsistencyReport last;
};

// One directory, over several kills.
class Victim {
 public:
  Victim(uint64_t seed, Totals& totals)
      : random_(seed), totals_(totals), journal_(directory_.path("journal")) {}
  ~Victim() { totals_.acknowledged += acknowledged_; }

  void round() {
    SCOPED_TRACE("round " + std::to_string(++rounds_) + " of this directory");
    journal_->running.store(0);
    Process process(directory_.path("data"), directory_.path("journal"), random_());
    if (random_() % 5 == 0) {
      std::this_thread::sleep_for(milliseconds(random_() % 60));  // while it opens, or repairs, or prepares
    } else {
      wait_until_running();
      std::this_thread::sleep_for(milliseconds(20 + random_() % 500));
    }
    if (journal_->running.load() == 0) ++totals_.kills_before_running;
    ASSERT_TRUE(process.kill()) << "the process ended by itself: "
                                << std::string(journal_->problem, journal_->problem_bytes.load());
    ++totals_.kills;
    verify();
  }

 private:
  void wait_until_running() {
    const auto deadline = std::chrono::steady_clock::now() + kStartMax;
    while (journal_->running.load() == 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(milliseconds(1));
    EXPECT_NE(journal_->running.load(), 0u) << "the process does not get going";
  }

  void verify() {
    Result<std::unique_ptr<Database>> db =
        Database::open(directory_.path("data"), {.memory_bytes = kMemoryBytes, .background_thread = false});
    ASSERT_TRUE(db.ok()) << db.error().message;
    const PromiseReport promises = check_promises(**db, *journal_);
    for (const std::string& problem : promises.problems) ADD_FAILURE() << problem;
    acknowledged_ = promises.acknowledged;
    totals_.open_there += promises.open_there;
    totals_.open_gone += promises.open_gone;

    ConsistencyReport report = check_consistency(**db);
    totals_.unfinished += report.unfinished;
    if (random_() % 2 == 0) {  // otherwise the next process finishes what this one has begun
      ASSERT_EQ(settle(**db), "");
      report = check_consistency(**db);
      EXPECT_EQ(report.unfinished, 0u) << "background work ended, and something is not finished";
    }
    for (const std::string& problem : report.problems) ADD_FAILURE() << problem;
    totals_.last = report;
  }

  TempDirectory directory_;
  std::mt19937_64 random_;
  Totals& totals_;
  MappedJournal journal_;
  size_t acknowledged_ = 0;
  int rounds_ = 0;
};

TEST(Kill, LosesNothingAcknowledgedAndLeavesNothingHalfDone) {
  const uint64_t seed = environment("SHEAF_TEST_SEED", 1);
  SCOPED_TRACE("SHEAF_TEST_SEED=" + std::to_string(seed));
  const auto rounds = static_cast<int>(kRounds * environment("SHEAF_TEST_ROUNDS", 1));
  std::mt19937_64 random(seed);
  Totals totals;
  while (totals.kills < rounds && !HasFailure()) {
    Victim victim(random(), totals);
    for (uint64_t left = 1 + random() % 6; left > 0 && totals.kills < rounds && !HasFailure(); --left)
      victim.round();
  }
  std::cout << totals.kills << " kills (" << totals.kills_before_running
            << " before it was running): " << totals.acknowledged << " acknowledged writes, "
            << totals.open_there << " open ones there and " << totals.open_gone << " gone, "
            << totals.unfinished << " tables and indexes in transit; at last " << totals.last.items
            << " items, " << totals.last.index_entries << " index entries, " << totals.last.stream_events
            << " events\n";
  EXPECT_GT(totals.acknowledged, 0u);
}

}  // namespace
}  // namespace sheaf::faults

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == sheaf::faults::kWorkRole)
    return sheaf::faults::work(argv[2], argv[3], std::strtoull(argv[4], nullptr, 10));
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

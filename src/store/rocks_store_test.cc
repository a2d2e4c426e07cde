// What only the store on disk promises: data directories, restarts, checkpoints.
#include "store/rocks_store.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "store/contract_fixture.h"
#include "store/data_directory.h"

namespace sheaf::store {
namespace {

namespace fs = std::filesystem;
using Kind = Outcome::Kind;
using Sums = std::vector<int64_t>;

constexpr int64_t kNowUs = 1'700'000'000'000'000;

class RocksStoreFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!kRocksCanRun) GTEST_SKIP() << "RocksDB under the thread sanitizer";
  }

  Result<std::unique_ptr<Store>> try_open(const std::string& path, bool durable = true,
                                          uint64_t memory_bytes = 16u << 20) {
    return open_rocks_store({.directory = path, .durable = durable, .memory_bytes = memory_bytes}, clock_);
  }
  std::unique_ptr<Store> open(const std::string& path, bool durable = true) {
    auto opened = try_open(path, durable);
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    return opened.ok() ? *std::move(opened) : nullptr;
  }
  Error open_error(const std::string& path) {
    const auto opened = try_open(path);
    EXPECT_FALSE(opened.ok());
    return opened.ok() ? Error{} : opened.error();
  }

  static void write_file(const std::string& path, std::string_view text) { std::ofstream(path) << text; }
  static std::string read_file(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::vector<std::string> names_in(const std::string& path) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  static unsigned mode_of(const std::string& path) {
    struct stat found {};
    EXPECT_EQ(::stat(path.c_str(), &found), 0);
    return found.st_mode & 0777;
  }
  static std::string first_file(const std::string& path, std::string_view ending) {
    for (const std::string& name : names_in(path)) {
      if (name.ends_with(ending)) return path + "/" + name;
    }
    return "";
  }
  static bool says(const Error& error, std::string_view words) {
    return error.message.find(words) != std::string::npos;
  }

  TempDirectory directory_;
  const std::string path_ = directory_.path("store");
  ManualClock clock_{kNowUs};
};

TEST_F(RocksStoreFiles, ReopeningKeepsEverything) {
  for (const bool durable : {true, false}) {
    const std::string path = directory_.path(durable ? "durable" : "relaxed");
    for (int life = 0; life < 4; ++life) {
      const auto store = open(path, durable);
      const Rows before = scan_all(*store, all_of(Space::kItems));
      EXPECT_EQ(before.size(), static_cast<size_t>(life) * 100);
      Batch batch;
      for (int i = 0; i < 101; ++i) batch.put(item_key(std::to_string(life * 1000 + i)), std::to_string(i));
      batch.add(counter_key("n"), Sums{100, 5});
      batch.append(log_key("s"), std::to_string(life));
      EXPECT_EQ(commit(*store, std::move(batch)).kind, Kind::kApplied);
      erase(*store, item_key(std::to_string(life * 1000 + 100)));
    }
    const auto store = open(path, durable);
    EXPECT_EQ(scan_all(*store, all_of(Space::kItems)).size(), 400u);
    EXPECT_EQ(sums_of(*store, counter_key("n"), 2), (Sums{400, 20}));
    const Rows log = scan_all(*store, all_of(Space::kLog));
    ASSERT_EQ(log.size(), 4u);
    for (int life = 0; life < 4; ++life)
      EXPECT_EQ(log[static_cast<size_t>(life)].second, std::to_string(life));
  }
}

TEST_F(RocksStoreFiles, StampsGrowOverLivesWhenTheClockIsPutBack) {
  Stamp last = 0;
  for (int life = 0; life < 5; ++life) {
    const auto store = open(path_);
    EXPECT_GE(store->last_stamp(), last);
    for (int i = 0; i < 3; ++i) {
      const Stamp stamp = put(*store, item_key("a"), "");
      EXPECT_GT(stamp, last);
      last = stamp;
    }
    clock_.advance_us(-3'600'000'000);
  }
}

// A child process runs one of the tests below in this same program: a fork without an exec would lack the
// threads of RocksDB.
class ChildProcess {
 public:
  ChildProcess(const std::string& test, const std::string& directory) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::setenv("SHEAF_TEST_DIRECTORY", directory.c_str(), 1);
      const std::string filter = "--gtest_filter=RocksStoreChild.DISABLED_" + test;
      ::execl("/proc/self/exe", "store_test", filter.c_str(), "--gtest_also_run_disabled_tests",
              static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ::fdopen(ends[0], "r");
  }
  ~ChildProcess() {
    if (child_ > 0) finish(SIGKILL);
    std::fclose(output_);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // The next line that the child marked as ours.
  std::string line() {
    char text[256];
    while (std::fgets(text, sizeof(text), output_) != nullptr) {
      if (const std::string_view line = text; line.starts_with("child: "))
        return std::string(line.substr(7, line.size() - 8));
    }
    return "";
  }
  void finish(int signal = 0) {
    if (signal != 0) ::kill(child_, signal);
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
  }

 private:
  pid_t child_ = 0;
  std::FILE* output_ = nullptr;
};

void tell_parent(const std::string& text) {
  std::printf("child: %s\n", text.c_str());
  std::fflush(stdout);
}

TEST(RocksStoreChild, DISABLED_WritesForEver) {
  const ManualClock clock(kNowUs);
  const auto store = open_rocks_store({.directory = std::getenv("SHEAF_TEST_DIRECTORY")}, clock);
  ASSERT_TRUE(store.ok());
  for (int i = 0;; ++i) {
    const Stamp stamp = put(**store, item_key(std::to_string(1'000'000 + i)), "");
    tell_parent(std::to_string(stamp));
  }
}

TEST(RocksStoreChild, DISABLED_HoldsTheDirectory) {
  const ManualClock clock(kNowUs);
  const auto store = open_rocks_store({.directory = std::getenv("SHEAF_TEST_DIRECTORY")}, clock);
  tell_parent(store.ok() ? "open" : store.error().message);
  ::pause();
}

TEST(RocksStoreChild, DISABLED_TriesToOpen) {
  const ManualClock clock(kNowUs);
  const auto store = open_rocks_store({.directory = std::getenv("SHEAF_TEST_DIRECTORY")}, clock);
  tell_parent(store.ok() ? "open" : store.error().code == Code::kBusy ? "busy" : store.error().message);
}

TEST_F(RocksStoreFiles, AProcessThatIsKilledLosesNothingThatItAcknowledged) {
  Stamp last = 0;
  int acknowledged = 0;
  for (int life = 0; life < 3; ++life) {
    ChildProcess child("WritesForEver", path_);
    std::string line;
    for (int i = 0; i < 20 * (life + 1); ++i) {
      line = child.line();
      ASSERT_FALSE(line.empty());
      acknowledged = std::max(acknowledged, i + 1);
      EXPECT_GT(std::stoull(line), last);
      last = std::stoull(line);
    }
    child.finish(SIGKILL);
    while (!(line = child.line()).empty()) {
      last = std::stoull(line);
      ++acknowledged;
    }
    clock_.advance_us(-60'000'000);
    const auto store = open(path_);
    EXPECT_GE(scan_all(*store, all_of(Space::kItems)).size(), static_cast<size_t>(acknowledged));
    const Stamp stamp = put(*store, item_key("after"), "");
    EXPECT_GT(stamp, last);
    EXPECT_LT(stamp, last + 5'000'000) << "a crash moves the stamps only a little ahead of the clock";
    last = stamp;
    erase(*store, item_key("after"));
    last = store->last_stamp();
  }
}

TEST_F(RocksStoreFiles, ASecondOpenIsBusy) {
  {
    const auto store = open(path_);
    const Error error = open_error(path_);
    EXPECT_EQ(error.code, Code::kBusy);
    EXPECT_TRUE(says(error, path_)) << error.message;
    ChildProcess child("TriesToOpen", path_);
    EXPECT_EQ(child.line(), "busy");
    child.finish();
    put(*store, item_key("a"), "still mine");
  }
  {
    ChildProcess child("HoldsTheDirectory", path_);
    ASSERT_EQ(child.line(), "open");
    const Error error = open_error(path_);
    EXPECT_EQ(error.code, Code::kBusy) << error.message;
  }
  const auto store = open(path_);
  EXPECT_EQ(value_of(*store, item_key("a")), "still mine");
}

TEST_F(RocksStoreFiles, OtherErrorsOfADirectoryNamedLikeALockAreNotBusy) {
  ASSERT_TRUE(fs::create_directory(directory_.path("locks")));
  const std::string path = directory_.path("locks/LOCK");
  open(path).reset();
  const std::string current = read_file(path + "/CURRENT");
  ASSERT_TRUE(fs::remove(path + "/" + current.substr(0, current.size() - 1)));
  const Error error = open_error(path);
  EXPECT_NE(error.code, Code::kBusy) << error.message;
}

TEST_F(RocksStoreFiles, ANewDirectoryIsForItsOwnerAlone) {
  const mode_t before = ::umask(0);
  open(path_).reset();
  ::umask(before);
  EXPECT_EQ(mode_of(path_), 0700u);
  EXPECT_EQ(read_file(path_ + "/FORMAT"), "sheaf " + std::to_string(kFormatVersion) + "\n");
}

TEST_F(RocksStoreFiles, AnEmptyDirectoryIsTakenAsItIs) {
  fs::create_directory(path_);
  ASSERT_EQ(::chmod(path_.c_str(), 0750), 0);
  EXPECT_NE(open(path_), nullptr);
  EXPECT_EQ(mode_of(path_), 0750u);
  EXPECT_NE(open(path_ + "/"), nullptr);
}

TEST_F(RocksStoreFiles, ADirectoryThatWasHalfMadeIsFinished) {
  fs::create_directory(path_);
  write_file(path_ + "/FORMAT.new", "she");
  open(path_).reset();
  EXPECT_EQ(read_file(path_ + "/FORMAT"), "sheaf 1\n");

  const std::string formatted = directory_.path("formatted");
  fs::create_directory(formatted);
  write_file(formatted + "/FORMAT", "sheaf 1\n");
  open(formatted).reset();

  // RocksDB had begun: a manifest, but no CURRENT file that names it.
  const std::string begun = directory_.path("begun");
  fs::create_directory(begun);
  write_file(begun + "/FORMAT", "sheaf 1\n");
  write_file(begun + "/LOCK", "");
  write_file(begun + "/IDENTITY", "x");
  write_file(begun + "/MANIFEST-000001", "half");
  write_file(begun + "/000001.dbtmp", "MANIFEST-000001\n");
  const auto store = open(begun);
  put(*store, item_key("a"), "1");
}

TEST_F(RocksStoreFiles, ANewerFormatIsRefusedInWords) {
  open(path_).reset();
  write_file(path_ + "/FORMAT", "sheaf 27\n");
  const auto before = names_in(path_);
  const Error error = open_error(path_);
  EXPECT_EQ(error.code, Code::kNewerFormat);
  EXPECT_TRUE(says(error, "27") && says(error, "newer") && says(error, path_)) << error.message;
  EXPECT_TRUE(says(error, "up to " + std::to_string(kFormatVersion))) << error.message;
  EXPECT_EQ(names_in(path_), before);
}

TEST_F(RocksStoreFiles, AFormatFileThatSaysNothingIsCorrupt) {
  for (const char* text : {"", "sheaf", "sheaf \n", "sheaf x\n", "sheaf 1", "sheaf 1 \n", "other 1\n",
                           "sheaf 99999999999999999999\n", "sheaf 1\nsheaf 2\n"}) {
    fs::create_directory(path_);
    write_file(path_ + "/FORMAT", text);
    EXPECT_EQ(open_error(path_).code, Code::kCorrupt) << text;
  }
}

TEST_F(RocksStoreFiles, AForeignFolderIsRefusedAndLeftAlone) {
  fs::create_directory(path_);
  write_file(path_ + "/holiday.jpg", "precious");
  const Error error = open_error(path_);
  EXPECT_EQ(error.code, Code::kInvalid);
  EXPECT_TRUE(says(error, "holiday.jpg") && says(error, path_)) << error.message;
  EXPECT_EQ(names_in(path_), std::vector<std::string>{"holiday.jpg"});

  // So is a RocksDB database of someone else.
  const std::string theirs = directory_.path("theirs");
  open(theirs).reset();
  fs::remove(theirs + "/FORMAT");
  const auto before = names_in(theirs);
  EXPECT_EQ(open_error(theirs).code, Code::kInvalid);
  EXPECT_EQ(names_in(theirs), before);
}

TEST_F(RocksStoreFiles, AFileOrAMissingParentIsAnErrorOfTheFileSystem) {
  write_file(path_, "a file");
  EXPECT_EQ(open_error(path_).code, Code::kIo);
  const Error error = open_error(directory_.path("missing/store"));
  EXPECT_EQ(error.code, Code::kIo);
  EXPECT_TRUE(says(error, "missing/store")) << error.message;
}

TEST_F(RocksStoreFiles, DataWithoutItsCurrentFileIsNotReplacedByAnEmptyDatabase) {
  {
    const auto store = open(path_);
    put(*store, item_key("a"), "precious");
  }
  fs::rename(path_ + "/CURRENT", directory_.path("CURRENT"));
  const Error error = open_error(path_);
  EXPECT_EQ(error.code, Code::kCorrupt);
  EXPECT_TRUE(says(error, "CURRENT")) << error.message;
  fs::rename(directory_.path("CURRENT"), path_ + "/CURRENT");
  EXPECT_EQ(value_of(*open(path_), item_key("a")), "precious");
}

TEST_F(RocksStoreFiles, AMissingLogIsNotTakenForAnEmptyOne) {
  {
    const auto store = open(path_);
    put(*store, item_key("a"), "precious");
    // Several logs, the oldest of them synced and closed.
    for (int i = 0; i < 40; ++i) put(*store, in_space(Space::kJobs, "j"), std::string(200'000, 'x'));
  }
  const std::string log = first_file(path_, ".log");
  ASSERT_FALSE(log.empty());
  fs::remove(log);
  EXPECT_EQ(open_error(path_).code, Code::kCorrupt);
}

TEST_F(RocksStoreFiles, BytesThatChangedOnDiskAreReportedNotReturned) {
  {
    const auto store = open(path_);
    put(*store, item_key("a"), std::string(100'000, 'v'));
  }
  open(path_).reset();  // into a table
  ASSERT_FALSE(first_file(path_, ".sst").empty());
  for (const std::string& name : names_in(path_)) {
    if (!name.ends_with(".sst")) continue;
    std::fstream file(path_ + "/" + name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file.write("\xde\xad\xbe\xef", 4);
  }
  const auto store = open(path_);
  const auto read = store->view({})->read(item_key("a"));
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, Code::kCorrupt);
  const auto scanned = store->view({})->scan(all_of(Space::kItems), {}, [](auto, auto) { return true; });
  ASSERT_FALSE(scanned.ok());
  EXPECT_EQ(scanned.error().code, Code::kCorrupt);
}

TEST_F(RocksStoreFiles, ACheckpointIsAStoreOfItsOwn) {
  const auto store = open(path_);
  for (int i = 0; i < 10; ++i) put(*store, item_key(std::to_string(i)), "before");
  add(*store, counter_key("n"), {10});
  const std::string copy_path = directory_.path("copy");
  const auto made = store->checkpoint(copy_path);
  ASSERT_TRUE(made.ok()) << made.error().message;
  EXPECT_EQ(mode_of(copy_path), 0700u);
  EXPECT_FALSE(fs::exists(copy_path + ".new"));

  put(*store, item_key("only here"), "");
  {
    const auto copy = open(copy_path);
    EXPECT_EQ(scan_all(*copy, all_of(Space::kItems)).size(), 10u);
    EXPECT_EQ(sums_of(*copy, counter_key("n"), 1), (Sums{10}));
    EXPECT_GE(copy->last_stamp(), Stamp{0});
    put(*copy, item_key("0"), "changed there");
    put(*copy, item_key("only there"), "");
    ASSERT_TRUE(copy->drop({item_key("5"), item_key("8")}).ok());
  }
  EXPECT_EQ(value_of(*store, item_key("0")), "before");
  EXPECT_EQ(scan_all(*store, all_of(Space::kItems)).size(), 11u);
  const auto copy = open(copy_path);
  EXPECT_EQ(scan_all(*copy, all_of(Space::kItems)).size(), 8u);
}

TEST_F(RocksStoreFiles, ACheckpointNeedsAPlaceThatDoesNotExist) {
  const auto store = open(path_);
  fs::create_directory(directory_.path("taken"));
  const auto taken = store->checkpoint(directory_.path("taken"));
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, Code::kInUse);
  EXPECT_TRUE(names_in(directory_.path("taken")).empty());

  fs::create_directory(directory_.path("copy.new"));
  const auto left = store->checkpoint(directory_.path("copy/"));
  ASSERT_FALSE(left.ok());
  EXPECT_EQ(left.error().code, Code::kInUse);
  EXPECT_TRUE(says(left.error(), "copy.new")) << left.error().message;
  fs::remove(directory_.path("copy.new"));
  EXPECT_TRUE(store->checkpoint(directory_.path("copy/")).ok());

  const auto nowhere = store->checkpoint(directory_.path("missing/copy"));
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().code, Code::kIo);
  put(*store, item_key("a"), "it goes on");
}

TEST_F(RocksStoreFiles, ACheckpointUnderLoadHasEveryBatchWholeAndAllThatWasAcknowledgedBefore) {
  const auto store = open(path_, /*durable=*/false);
  std::atomic<bool> stop = false;
  std::atomic<int> acknowledged = 0;
  std::thread writer([&] {
    for (int i = 1; !stop; ++i) {
      Batch batch;
      batch.put(item_key(std::to_string(1'000'000 + i)), std::string(500, 'x'));
      batch.put(in_space(Space::kIndexes, std::to_string(1'000'000 + i)), "");
      batch.append(log_key("s"), std::to_string(i));
      batch.add(counter_key("n"), Sums{1});
      ASSERT_EQ(commit(*store, std::move(batch)).kind, Kind::kApplied);
      acknowledged = i;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  for (int round = 0; round < 6; ++round) {
    while (acknowledged < 50 * round) std::this_thread::yield();
    const int before = acknowledged;
    const std::string path = directory_.path("copy" + std::to_string(round));
    ASSERT_TRUE(store->checkpoint(path).ok());
    const auto copy = open(path);
    const size_t items = scan_all(*copy, all_of(Space::kItems)).size();
    EXPECT_GE(items, static_cast<size_t>(before));
    EXPECT_EQ(scan_all(*copy, all_of(Space::kIndexes)).size(), items);
    EXPECT_EQ(scan_all(*copy, all_of(Space::kLog)).size(), items);
    EXPECT_EQ(sums_of(*copy, counter_key("n"), 1), (Sums{static_cast<int64_t>(items)}));
  }
  stop = true;
  writer.join();
}

TEST(MemoryStore, CannotBeCheckpointed) {
  const ManualClock clock(kNowUs);
  const auto made = open_memory_store(clock)->checkpoint("/nowhere");
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, Code::kInvalid);
}

}  // namespace
}  // namespace sheaf::store

#include "store/disk_space.h"

#include <rocksdb/file_system.h>

#include <atomic>

#include "store/contract_fixture.h"
#include "store/rocks_store.h"

namespace sheaf::store {
namespace {

using Kind = Outcome::Kind;

// Has as much room as it is told.
class MeasuredFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  MeasuredFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "MeasuredFileSystem"; }
  rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, uint64_t* free_bytes,
                                 rocksdb::IODebugContext*) override {
    *free_bytes = free_bytes_;
    return known_ ? rocksdb::IOStatus::OK() : rocksdb::IOStatus::NotSupported();
  }

  std::atomic<uint64_t> free_bytes_ = 0;
  std::atomic<bool> known_ = true;
};

TEST(DiskSpace, HasThreeLevels) {
  const auto files = std::make_shared<MeasuredFileSystem>();
  const auto level = [&](uint64_t free_bytes) {
    files->free_bytes_ = free_bytes;
    return DiskSpace(files, "/", 1000).level();
  };
  EXPECT_EQ(level(1000), DiskSpace::Level::kEnough);
  EXPECT_EQ(level(999), DiskSpace::Level::kLow);
  EXPECT_EQ(level(500), DiskSpace::Level::kLow);
  EXPECT_EQ(level(499), DiskSpace::Level::kNone);
  files->known_ = false;
  EXPECT_EQ(level(0), DiskSpace::Level::kEnough);
}

class DiskSpaceOfAStore : public testing::Test {
 protected:
  // Waits until the store has looked again.
  Kind outcome_with(uint64_t free_bytes, const std::function<Batch()>& batch) {
    files_->free_bytes_ = free_bytes;
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return commit(*store_, batch()).kind;
  }

  TempDirectory directory_;
  ManualClock clock_{1'700'000'000'000'000};
  const std::shared_ptr<MeasuredFileSystem> files_ = std::make_shared<MeasuredFileSystem>();
  std::unique_ptr<Store> store_;
};

TEST_F(DiskSpaceOfAStore, WritesAreRefusedBeforeItIsFullAndTakenAgainWhenThereIsRoom) {
  if (!kRocksCanRun) GTEST_SKIP() << "RocksDB under the thread sanitizer";
  constexpr uint64_t kPlenty = uint64_t{1} << 40, kLow = 20u << 20, kNone = 1u << 20;
  files_->free_bytes_ = kPlenty;
  store_ = *open_rocks_store(
      {.directory = directory_.path("data"), .memory_bytes = 16u << 20, .file_system = files_}, clock_);
  const auto put = [] { return put_batch(item_key("a"), "1"); };
  const auto erase = [] {
    Batch batch;
    batch.erase(item_key("b"));
    return batch;
  };
  EXPECT_EQ(outcome_with(kPlenty, put), Kind::kApplied);
  EXPECT_EQ(outcome_with(kLow, put), Kind::kRefused);
  EXPECT_EQ(outcome_with(kLow, erase), Kind::kApplied);
  EXPECT_EQ(outcome_with(kNone, erase), Kind::kRefused);
  EXPECT_EQ(value_of(*store_, item_key("a")), "1") << "reads go on";
  EXPECT_EQ(outcome_with(kPlenty, put), Kind::kApplied);
}

}  // namespace
}  // namespace sheaf::store

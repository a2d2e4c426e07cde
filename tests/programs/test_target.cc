#include "programs/test_target.h"

#include <gtest/gtest.h>

#include "api/local_database.h"
#include "base/temp_directory.h"
#include "store/faulty_store.h"
#include "store/memory_store.h"
#include "store/rocks_store.h"

namespace sheaf::programs {
namespace {

const OpenOptions kNoThread{.background_thread = false, .collection_bytes_max = kCollectionBytesMax};

class MemoryTarget final : public TestTarget {
 public:
  explicit MemoryTarget(int64_t now_us)
      : TestTarget(now_us),
        database_(api::make_local_database(store::open_memory_store(clock()), clock(), kNoThread)) {}

  Database& database() override { return *database_; }

 private:
  std::unique_ptr<Database> database_;
};

class RocksTarget final : public TestTarget {
 public:
  explicit RocksTarget(int64_t now_us) : TestTarget(now_us) { open(); }

  Database& database() override { return *database_; }
  void reopen() override {
    database_.reset();
    open();
  }

 private:
  void open() {
    auto store = store::open_rocks_store(
        {.directory = directory_.path(), .durable = false, .memory_bytes = uint64_t{32} << 20}, clock());
    if (!store.ok()) {
      ADD_FAILURE() << store.error().message;
      std::abort();
    }
    database_ = api::make_local_database(std::move(*store), clock(), kNoThread);
  }

  TempDirectory directory_;
  std::unique_ptr<Database> database_;
};

class FaultyTarget final : public TestTarget {
 public:
  FaultyTarget(int64_t now_us, uint64_t seed) : TestTarget(now_us) {
    const store::FaultyOptions options{.seed = seed,
                                       .guard_failed = 0.15,
                                       .unknown_applied = 0.02,
                                       .unknown_not_applied = 0.02,
                                       .refuse_after_unknown = seed % 2 == 0,
                                       .submit_delayed = 0.02,
                                       .answer_delayed = 0.02,
                                       .delay_us_max = 100,
                                       .would_block = 0.3,
                                       .scan_short = 0.3,
                                       .scan_rest_empty = 0.3};
    auto store = std::make_unique<store::FaultyStore>(store::open_memory_store(clock()), options);
    store_ = store.get();
    database_ = api::make_local_database(std::move(store), clock(), kNoThread);
  }

  Database& database() override { return *database_; }
  void recover() override { store_->reopen(); }
  bool is_faulty() const override { return true; }

 private:
  store::FaultyStore* store_;  // the database's
  std::unique_ptr<Database> database_;
};

}  // namespace

std::unique_ptr<TestTarget> memory_target(int64_t now_us) { return std::make_unique<MemoryTarget>(now_us); }
std::unique_ptr<TestTarget> rocks_target(int64_t now_us) { return std::make_unique<RocksTarget>(now_us); }
std::unique_ptr<TestTarget> faulty_target(int64_t now_us, uint64_t seed) {
  return std::make_unique<FaultyTarget>(now_us, seed);
}

}  // namespace sheaf::programs

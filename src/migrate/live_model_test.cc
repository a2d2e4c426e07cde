#include "migrate/live_model.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

#include "api/forwarding_database.h"

namespace sheaf::migrate {
namespace {

constexpr const char* kText = "model m { entity A { id id; name } pattern a(a: A) = $a }";

// Writes of items wait until somebody opens it.
class SlowDatabase final : public ForwardingDatabase {
 public:
  using ForwardingDatabase::ForwardingDatabase;

  Result<Written> put_item(const PutItem& request) override {
    {
      std::unique_lock lock(mutex_);
      ++waiting_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_open_; });
      --waiting_;
    }
    return ForwardingDatabase::put_item(request);
  }
  void close() {
    std::lock_guard lock(mutex_);
    is_open_ = false;
  }
  void open() {
    std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void await_writer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = true;
  int waiting_ = 0;
};

// Event loops ask what is stored how, and must not wait for who renews a lease: the write may wait for them.
TEST(LiveModel, WhatIsKnownIsToldWhileALeaseIsBeingWritten) {
  const std::unique_ptr<Database> database = Database::open_in_memory({.background_thread = false});
  SlowDatabase slow(*database);
  std::chrono::milliseconds now{1'000'000};
  std::mutex now_mutex;
  run::WriterOptions writer;
  writer.clock = [&] {
    std::lock_guard lock(now_mutex);
    return std::chrono::system_clock::time_point(now);
  };
  auto live = LiveModel::open(slow, kText, {.applies = true, .writer = writer});
  ASSERT_TRUE(live.ok()) << live.error().message;
  {
    std::lock_guard lock(now_mutex);
    now += std::chrono::hours(1);  // so that the lease is over
  }
  slow.close();
  std::thread reader([&] { EXPECT_TRUE((*live)->read("a", {Value("x")}).ok()); });
  slow.await_writer();
  EXPECT_EQ((*live)->reading()->version().layout, "default");
  EXPECT_EQ((*live)->versions().size(), 1u);
  EXPECT_FALSE((*live)->is_moving());
  slow.open();
  reader.join();
}

}  // namespace
}  // namespace sheaf::migrate

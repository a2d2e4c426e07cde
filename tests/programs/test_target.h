// The databases that programs run on: one engine, several stores underneath.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sheaf/database.h"

#include "base/clock.h"

namespace sheaf::programs {

// Small, so that programs come to it.
inline constexpr int64_t kCollectionBytesMax = 60'000;

class TestTarget {
 public:
  explicit TestTarget(int64_t now_us) : clock_(now_us) {}
  virtual ~TestTarget() = default;

  virtual Database& database() = 0;
  // Closes and opens it again, where that is possible.
  virtual void reopen() {}
  // Writes may answer kUnknown or kUnavailable; call it then.
  virtual void recover() {}
  virtual bool is_faulty() const { return false; }

  ManualClock& clock() { return clock_; }

 private:
  ManualClock clock_;
};

std::unique_ptr<TestTarget> memory_target(int64_t now_us);
// In a directory of its own, which goes with it. Not synced.
std::unique_ptr<TestTarget> rocks_target(int64_t now_us);
// In memory, under a store that fails guards, forgets outcomes, and cuts scans short.
std::unique_ptr<TestTarget> faulty_target(int64_t now_us, uint64_t seed);

}  // namespace sheaf::programs

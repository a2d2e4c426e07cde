// What may be taken at a rate, with bursts: a bucket that fills at the rate and holds some seconds of it. Who
// asks is let in while there is something in the bucket, and pays afterwards what it took, so that a bucket
// may be overdrawn; whoever comes then waits until it is filled again.
#pragma once

#include <cstdint>

namespace sheaf::traffic {

// DynamoDB's bursts.
inline constexpr int64_t kBurstSeconds = 300;

// A bucket of half units. The clock may stand still, but a time before the last one counts as the last one.
class TokenBucket {
 public:
  // Holds so many seconds of its rate.
  explicit TokenBucket(int64_t seconds = kBurstSeconds) : seconds_(seconds) {}

  // At `rate` half units a second. A new bucket is full; one whose rate changes keeps what it has, as far as
  // it still holds that.
  bool has_some(int64_t rate, int64_t now_us);
  void take(uint64_t half_units) { level_ -= static_cast<Level>(half_units) * kMicro; }

 private:
  using Level = __int128;  // the largest throughput, for the longest time, in millionths
  static constexpr Level kMicro = 1'000'000;

  void fill(int64_t rate, int64_t now_us);

  int64_t seconds_;
  int64_t rate_ = 0;
  Level level_ = 0;  // in millionths, so that nothing is lost between two looks
  int64_t at_us_ = 0;
};

}  // namespace sheaf::traffic

// Holds tables and global indexes to their throughput: the units that are provisioned, or the maxima of those
// on demand. Each has two buckets, for reads and for writes, which fill at its rate and hold 300 seconds of
// it. What asks is let in while there is something in the bucket, and pays afterwards what it took, so that a
// bucket may be overdrawn; whoever comes then waits until it is filled again.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sheaf/result.h"

#include "base/clock.h"
#include "engine/capacity.h"
#include "engine/table.h"

namespace sheaf::engine {

inline constexpr int64_t kBurstSeconds = 300;

// A bucket of half units. The clock may stand still, but a time before the last one counts as the last one.
class TokenBucket {
 public:
  // At `rate` half units a second. A new bucket is full; one whose rate changes keeps what it has, as far as
  // it still holds that.
  bool has_some(int64_t rate, int64_t now_us);
  void take(HalfUnits half_units) { level_ -= static_cast<Level>(half_units) * kMicro; }

 private:
  using Level = __int128;  // the largest throughput, for the longest time, in millionths
  static constexpr Level kMicro = 1'000'000;

  void fill(int64_t rate, int64_t now_us);

  int64_t rate_ = 0;
  Level level_ = 0;  // in millionths, so that nothing is lost between two looks
  int64_t at_us_ = 0;
};

// Thread-safe.
class Throttle {
 public:
  enum class Direction : uint8_t { kRead, kWrite };

  // `resource_prefix` stands in front of the names of tables in errors: "arn:aws:dynamodb:us-east-1:1234:".
  Throttle(const Clock& clock, std::string resource_prefix)
      : clock_(clock), resource_prefix_(std::move(resource_prefix)) {}

  // Whether a read of the table, or of the global index, may begin. kThroughputExceeded or kThrottled, with a
  // second line in the message: the reason, in AWS's word for it, and the resource.
  Result<void> admit_read(const Table& table, const Index* index);
  // The same for a write, and for its entries in global indexes.
  Result<void> admit_write(const Table& table, const Consumed& consumed, bool is_transaction);

  // A read of one item, or of one that is not there.
  void charge_read(const Table& table, HalfUnits half_units) {
    charge(table, {.table = half_units, .indexes = {}}, Direction::kRead);
  }
  // What was read or written. Local indexes are paid for by their table.
  void charge(const Table& table, const Consumed& consumed, Direction direction);

 private:
  static constexpr size_t kStripes = 16;
  struct Stripe {
    std::mutex mutex;
    std::unordered_map<uint64_t, TokenBucket> buckets;
  };

  bool has_some(Id id, Direction direction, int64_t rate);
  void take(Id id, Direction direction, int64_t rate, HalfUnits half_units);
  Error exceeded(const Table& table, const Index* index, Direction direction, bool is_transaction) const;

  const Clock& clock_;
  const std::string resource_prefix_;
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace sheaf::engine

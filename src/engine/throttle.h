// Holds tables and global indexes to their throughput: the units that are provisioned, or the maxima of those
// on demand. Each has two buckets, for reads and for writes, which hold 300 seconds of its rate. Partitions
// can be held to their own ceilings as well.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sheaf/result.h"

#include "base/clock.h"
#include "engine/capacity.h"
#include "engine/table.h"
#include "traffic/access.h"
#include "traffic/key_ranges.h"
#include "traffic/token_bucket.h"

namespace sheaf::engine {

using traffic::Access;

struct ThrottleOptions {
  bool throughput = false;  // of tables and global indexes
  bool partitions = false;  // 3,000 reads and 1,000 writes a second
  // Stands in front of the names of tables in errors: "arn:aws:dynamodb:us-east-1:1234:".
  std::string resource_prefix;
};

// Keys are those of the store. A local index is paid for by its table. Thread-safe.
class Throttle {
 public:
  Throttle(const Clock& clock, ThrottleOptions options) : clock_(clock), options_(std::move(options)) {
    if (options_.partitions) ceilings_ = std::make_unique<traffic::RangeCeilings>();
  }

  // Whether an access of this key of the table or index may begin. kThroughputExceeded or kThrottled, with a
  // second line in the message: the reason, in AWS's word for it, and the resource.
  Result<void> admit(const Table& table, const Index* index, Access access, std::string_view key,
                     bool is_transaction);
  void charge(const Table& table, const Index* index, Access access, std::string_view key,
              HalfUnits half_units);

  // Of a table that is deleted, with its indexes: ids are never used again.
  void forget(const Table& table);
  // Tables and indexes, times directions, that something is kept of.
  size_t kept() const;

  bool has_partitions() const { return ceilings_ != nullptr; }
  // The ranges of keys that the partitions of a table or global index are now, by their first hash.
  std::vector<std::string> partitions(const Table& table, const Index* index) const;

 private:
  static constexpr size_t kStripes = 16;
  struct Stripe {
    mutable std::mutex mutex;
    std::unordered_map<uint64_t, traffic::TokenBucket> buckets;
  };

  bool has_some(Id id, Access access, int64_t rate);
  void take(Id id, Access access, int64_t rate, HalfUnits half_units);

  enum class Limit : uint8_t { kThroughput, kPartition };
  Error exceeded(const Table& table, const Index* index, Access access, Limit limit,
                 bool is_transaction) const;

  const Clock& clock_;
  const ThrottleOptions options_;
  std::array<Stripe, kStripes> stripes_;
  std::unique_ptr<traffic::RangeCeilings> ceilings_;
};

}  // namespace sheaf::engine

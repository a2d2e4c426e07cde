// The partitions of tables and indexes as DynamoDB has them: ranges of keys, each with a ceiling of its own,
// which are split where they stay hot.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "traffic/access.h"
#include "traffic/token_bucket.h"

namespace sheaf::traffic {

inline constexpr int64_t kRangeReadUnits = 3'000;  // a second
inline constexpr int64_t kRangeWriteUnits = 1'000;
// A range is split that was hot for so many seconds more than it was not. A second is hot in which something
// was refused, or nine tenths of the ceiling were taken.
inline constexpr int64_t kSplitAfterSeconds = 60;
inline constexpr size_t kRangesMax = 1024;

struct RangeRules {
  size_t ranges_min = 1;
  // An item collection may lie in several ranges. Not if there is a local index.
  bool splits_collections = true;
};

// The ranges of one table or index. Keys begin with the eight bytes of their partition's hash.
class KeyRanges {
 public:
  // Whether the range of `key` has something left.
  bool has_some(const RangeRules& rules, std::string_view key, Access access, int64_t now_us);
  void take(const RangeRules& rules, std::string_view key, Access access, uint64_t half_units,
            int64_t now_us);

  // Where they begin; the first is the empty string.
  std::vector<std::string> begins() const;

 private:
  static constexpr size_t kSamples = 64;

  // How hot a range is in one direction.
  struct Gauge {
    TokenBucket bucket{1};
    int64_t second = 0;
    uint64_t taken = 0;  // half units in that second
    bool has_refused = false;
    int64_t hot_seconds = 0;
  };
  struct Range {
    std::string begin;
    std::array<Gauge, 2> gauges;
    std::vector<std::string> samples;  // keys of the last accesses, a few of them
    size_t next_sample = 0;
    std::string last_key;
    uint64_t rises = 0;  // accesses beyond the key before, since it was last looked at for a split
    uint64_t falls = 0;
  };

  size_t range_of(std::string_view key) const;
  void make_ranges(size_t count);
  void note(Range& range, std::string_view key);
  // Whether it stayed hot until now.
  static bool turns(Gauge& gauge, Access access, int64_t now_us);
  bool split(size_t at, bool splits_collections);

  std::vector<Range> ranges_;  // by their beginning
};

// Of all tables and indexes. Thread-safe.
class RangeCeilings {
 public:
  bool has_some(ResourceId resource, const RangeRules& rules, std::string_view key, Access access,
                int64_t now_us);
  void take(ResourceId resource, const RangeRules& rules, std::string_view key, Access access,
            uint64_t half_units, int64_t now_us);
  // Empty if nothing was asked for yet.
  std::vector<std::string> begins(ResourceId resource) const;
  void forget(ResourceId resource);

 private:
  static constexpr size_t kStripes = 16;
  struct Stripe {
    mutable std::mutex mutex;
    std::unordered_map<ResourceId, KeyRanges> resources;
  };

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace sheaf::traffic

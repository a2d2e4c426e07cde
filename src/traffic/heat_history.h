// What was seen of one table or index over the last hour, in slices that grow coarser with their age.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <vector>

#include "traffic/key_sample.h"
#include "traffic/key_sketch.h"

namespace sheaf::traffic {

// Times are in seconds since 1970. The newest slices are so long, and begin at a multiple of it.
inline constexpr int64_t kSliceSeconds = 10;
inline constexpr int64_t kWindowSecondsMax = 3600;
// So many keys are kept of a slice.
inline constexpr size_t kTalliesMax = 64;
// The parts of a table or index, by the first bits of its partitions' hashes.
inline constexpr size_t kParts = 4;

// How many different keys there are, about, of which only hashes were seen.
class DistinctKeys {
 public:
  void add(uint64_t hash) { bits_.set(hash % kBits); }
  void add(const DistinctKeys& others) { bits_ |= others.bits_; }
  // Within a tenth up to 1,000; beyond 5,000, more than that.
  double count() const;

 private:
  static constexpr size_t kBits = 2048;
  std::bitset<kBits> bits_;
};

// What was seen in some time.
struct Seen {
  MilliUnits units = 0;
  uint64_t requests = 0;
  std::array<MilliUnits, kParts> parts{};
  DistinctKeys partition_keys;
  std::vector<Tally> partitions;   // by partition key, hottest first
  std::vector<Tally> items;        // by partition and sort key
  std::vector<SampledKey> sample;  // of whole keys

  void add(const Seen& other);
};

class HeatHistory {
 public:
  // `begin_s` is a multiple of kSliceSeconds. What is older than an hour is dropped.
  void add(int64_t begin_s, const Seen& seen, int64_t now_s);

  // Where a window of so many seconds before `now_s` begins: with the slice of that time. Up to 9 seconds
  // more of a minute, 59 seconds of ten minutes, and 299 of an hour; the same for whatever was seen.
  static int64_t window_begin(int64_t seconds, int64_t now_s);

  // What was seen since the window began.
  Seen since(int64_t seconds, int64_t now_s) const;

  // When the newest slice begins; INT64_MIN if there is none.
  int64_t newest_s() const;

 private:
  // Slices of a length, by their beginning. Those that begin so long ago go into the next tier: a slice
  // longer than the longest window that begins with one of its own, so that all of such a window is still
  // here.
  struct Tier {
    int64_t slice_s;
    int64_t age_max_s;
    std::map<int64_t, Seen> slices;
  };

  void age(int64_t now_s);

  static constexpr int64_t kMinute = 60;
  static constexpr int64_t kTenMinutes = 600;
  static constexpr int64_t kLongSlice = 300;
  std::array<Tier, 3> tiers_{Tier{kSliceSeconds, kMinute + kSliceSeconds, {}},
                             Tier{kMinute, kTenMinutes + kMinute, {}},
                             Tier{kLongSlice, kWindowSecondsMax + kLongSlice, {}}};
};

}  // namespace sheaf::traffic

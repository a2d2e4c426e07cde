// Which keys of which tables and indexes are hot: counted where requests are served, a part for each thread,
// and put together when somebody looks. What it remembers is bounded, whatever comes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/function.h"
#include "traffic/access.h"
#include "traffic/heat_history.h"
#include "traffic/key_sample.h"
#include "traffic/key_sketch.h"

namespace sheaf::traffic {

enum class Kind : uint8_t { kRead, kWrite, kThrottledRead, kThrottledWrite };

struct KeyTouch {
  uint64_t hash;
  std::string_view key;
  MilliUnits units;
  uint64_t touches = 1;
};

// One request, or one page of it.
struct Touches {
  // By partition key. The first bits of the hash are the part of the table or index that it lies in.
  std::span<const KeyTouch> partitions;
  // By partition and sort key; empty where there is no sort key. Asked for only if they are counted.
  FunctionRef<std::span<const KeyTouch>()> items;
};

// Thread-safe.
class Heat {
 public:
  // Tables and indexes times kinds. Beyond it, newcomers take the place of what was idle for the longest
  // time, and for so long at least; if there is none, they are not counted.
  static constexpr size_t kTrackedMax = 128;
  static constexpr int64_t kIdleSeconds = 60;

  // So many requests of a slice, thread, and table or index are counted with their keys, one by one; of those
  // that come beyond, the keys of one in kStride, chosen at random, stand for the others. Totals are exact.
  static constexpr uint64_t kExactRequests = 32'768;
  static constexpr uint64_t kStride = 4;

  explicit Heat(const Clock& clock) : clock_(clock), since_s_(now_s()) {}

  void add(ResourceId resource, Kind kind, const Touches& touches);

  struct Report {
    double seconds = 0;  // that it covers: as many as were asked for or a little more, or since the beginning
    Seen seen;           // the hottest kTalliesMax keys
  };
  Report report(ResourceId resource, Kind kind, int64_t seconds) const;

 private:
  // What one thread counts in the slice that is not over.
  struct Live {
    int64_t begin_s = 0;
    Seen seen;  // but for the keys
    KeySketch partitions;
    std::unique_ptr<KeySketch> items;  // null until there is one
    KeySample sample;                  // of items, or of partitions where there is no sort key

    void count(const Touches& touches);

    Seen take();
    Seen look() const;
  };
  using TrackedKey = uint64_t;
  struct Part {
    std::mutex mutex;
    std::unordered_map<TrackedKey, std::unique_ptr<Live>> live;
  };
  static constexpr size_t kThreadParts = 16;

  static TrackedKey tracked(ResourceId resource, Kind kind) {
    return uint64_t{resource} << 8 | static_cast<uint64_t>(kind);
  }
  int64_t now_s() const { return clock_.now_us() / 1'000'000; }
  Part& part_of_thread() const;
  Live* find_or_add(Part& part, TrackedKey key, int64_t now_s);
  void close_slice(TrackedKey key, Live& live, int64_t now_s) const;

  const Clock& clock_;
  const int64_t since_s_;
  mutable std::array<Part, kThreadParts> parts_;
  mutable std::mutex history_mutex_;  // taken after a part's
  mutable std::unordered_map<TrackedKey, HeatHistory> histories_;
};

}  // namespace sheaf::traffic

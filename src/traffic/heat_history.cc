#include "traffic/heat_history.h"

#include <algorithm>
#include <cmath>

namespace sheaf::traffic {

double DistinctKeys::count() const {
  const auto bits = static_cast<double>(kBits);
  const auto free = static_cast<double>(kBits - bits_.count());
  return bits * std::log(bits / std::max(free, 1.0));
}

void Seen::add(const Seen& other) {
  units += other.units;
  requests += other.requests;
  for (size_t i = 0; i < kParts; ++i) parts[i] += other.parts[i];
  partition_keys.add(other.partition_keys);
  merge(partitions, other.partitions);
  merge(items, other.items);
  merge(sample, other.sample);
}

void HeatHistory::add(int64_t begin_s, const Seen& seen, int64_t now_s) {
  for (Tier& tier : tiers_) {
    if (begin_s <= now_s - tier.age_max_s) continue;
    Seen& slice = tier.slices[begin_s - begin_s % tier.slice_s];
    slice.add(seen);
    keep_hottest(slice.partitions, kTalliesMax);
    keep_hottest(slice.items, kTalliesMax);
    break;
  }
  age(now_s);
}

void HeatHistory::age(int64_t now_s) {
  for (size_t i = 0; i < tiers_.size(); ++i) {
    std::map<int64_t, Seen>& slices = tiers_[i].slices;
    while (!slices.empty() && slices.begin()->first <= now_s - tiers_[i].age_max_s) {
      const auto oldest = slices.extract(slices.begin());
      if (i + 1 == tiers_.size()) continue;
      Tier& next = tiers_[i + 1];
      Seen& slice = next.slices[oldest.key() - oldest.key() % next.slice_s];
      slice.add(oldest.mapped());
      keep_hottest(slice.partitions, kTalliesMax);
      keep_hottest(slice.items, kTalliesMax);
    }
  }
}

int64_t HeatHistory::window_begin(int64_t seconds, int64_t now_s) {
  const int64_t slice_s = seconds <= kMinute ? kSliceSeconds : seconds <= kTenMinutes ? kMinute : kLongSlice;
  const int64_t begin_s = now_s - seconds;
  return begin_s - begin_s % slice_s;
}

Seen HeatHistory::since(int64_t seconds, int64_t now_s) const {
  const int64_t from_s = window_begin(seconds, now_s);
  Seen seen;
  for (const Tier& tier : tiers_) {
    for (auto each = tier.slices.lower_bound(from_s); each != tier.slices.end(); ++each)
      seen.add(each->second);
  }
  return seen;
}

int64_t HeatHistory::newest_s() const {
  int64_t newest = INT64_MIN;
  for (const Tier& tier : tiers_) {
    if (!tier.slices.empty()) newest = std::max(newest, tier.slices.rbegin()->first);
  }
  return newest;
}

}  // namespace sheaf::traffic

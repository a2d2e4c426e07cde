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

HeatHistory::Span HeatHistory::since(int64_t seconds, int64_t now_s) const {
  Span span{.from_s = now_s - seconds, .seen = {}};
  for (const Tier& tier : tiers_) {
    for (const auto& [begin_s, slice] : tier.slices) {
      if (begin_s + tier.slice_s <= now_s - seconds) continue;
      span.from_s = std::min(span.from_s, begin_s);
      span.seen.add(slice);
    }
  }
  return span;
}

bool HeatHistory::empty(int64_t now_s) const {
  return std::all_of(tiers_.begin(), tiers_.end(), [&](const Tier& tier) {
    return tier.slices.empty() || tier.slices.rbegin()->first + tier.slice_s <= now_s - kWindowSecondsMax;
  });
}

}  // namespace sheaf::traffic

#include "traffic/key_ranges.h"

#include <algorithm>
#include <utility>

#include "base/big_endian.h"
#include "base/quick_random.h"

namespace sheaf::traffic {
namespace {

constexpr size_t kHashBytes = sizeof(uint64_t);

int64_t ceiling(Access access) { return 2 * (access == Access::kRead ? kRangeReadUnits : kRangeWriteUnits); }

uint64_t hash_at(std::string_view begin) { return begin.empty() ? 0 : read_u64(begin.data()); }

std::string beginning_at(uint64_t hash) {
  std::string begin;
  append_u64(begin, hash);
  return begin;
}

}  // namespace

size_t KeyRanges::range_of(std::string_view key) const {
  const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), key,
                                      [](std::string_view k, const Range& range) { return k < range.begin; });
  return static_cast<size_t>(after - ranges_.begin()) - 1;
}

// The widest is halved until there are enough: at first they are as wide as each other, or one is twice as
// wide.
void KeyRanges::make_ranges(size_t count) {
  if (ranges_.empty()) ranges_.emplace_back();
  while (ranges_.size() < std::min(count, kRangesMax)) {
    size_t widest = 0;
    uint64_t width_max = 0;
    for (size_t i = 0; i < ranges_.size(); ++i) {
      const uint64_t end = i + 1 < ranges_.size() ? hash_at(ranges_[i + 1].begin) : UINT64_MAX;
      const uint64_t width = end - hash_at(ranges_[i].begin);
      if (width > width_max) {
        width_max = width;
        widest = i;
      }
    }
    if (width_max < 2) return;
    Range upper;
    upper.begin = beginning_at(hash_at(ranges_[widest].begin) + width_max / 2 + width_max % 2);
    ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(widest) + 1, std::move(upper));
  }
}

bool KeyRanges::has_some(const RangeRules& rules, std::string_view key, Access access, int64_t now_us) {
  make_ranges(rules.ranges_min);
  Gauge& gauge = ranges_[range_of(key)].gauges[static_cast<size_t>(access)];
  const bool has = gauge.bucket.has_some(ceiling(access), now_us);
  if (!has) {
    turns(gauge, access, now_us);  // if it is to be split, then by the next that takes something
    gauge.has_refused = true;
  }
  return has;
}

void KeyRanges::take(const RangeRules& rules, std::string_view key, Access access, uint64_t half_units,
                     int64_t now_us) {
  make_ranges(rules.ranges_min);
  const size_t at = range_of(key);
  Gauge& gauge = ranges_[at].gauges[static_cast<size_t>(access)];
  const bool is_hot = turns(gauge, access, now_us);
  gauge.bucket.has_some(ceiling(access), now_us);
  gauge.bucket.take(half_units);
  gauge.taken += half_units;
  note(ranges_[at], key);
  if (!is_hot) return;
  gauge.hot_seconds = 0;
  split(at, rules.splits_collections);
}

bool KeyRanges::turns(Gauge& gauge, Access access, int64_t now_us) {
  const int64_t second = now_us / 1'000'000;
  if (second > gauge.second) {
    const bool was_hot = gauge.has_refused || gauge.taken >= static_cast<uint64_t>(ceiling(access)) / 10 * 9;
    gauge.hot_seconds += was_hot ? 1 : -1;
    gauge.hot_seconds -= second - gauge.second - 1;  // in which nothing happened
    gauge.hot_seconds = std::max<int64_t>(gauge.hot_seconds, 0);
    gauge.second = second;
    gauge.taken = 0;
    gauge.has_refused = false;
  }
  return gauge.hot_seconds >= kSplitAfterSeconds;
}

void KeyRanges::note(Range& range, std::string_view key) {
  if (key != range.last_key) ++(key > range.last_key ? range.rises : range.falls);
  range.last_key = key;
  if (range.samples.size() < kSamples) {
    range.samples.emplace_back(key);
  } else if (quick_random() % 8 == 0) {
    range.samples[range.next_sample] = key;
    range.next_sample = (range.next_sample + 1) % kSamples;
  }
}

// In the middle of the keys that were accessed of late. Not if they are all the same, nor if they are one
// collection's that come in their order: all of them would go to one half again.
bool KeyRanges::split(size_t at, bool splits_collections) {
  if (ranges_.size() >= kRangesMax) return false;
  Range& range = ranges_[at];
  std::vector<std::string> keys;
  for (const std::string& sample : range.samples)
    keys.push_back(splits_collections ? sample : sample.substr(0, kHashBytes));
  std::sort(keys.begin(), keys.end());
  const bool is_one_collection = hash_at(keys.front()) == hash_at(keys.back());
  const uint64_t rises = std::exchange(range.rises, 0), falls = std::exchange(range.falls, 0);
  if (is_one_collection && (rises >= 4 * falls || falls >= 4 * rises)) return false;
  // The first key of the upper half that has others below it.
  auto middle = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
  middle = std::lower_bound(keys.begin(), keys.end(), *middle);
  if (middle == keys.begin()) middle = std::upper_bound(keys.begin(), keys.end(), keys.front());
  if (middle == keys.end() || *middle <= range.begin) return false;
  Range upper;
  upper.begin = *middle;
  range.samples.clear();
  range.next_sample = 0;
  ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(upper));
  return true;
}

std::vector<std::string> KeyRanges::begins() const {
  std::vector<std::string> begins;
  for (const Range& range : ranges_) begins.push_back(range.begin);
  return begins;
}

bool RangeCeilings::has_some(ResourceId resource, const RangeRules& rules, std::string_view key,
                             Access access, int64_t now_us) {
  Stripe& stripe = stripes_[resource % kStripes];
  std::lock_guard lock(stripe.mutex);
  return stripe.resources[resource].has_some(rules, key, access, now_us);
}

void RangeCeilings::take(ResourceId resource, const RangeRules& rules, std::string_view key, Access access,
                         uint64_t half_units, int64_t now_us) {
  Stripe& stripe = stripes_[resource % kStripes];
  std::lock_guard lock(stripe.mutex);
  stripe.resources[resource].take(rules, key, access, half_units, now_us);
}

std::vector<std::string> RangeCeilings::begins(ResourceId resource) const {
  const Stripe& stripe = stripes_[resource % kStripes];
  std::lock_guard lock(stripe.mutex);
  const auto found = stripe.resources.find(resource);
  return found == stripe.resources.end() ? std::vector<std::string>() : found->second.begins();
}

void RangeCeilings::forget(ResourceId resource) {
  Stripe& stripe = stripes_[resource % kStripes];
  std::lock_guard lock(stripe.mutex);
  stripe.resources.erase(resource);
}

}  // namespace sheaf::traffic

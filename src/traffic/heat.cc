#include "traffic/heat.h"

#include <algorithm>

#include "base/quick_random.h"

namespace sheaf::traffic {

Seen Heat::Live::look() const {
  Seen copy = seen;
  copy.partitions = partitions.hottest(kTalliesMax);
  if (items != nullptr) copy.items = items->hottest(kTalliesMax);
  copy.sample = sample.keys();
  return copy;
}

Seen Heat::Live::take() {
  Seen taken = std::exchange(seen, {});
  taken.partitions = partitions.take_hottest(kTalliesMax);
  if (items != nullptr) taken.items = items->take_hottest(kTalliesMax);
  taken.sample = sample.take();
  return taken;
}

void Heat::Live::count(const Touches& touches) {
  const bool is_exact = ++seen.requests <= kExactRequests;
  for (const KeyTouch& touch : touches.partitions) {
    seen.units += touch.units;
    seen.parts[touch.hash / (UINT64_MAX / kParts + 1)] += touch.units;
    seen.partition_keys.add(touch.hash);
  }
  // At random: who asks for the same keys in turns must not hit the same one again and again.
  if (!is_exact && quick_random() % kStride != 0) return;
  const uint64_t weight = is_exact ? 1 : kStride;
  const auto count_in = [&](KeySketch& sketch, std::span<const KeyTouch> keys) {
    for (const KeyTouch& touch : keys)
      sketch.touch(touch.hash, touch.key, weight * touch.units, weight * touch.touches);
  };
  count_in(partitions, touches.partitions);
  const std::span<const KeyTouch> keys = touches.items();
  for (const KeyTouch& touch : keys.empty() ? touches.partitions : keys)
    sample.offer(touch.key, weight * touch.units, weight * touch.touches);
  if (keys.empty()) return;
  if (items == nullptr) items = std::make_unique<KeySketch>();
  count_in(*items, keys);
}

Heat::Part& Heat::part_of_thread() const {
  static std::atomic<size_t> threads = 0;
  thread_local const size_t mine = threads.fetch_add(1, std::memory_order_relaxed);
  return parts_[mine % kThreadParts];
}

void Heat::add(ResourceId resource, Kind kind, const Touches& touches) {
  const int64_t now = now_s();
  Part& part = part_of_thread();
  std::lock_guard lock(part.mutex);
  const TrackedKey key = tracked(resource, kind);
  Live* const live = find_or_add(part, key, now);
  if (live == nullptr) return;
  // A clock that goes back adds to the slice that there is.
  if (now >= live->begin_s + kSliceSeconds) {
    close_slice(key, *live, now);
    live->begin_s = now - now % kSliceSeconds;
  }
  live->count(touches);
}

Heat::Live* Heat::find_or_add(Part& part, TrackedKey key, int64_t now_s) {
  if (const auto found = part.live.find(key); found != part.live.end()) return found->second.get();
  if (part.live.size() >= kTrackedMax) {
    const auto idle = std::min_element(part.live.begin(), part.live.end(), [](const auto& a, const auto& b) {
      return a.second->begin_s < b.second->begin_s;
    });
    if (idle->second->begin_s + kIdleSeconds > now_s) return nullptr;
    close_slice(idle->first, *idle->second, now_s);
    part.live.erase(idle);
  }
  auto live = std::make_unique<Live>();
  live->begin_s = now_s - now_s % kSliceSeconds;
  return part.live.emplace(key, std::move(live)).first->second.get();
}

void Heat::close_slice(TrackedKey key, Live& live, int64_t now_s) const {
  if (live.seen.requests == 0) return;
  std::lock_guard lock(history_mutex_);
  auto found = histories_.find(key);
  if (found == histories_.end()) {
    if (histories_.size() >= kTrackedMax) {
      const auto idle = std::min_element(
          histories_.begin(), histories_.end(),
          [](const auto& a, const auto& b) { return a.second.newest_s() < b.second.newest_s(); });
      if (idle->second.newest_s() + kIdleSeconds > live.begin_s) {
        live.take();
        return;
      }
      histories_.erase(idle);
    }
    found = histories_.try_emplace(key).first;
  }
  found->second.add(live.begin_s, live.take(), now_s);
}

Heat::Report Heat::report(ResourceId resource, Kind kind, int64_t seconds) const {
  const int64_t now_us = clock_.now_us();
  const int64_t now = now_us / 1'000'000;
  const TrackedKey key = tracked(resource, kind);
  Seen current;
  for (Part& part : parts_) {
    std::lock_guard lock(part.mutex);
    const auto found = part.live.find(key);
    if (found == part.live.end()) continue;
    Live& live = *found->second;
    if (now >= live.begin_s + kSliceSeconds) {
      close_slice(key, live, now);  // and it begins when it did: whoever only looks makes nothing look used
    } else {
      current.add(live.look());
    }
  }
  Seen seen;
  {
    std::lock_guard lock(history_mutex_);
    if (const auto found = histories_.find(key); found != histories_.end())
      seen = found->second.since(seconds, now);
  }
  seen.add(current);
  keep_hottest(seen.partitions, kTalliesMax);
  keep_hottest(seen.items, kTalliesMax);
  const int64_t from_us = std::max(HeatHistory::window_begin(seconds, now), since_s_) * 1'000'000;
  return {.seconds = static_cast<double>(std::max<int64_t>(now_us - from_us, 1)) / 1e6,
          .seen = std::move(seen)};
}

}  // namespace sheaf::traffic

#include "traffic/key_sketch.h"

#include <algorithm>
#include <unordered_map>

#include "base/quick_random.h"

namespace sheaf::traffic {

void keep_hottest(std::vector<Tally>& tallies, size_t count) {
  const auto is_hotter = [](const Tally& a, const Tally& b) {
    return a.units != b.units ? a.units > b.units : a.key < b.key;
  };
  if (tallies.size() > count) {
    std::nth_element(tallies.begin(), tallies.begin() + static_cast<std::ptrdiff_t>(count), tallies.end(),
                     is_hotter);
    tallies.resize(count);
  }
  std::sort(tallies.begin(), tallies.end(), is_hotter);
}

void merge(std::vector<Tally>& tallies, const std::vector<Tally>& others) {
  std::unordered_map<uint64_t, size_t> places;
  for (size_t i = 0; i < tallies.size(); ++i) places.emplace(tallies[i].hash, i);
  for (const Tally& other : others) {
    const auto [found, is_new] = places.emplace(other.hash, tallies.size());
    if (is_new) {
      tallies.push_back(other);
    } else {
      tallies[found->second].units += other.units;
      tallies[found->second].touches += other.touches;
    }
  }
}

namespace {

// Whether a newcomer takes a place of this weight. While there is little, always: of few touches each counts.
// Then by lot, the heavier it is the likelier: keys that are touched once and never again would push each
// other out all the time, and hot ones with them.
bool is_admitted(MilliUnits units, MilliUnits weight) {
  constexpr MilliUnits kLittle = 16;  // times the newcomer's
  constexpr int kHalf = 32;
  if (weight <= kLittle * units) return true;
  using Wide = unsigned __int128;
  return Wide{quick_random() >> kHalf} * (weight + units) < Wide{units} << kHalf;
}

}  // namespace

void KeySketch::touch(uint64_t hash, std::string_view key, MilliUnits units, uint64_t touches) {
  if (sets_.empty()) sets_ = std::vector<Set>(kSetsMin);
  Set& set = sets_[hash & (sets_.size() - 1)];
  size_t least = 0;
  for (size_t way = 0; way < kWays; ++way) {
    if (set.hashes[way] == hash && set.weights[way] != 0) {
      set.weights[way] += units;
      set.touches[way] += touches;
      if (set.keys[way] == nullptr) set.keys[way] = std::make_unique<std::string>(key);
      return;
    }
    if (set.weights[way] < set.weights[least]) least = way;
  }
  const bool is_free = set.weights[least] == 0;
  if (!is_free && sets_.size() < kSetsMax) {
    grow();
    return touch(hash, key, units, touches);
  }
  if (!is_free && !is_admitted(units, set.weights[least])) return;
  set.hashes[least] = hash;
  set.inherited[least] = set.weights[least];
  set.weights[least] += std::max<MilliUnits>(units, 1);
  set.touches[least] = touches;
  set.keys[least] = is_free ? std::make_unique<std::string>(key) : nullptr;
}

void KeySketch::grow() {
  std::vector<Set> sets(2 * sets_.size());
  std::vector<size_t> used(sets.size());
  for (Set& set : sets_) {
    for (size_t way = 0; way < kWays; ++way) {
      if (set.weights[way] == 0) continue;
      const size_t to = set.hashes[way] & (sets.size() - 1), place = used[to]++;
      sets[to].hashes[place] = set.hashes[way];
      sets[to].weights[place] = set.weights[way];
      sets[to].touches[place] = set.touches[way];
      sets[to].keys[place] = std::move(set.keys[way]);
    }
  }
  sets_ = std::move(sets);
}

std::vector<Tally> KeySketch::hottest(size_t count) const {
  std::vector<Tally> tallies;
  for (const Set& set : sets_) {
    for (size_t way = 0; way < kWays; ++way) {
      if (set.keys[way] == nullptr) continue;
      tallies.push_back({.hash = set.hashes[way],
                         .units = set.weights[way] - set.inherited[way],
                         .touches = set.touches[way],
                         .key = *set.keys[way]});
    }
  }
  keep_hottest(tallies, count);
  return tallies;
}

std::vector<Tally> KeySketch::take_hottest(size_t count) {
  std::vector<Tally> tallies = hottest(count);
  sets_.clear();
  sets_.shrink_to_fit();
  return tallies;
}

}  // namespace sheaf::traffic

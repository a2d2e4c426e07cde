// Which of very many keys are touched most, in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::traffic {

// Thousandths of a capacity unit: one row of a page may cost less than half a unit.
using MilliUnits = uint64_t;

// What is known of one key.
struct Tally {
  uint64_t hash = 0;
  MilliUnits units = 0;
  uint64_t touches = 0;
  std::string key;
};

// The hottest `count` of `tallies` by units, hottest first.
void keep_hottest(std::vector<Tally>& tallies, size_t count);
// Adds `others` to `tallies`, key by key.
void merge(std::vector<Tally>& tallies, const std::vector<Tally>& others);

// Space-Saving in sets, with admission by lot: a key belongs to one set by its hash, and a key that finds no
// room there may take the place of the one with the least weight, whose weight it inherits; the more likely,
// the less that is. So hot keys get in and stay, and the many that are touched once leave each other alone.
// What is told of a key is what it got itself since it came: never too much, and of a hot key, which comes
// early and stays, little is missing. It begins small, and grows while there are more keys than it has room
// for.
class KeySketch {
 public:
  // `hash` stands for the key: equal hashes are taken for equal keys.
  void touch(uint64_t hash, std::string_view key, MilliUnits units, uint64_t touches);

  // The hottest, hottest first.
  std::vector<Tally> hottest(size_t count) const;
  // The same, and begins anew.
  std::vector<Tally> take_hottest(size_t count);

 private:
  static constexpr size_t kWays = 8;
  static constexpr size_t kSetsMin = 4;
  static constexpr size_t kSetsMax = 64;

  struct Set {
    std::array<uint64_t, kWays> hashes{};
    std::array<MilliUnits, kWays> weights{};  // what is inherited included; 0: a free place
    std::array<MilliUnits, kWays> inherited{};
    std::array<uint64_t, kWays> touches{};
    // Of most keys that pass through nothing else is ever asked than their hash, so the key itself is kept
    // from its second touch on, or if it took no other's place.
    std::array<std::unique_ptr<std::string>, kWays> keys;
  };

  // Twice as many sets, each key in its own.
  void grow();

  std::vector<Set> sets_;  // a power of two, or none yet
};

}  // namespace sheaf::traffic

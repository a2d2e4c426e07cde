// Chance that can be repeated: numbers that follow from a seed and from what they are for, on any machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace sheaf::generate {

// Every bit of the result depends on every bit of both.
inline uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t x = a + 0x9E3779B97F4A7C15 * (b + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

inline uint64_t mixed(uint64_t a, std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return mixed(a, hash);
}

// Numbers in a row, from a key of its own.
class Chance {
 public:
  explicit Chance(uint64_t key) : key_(key) {}

  uint64_t next() { return mixed(key_, count_++); }
  // Less than `bound`, which is at least 1.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }
  bool one_in(uint64_t many) { return below(many) == 0; }
  // Of two small ones the smaller is likelier.
  uint64_t low(uint64_t bound) {
    const uint64_t a = below(bound), b = below(bound);
    return a < b ? a : b;
  }

 private:
  const uint64_t key_;
  uint64_t count_ = 0;
};

}  // namespace sheaf::generate

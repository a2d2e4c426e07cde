// DynamoDB's capacity arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/table.h"

namespace sheaf::engine {

inline constexpr uint64_t kReadUnitBytes = 4096;
inline constexpr uint64_t kWriteUnitBytes = 1024;

// Counted in halves, because an eventually consistent read of 4 KB is half a unit.
using HalfUnits = uint64_t;

enum class ReadMode : uint8_t { kEventual, kStrong, kTransactional };

// One item, or the sum of what one Query or Scan page read. Nothing read costs as much as the smallest read.
HalfUnits read_half_units(uint64_t bytes, ReadMode mode);

// Whole units of one write of so many bytes; at least 1.
uint64_t write_units(uint64_t bytes);

// What a request consumed of one table, and of its indexes.
struct Consumed {
  HalfUnits table = 0;
  struct OfIndex {
    Id index;
    HalfUnits half_units;
  };
  std::vector<OfIndex> indexes;

  void add_index(Id index, HalfUnits half_units);
  void add(const Consumed& other);
  HalfUnits total() const;
};

}  // namespace sheaf::engine

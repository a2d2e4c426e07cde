#include "engine/capacity.h"

#include <algorithm>

namespace sheaf::engine {
namespace {

uint64_t units_of(uint64_t bytes, uint64_t unit_bytes) {
  return std::max<uint64_t>(1, (bytes + unit_bytes - 1) / unit_bytes);
}

}  // namespace

HalfUnits read_half_units(uint64_t bytes, ReadMode mode) {
  const uint64_t units = units_of(bytes, kReadUnitBytes);
  switch (mode) {
    case ReadMode::kEventual:
      return units;
    case ReadMode::kStrong:
      return 2 * units;
    case ReadMode::kTransactional:
      break;
  }
  return 4 * units;
}

uint64_t write_units(uint64_t bytes) { return units_of(bytes, kWriteUnitBytes); }

void Consumed::add_index(Id index, HalfUnits half_units) {
  const auto found =
      std::find_if(indexes.begin(), indexes.end(), [&](const OfIndex& each) { return each.index == index; });
  if (found == indexes.end()) {
    indexes.push_back({.index = index, .half_units = half_units});
  } else {
    found->half_units += half_units;
  }
}

void Consumed::add(const Consumed& other) {
  table += other.table;
  for (const OfIndex& each : other.indexes) add_index(each.index, each.half_units);
}

HalfUnits Consumed::total() const {
  HalfUnits sum = table;
  for (const OfIndex& each : indexes) sum += each.half_units;
  return sum;
}

}  // namespace sheaf::engine

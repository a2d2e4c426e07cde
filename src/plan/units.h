// DynamoDB's capacity units.
#pragma once

#include <algorithm>
#include <cmath>

namespace sheaf::plan {

inline constexpr double kReadUnitBytes = 4096;
inline constexpr double kPageBytes = 1 << 20;  // of a Query
inline constexpr double kBatchKeys = 100;      // of a BatchGetItem

enum class ReadKind { kEventual, kStrong, kTransactional };

// Of one item, or of all items of a Query's page together. What is not there costs as much as the smallest
// item.
inline double read_units(double bytes, ReadKind kind) {
  const double units = std::max(1.0, std::ceil(bytes / kReadUnitBytes));
  return kind == ReadKind::kTransactional ? 2 * units : kind == ReadKind::kStrong ? units : units / 2;
}

}  // namespace sheaf::plan

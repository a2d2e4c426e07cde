#include "plan/units.h"

#include <algorithm>
#include <cmath>

namespace sheaf::plan {
namespace {

constexpr double kReadUnitBytes = 4096;
constexpr double kWriteUnitBytes = 1024;

double whole_units(double bytes, double unit_bytes) { return std::max(1.0, std::ceil(bytes / unit_bytes)); }

double larger(const Images& images) { return std::max(images.before.value_or(0), images.after.value_or(0)); }

}  // namespace

double read_units(double bytes, ReadKind kind) {
  const double units = whole_units(bytes, kReadUnitBytes);
  switch (kind) {
    case ReadKind::kEventual:
      return units / 2;
    case ReadKind::kStrong:
      return units;
    case ReadKind::kTransactional:
      break;
  }
  return 2 * units;
}

double write_units(const Images& images, bool is_transactional) {
  return whole_units(larger(images), kWriteUnitBytes) * (is_transactional ? 2 : 1);
}

double index_units(const Images& images, EntryChange change) {
  switch (change) {
    case EntryChange::kNone:
      return 0;
    case EntryChange::kInPlace:
      return whole_units(larger(images), kWriteUnitBytes);
    case EntryChange::kMoves:
      break;
  }
  double units = 0;
  if (images.before) units += whole_units(*images.before, kWriteUnitBytes);
  if (images.after) units += whole_units(*images.after, kWriteUnitBytes);
  return units;
}

}  // namespace sheaf::plan

#include "plan/plan.h"

#include <algorithm>

namespace sheaf::plan {

bool Request::is_spread() const {
  return std::any_of(partition.begin(), partition.end(),
                     [](const Binding& binding) { return binding.kind == Binding::Kind::kEach; });
}

double Request::shards() const {
  double count = 1;
  for (const Binding& binding : partition) {
    if (binding.kind == Binding::Kind::kEach && binding.hole->is_shard())
      count *= static_cast<double>(binding.hole->count);
  }
  return count;
}

const model::Hole* Request::bucket() const {
  for (const Binding& binding : partition) {
    if (binding.kind == Binding::Kind::kEach && binding.hole->is_bucket()) return binding.hole;
  }
  return nullptr;
}

}  // namespace sheaf::plan

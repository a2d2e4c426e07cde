// Whether a model explains the items that it was inferred from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "infer/design.h"
#include "infer/observed.h"
#include "model/compiled_model.h"

namespace sheaf::infer {

struct Misfit {
  size_t kind = 0;
  std::string why;
};

// The first of each kind, as `sheaf model audit` would find it: foreign, of a wrong type, or with an index
// key that does not follow from the rest.
std::vector<Misfit> check_sample(const model::CompiledModel& compiled, const Design& design,
                                 const std::vector<Kind>& kinds);

}  // namespace sheaf::infer

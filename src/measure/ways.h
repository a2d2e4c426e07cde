// All that could be written behind `via` for a relation, whether it would be legal or not.
#pragma once

#include <vector>

#include "language/syntax.h"
#include "model/model.h"

namespace sheaf::measure {

// The copies in it are those of fields that patterns read over the relation.
std::vector<language::Via> all_ways(const model::Model& model, model::RelationId relation);

}  // namespace sheaf::measure

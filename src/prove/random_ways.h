// How the relations of a model are stored in a layout, by chance.
#pragma once

#include <vector>

#include "language/syntax.h"
#include "model/model.h"
#include "prove/draw.h"

namespace sheaf::prove {

using Way = language::Via::Kind;

// One a relation, such that they fit each other and the entities: few of them are refused. kAuto: nothing is
// said.
// `keyed`: entities whose keys are written down already, so that they have items.
// `searched`: relations along which patterns search, so that keys should lead there.
std::vector<Way> random_ways(Draw& draw, const model::Model& model, const std::vector<bool>& ghosts,
                             const std::vector<bool>& keyed, const std::vector<bool>& searched);

// Whether the holder of the second end names the entity that it leads to.
bool is_reference(Way way);
bool is_edge(Way way);
// Whether the relation's edges can be counted, or found without an index.
bool is_counted(const model::Model& model, model::EndId end);

}  // namespace sheaf::prove

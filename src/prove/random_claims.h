// compare and expect clauses made by chance.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "prove/draw.h"
#include "prove/random_patterns.h"

namespace sheaf::prove {

std::vector<std::string> random_claims(Draw& draw, const model::Model& model,
                                       const std::vector<PatternDraft>& patterns,
                                       const std::vector<std::string>& layouts);

}  // namespace sheaf::prove

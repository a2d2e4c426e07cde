// Operations made by chance for a model.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/model.h"
#include "prove/draw.h"

namespace sheaf::prove {

struct OperationDraft {
  std::string name;
  std::string text;  // the whole declaration
};

std::vector<OperationDraft> random_operations(Draw& draw, const model::Model& model,
                                              std::set<std::string>& taken);

}  // namespace sheaf::prove

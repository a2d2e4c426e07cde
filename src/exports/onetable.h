// Schemas for OneTable, as an ES module.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::exports {

std::string to_onetable(const model::Model& model, const model::Layout& layout);

}  // namespace sheaf::exports

// A stack for AWS's Cloud Development Kit, in TypeScript.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::exports {

std::string to_cdk(const model::Model& model, const model::Layout& layout);

}  // namespace sheaf::exports

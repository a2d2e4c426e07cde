// Terraform resources, in HCL. OpenTofu reads them, too.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::exports {

std::string to_terraform(const model::Model& model, const model::Layout& layout);

}  // namespace sheaf::exports

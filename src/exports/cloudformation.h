// A CloudFormation template, in YAML.
#pragma once

#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::exports {

std::string to_cloudformation(const model::Model& model, const model::Layout& layout);

}  // namespace sheaf::exports

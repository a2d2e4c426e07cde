// A model in a page of JSON: what can be asked of it, and how.
#pragma once

#include <string>
#include <vector>

#include "clients/model_shapes.h"

namespace sheaf::service {

// A type as people write it: DepartmentId, list<string>, enum(OPEN, PAID).
std::string text_of(const clients::Shape& shape);

std::string summary_of(const clients::ModelShapes& shapes, const std::string& layout,
                       const std::vector<std::string>& tables);

}  // namespace sheaf::service

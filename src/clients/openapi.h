// The routes of a model, as OpenAPI describes them.
#pragma once

#include <string>

#include "clients/model_shapes.h"

namespace sheaf::clients {

// A document of OpenAPI 3.1, as JSON. The same text for the same shapes.
std::string openapi_of(const ModelShapes& shapes);

}  // namespace sheaf::clients

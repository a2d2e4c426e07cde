// How AWS shows a value inside a complaint: as Java prints it.
#pragma once

#include <string>

#include "wire/shape.h"

namespace sheaf::wire {

// [KeySchemaElement(attributeName=pk, keyType=HASH)]
std::string java_text(Json json, const Shape& shape);

}  // namespace sheaf::wire

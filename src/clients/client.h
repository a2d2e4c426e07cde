// Typed clients of a model's routes, in other languages: one file each, which needs nothing else.
#pragma once

#include <cstdint>
#include <string>

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::clients {

enum class Language : uint8_t { kTypeScript, kPython };

// The same text for the same model and layout.
std::string client_of(const model::Model& model, const model::Layout& layout, Language language);

}  // namespace sheaf::clients

// Values against the types that a model declares.
#pragma once

#include <optional>
#include <string>

#include "sheaf/value.h"

#include "model/model.h"

namespace sheaf::run {

// Why a value is none of this type ("must be a number, and is a string"), or nothing.
std::optional<std::string> misfit(ValueView value, const language::Type& type);
// The same for a field, which may also say `max` and `matches`.
std::optional<std::string> misfit(ValueView value, const model::Field& field);

// The value as it is stored: sets and binaries, which JSON has not, are made from lists and base64.
Value stored_form(ValueView value, const language::Type& type);

}  // namespace sheaf::run

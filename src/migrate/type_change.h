// Whether values of one type are values of another, as the types of a field in two models are compared.
#pragma once

#include <optional>
#include <string>

#include "language/syntax.h"

namespace sheaf::migrate {

// Why no value can be of both ("has another type: int becomes string"), or nothing. What one of them knows
// more of the same is no matter: values of an enum, fields of an object.
std::optional<std::string> why_another(const language::Type& from, const language::Type& to);

// Why a value of `from` may be none of `to`, or nothing.
std::optional<std::string> why_narrower(const language::Type& from, const language::Type& to);

}  // namespace sheaf::migrate

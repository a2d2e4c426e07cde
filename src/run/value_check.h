// Values against the types that a model declares.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "sheaf/value.h"

#include "model/model.h"

namespace sheaf::run {

// Why a value is none of this type ("must be a number, and is a string"), or nothing.
std::optional<std::string> misfit(ValueView value, const language::Type& type);
// The same for a field, which may also say `max` and `matches`.
std::optional<std::string> misfit(ValueView value, const model::Field& field);

// Why a time or a date with `since` is not between that and now, or nothing. Reads of buckets count on it.
std::optional<std::string> outside(ValueView value, const model::Field& field,
                                   std::chrono::system_clock::time_point now);

// The value as it is stored: sets and binaries, which JSON has not, are made from lists and base64.
Value stored_form(ValueView value, const language::Type& type);

}  // namespace sheaf::run

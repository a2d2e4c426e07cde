// Values against the types that a model declares.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "sheaf/value.h"

#include "model/model.h"

namespace sheaf::run {

// Why a value is none of this type ("must be a number, and is a string"), or nothing.
std::optional<std::string> misfit(ValueView value, const language::Type& type);
// The same for a field, which may also say `max` and `matches`, or for what lies inside it under these names.
std::optional<std::string> misfit(ValueView value, const model::Field& field,
                                  std::span<const std::string> inside = {});

// What is declared inside a type under these names; `field` is none where the names are keys of a map.
struct Declared {
  language::Type type;
  const language::Field* field = nullptr;
};
Declared declared_inside(const language::Type& type, std::span<const std::string> names);

// Why a time or a date with `since` is not between that and now, or nothing. Reads of buckets count on it.
std::optional<std::string> outside(ValueView value, const model::Field& field,
                                   std::chrono::system_clock::time_point now);

// The value as it is stored: sets and binaries, which JSON has not, are made from lists and base64. Inside
// objects null is missing, and what is missing and has a default gets it; `now`: what that is there.
Value stored_form(ValueView value, const language::Type& type,
                  std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

}  // namespace sheaf::run

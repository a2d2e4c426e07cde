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
// The same for a field with its `max` and `matches`, or for the member inside it at this path.
std::optional<std::string> misfit(ValueView value, const model::Field& field,
                                  std::span<const std::string> inside = {});

// The declaration of the member at this path inside a type. `field` is null if the path ends at a key of a
// map.
struct Declared {
  language::Type type;
  const language::Field* field = nullptr;
};
Declared declared_inside(const language::Type& type, std::span<const std::string> names);

// Why a time or a date with `since` is not between that and now, or nothing. Reads of buckets count on it.
std::optional<std::string> outside(ValueView value, const model::Field& field,
                                   std::chrono::system_clock::time_point now);

// The stored form of a JSON value: lists become sets and base64 becomes binary where the type says so. Inside
// objects, null fields are removed and missing fields get their defaults; `now` is the value of that literal.
Value stored_form(ValueView value, const language::Type& type,
                  std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

}  // namespace sheaf::run

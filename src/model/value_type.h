// Types of fields, parameters and literals: what may be compared and stored.
#pragma once

#include <optional>
#include <string>

#include "language/syntax.h"

namespace sheaf::model {

// As it is written: enum(A, B), list<string>.
std::string text_of(const language::Type& type);

bool is_scalar(const language::Type& type);
// A value of it is a string (or a number, or a binary) in an item, and so may be part of a key.
bool may_be_key(const language::Type& type);
// Its text has always the same number of bytes.
bool is_fixed_width(const language::Type& type);
bool is_numeric(const language::Type& type);
bool is_textual(const language::Type& type);  // string, enum, time, date, ulid, uuid
bool has_order(const language::Type& type);   // <, between: not bools

// Values of both can be equal; every value of the enum `a` is one of the enum `b`.
bool are_comparable(const language::Type& a, const language::Type& b);

// Why `literal` is no value of `type`, or nothing.
std::optional<std::string> mismatch(const language::Literal& literal, const language::Type& type);

// 2026-11-15T10:20:30.123Z
bool is_time(std::string_view text);
bool is_date(std::string_view text);

}  // namespace sheaf::model

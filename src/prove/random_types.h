// Types, values and field declarations made by chance, and their text.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "language/syntax.h"
#include "prove/draw.h"
#include "prove/random_values.h"

namespace sheaf::prove {

// string, number, int, bool, binary, time, date, ulid, uuid or an enum.
language::Type random_scalar(Draw& draw);
// Lists, maps, sets and objects among them. `depth` is how deep it lies in others.
language::Type random_type(Draw& draw, int depth = 0);

// A value of the type, as the language writes it; nothing if there is no way to write one. Conditions,
// defaults and arguments take from few values of each type, so that they meet each other.
std::optional<std::string> random_literal(Draw& draw, const language::Type& type);

std::string written_type(const language::Type& type);

// A field with its text, where some words can stand in several ways.
struct FieldDraft {
  std::string name;
  language::Type type;
  bool is_type_written = true;  // a string need not be
  bool is_id = false;
  bool is_optional = false;
  bool is_unique = false;
  ValueKind values;  // `max`, `matches` and `since`, as the modifiers say
  bool has_default = false;
  std::string modifiers;  // what else is said, each with a space before it
};
std::string written_field(const FieldDraft& field);

enum class FieldPlace : uint8_t { kEntity, kEdge, kObject };
// A field with a name that is not in `taken`, where it is noted.
FieldDraft random_field(Draw& draw, std::set<std::string>& taken, FieldPlace place, int depth = 0);
// One of the identity, which keys can hold.
FieldDraft random_id(Draw& draw, std::set<std::string>& taken);
// The same of this type.
FieldDraft field_of(Draw& draw, language::Type type, std::set<std::string>& taken, FieldPlace place);

}  // namespace sheaf::prove

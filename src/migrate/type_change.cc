#include "migrate/type_change.h"

#include <algorithm>

#include "model/value_type.h"

namespace sheaf::migrate {
namespace {

using FieldType = language::Type;

const language::Field* find(const FieldType& object, const std::string& name) {
  const auto found = std::find_if(object.fields.begin(), object.fields.end(),
                                  [&](const language::Field& each) { return each.name.text == name; });
  return found == object.fields.end() ? nullptr : &*found;
}

FieldType type_of(const language::Field& field) { return field.type.value_or(FieldType{}); }

bool has(const FieldType& enumeration, const std::string& value) {
  return std::any_of(enumeration.values.begin(), enumeration.values.end(),
                     [&](const language::Name& each) { return each.text == value; });
}

std::optional<std::string> why_narrower_object(const FieldType& from, const FieldType& to) {
  for (const language::Field& field : from.fields) {
    const language::Field* const there = find(to, field.name.text);
    if (there == nullptr) return "has a field " + field.name.text + ", and not in the new model";
    if (const auto why = why_narrower(type_of(field), type_of(*there)))
      return "has a field " + field.name.text + " that " + *why;
    if (field.is_optional && !there->is_optional && !there->default_value)
      return "has a field " + field.name.text + " that can be missing, and must be there in the new model";
  }
  for (const language::Field& field : to.fields) {
    if (!field.is_optional && !field.default_value && find(from, field.name.text) == nullptr)
      return "has a field " + field.name.text + " that is new and must be there; make it optional";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> why_another(const FieldType& from, const FieldType& to) {
  const std::string why = "has another type: " + model::text_of(from) + " becomes " + model::text_of(to);
  if (from.kind != to.kind) return why;
  for (size_t i = 0; i < from.element.size() && i < to.element.size(); ++i) {
    if (why_another(from.element[i], to.element[i])) return why;
  }
  for (const language::Field& field : from.fields) {
    const language::Field* const there = find(to, field.name.text);
    if (there == nullptr) continue;
    if (const auto inner = why_another(type_of(field), type_of(*there)))
      return "has a field " + field.name.text + " that " + *inner;
  }
  return std::nullopt;
}

std::optional<std::string> why_narrower(const FieldType& from, const FieldType& to) {
  if (auto why = why_another(from, to)) return why;
  for (const language::Name& value : from.values) {
    if (!has(to, value.text)) return "can be " + value.text + ", and cannot in the new model";
  }
  for (size_t i = 0; i < from.element.size() && i < to.element.size(); ++i) {
    if (const auto why = why_narrower(from.element[i], to.element[i])) return "has elements: each " + *why;
  }
  if (from.kind == language::Type::Kind::kObject) return why_narrower_object(from, to);
  return std::nullopt;
}

}  // namespace sheaf::migrate

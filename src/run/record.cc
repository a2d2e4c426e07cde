#include "run/record.h"

#include "model/value_type.h"

namespace sheaf::run {

std::string version_attribute(const model::Entity& entity) {
  for (const model::Field& field : entity.fields) {
    if (field.kept == model::Kept::kVersion) return field.attribute;
  }
  return std::string(kVersionAttribute);
}

std::string copy_version_attribute(const std::string& end_name) {
  return "_" + end_name + kVersionAttribute.data();
}

Edge turned(Edge edge) {
  std::swap(edge.ends[0], edge.ends[1]);
  std::swap(edge.copies[0], edge.copies[1]);
  std::swap(edge.copy_versions[0], edge.copy_versions[1]);
  return edge;
}

std::optional<std::string> key_text(ValueView value) {
  switch (value.type()) {
    case Type::kString:
    case Type::kBinary:
      return std::string(value.bytes());
    case Type::kNumber:
      return value.number().to_string();
    case Type::kBool:
      return value.boolean() ? "true" : "false";
    default:
      return std::nullopt;
  }
}

Value value_of(const std::string& text, const language::Type& type) {
  using Kind = language::Type::Kind;
  if (model::is_numeric(type)) {
    const auto number = Number::parse(text);
    return number.ok() ? Value(*number) : Value(text);
  }
  if (type.kind == Kind::kBool) return Value(text == "true");
  if (type.kind == Kind::kBinary) return Value::binary(text);
  return Value(text);
}

Value key_value(const std::string& text, const model::KeyAttribute& attribute) {
  language::Type type;
  type.kind = attribute.type;
  return value_of(text, type);
}

const model::Field& identity_field(const model::Model& model, model::EntityId entity, size_t part) {
  return model.field(entity, model.entities[entity].identity[part]);
}

std::string identity_attribute(const model::Model& model, model::EntityId entity, size_t part) {
  std::string name = model.text(entity, model.entities[entity].identity[part]);
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
}

}  // namespace sheaf::run

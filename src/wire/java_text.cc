#include "wire/java_text.h"

namespace sheaf::wire {
namespace {

using simdjson::dom::element_type;

std::string lower_first(std::string_view name) {
  std::string text(name);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

void append(std::string& out, Json json, const Shape& shape);

void append_structure(std::string& out, Json json, const Shape& shape) {
  out += shape.class_name.substr(shape.class_name.rfind('.') + 1);
  out += '(';
  const Fields fields(json, shape);
  for (size_t i = 0; i < shape.members.size(); ++i) {
    if (i > 0) out += ", ";
    out += lower_first(shape.members[i].name) + '=';
    if (fields.has(i)) {
      append(out, fields.json(i), *shape.members[i].shape);
    } else {
      out += "null";
    }
  }
  out += ')';
}

void append_list(std::string& out, simdjson::dom::array elements, const Shape& shape) {
  out += '[';
  bool first = true;
  for (const Json element : elements) {
    if (!first) out += ", ";
    first = false;
    append(out, element, *shape.element);
  }
  out += ']';
}

void append_map(std::string& out, simdjson::dom::object entries, const Shape& shape) {
  out += '{';
  bool first = true;
  for (const auto& [name, element] : entries) {
    if (!first) out += ", ";
    first = false;
    out += name;
    out += '=';
    append(out, element, *shape.element);
  }
  out += '}';
}

void append(std::string& out, Json json, const Shape& shape) {
  switch (json.type()) {
    case element_type::STRING:
      out += json.get_string().value_unsafe();
      return;
    case element_type::OBJECT:
      if (shape.kind == Kind::kStructure) return append_structure(out, json, shape);
      if (shape.kind == Kind::kMap) return append_map(out, object_of(json), shape);
      break;
    case element_type::ARRAY:
      if (shape.kind == Kind::kList) return append_list(out, array_of(json), shape);
      break;
    default:
      break;
  }
  out += simdjson::minify(json);
}

}  // namespace

std::string java_text(Json json, const Shape& shape) {
  std::string out;
  append(out, json, shape);
  return out;
}

}  // namespace sheaf::wire

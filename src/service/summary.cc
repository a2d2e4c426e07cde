#include "service/summary.h"

#include "base/joined.h"
#include "language/json_writer.h"

namespace sheaf::service {
namespace {

using clients::Shape;
using language::JsonWriter;

void member(JsonWriter& json, std::string_view name, std::string_view text) {
  if (text.empty()) return;
  json.member(name);
  json.text(text);
}

void write_parameters(JsonWriter& json, const std::vector<clients::Member>& parameters) {
  json.member("parameters");
  json.array([&] {
    for (const clients::Member& each : parameters) {
      json.object([&] {
        member(json, "name", each.name);
        member(json, "type", text_of(each.shape));
        if (!each.is_optional) return;
        json.member("optional");
        json.word("true");
      });
    }
  });
}

}  // namespace

std::string text_of(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::kText:
      return shape.format.empty() ? "string" : shape.format == "base64" ? "binary" : shape.format;
    case Shape::Kind::kNumber:
      return "number";
    case Shape::Kind::kWhole:
      return "int";
    case Shape::Kind::kFlag:
      return "bool";
    case Shape::Kind::kAny:
      return "any";
    case Shape::Kind::kEnum:
      return "enum(" + joined(shape.values) + ")";
    case Shape::Kind::kList:
      return (shape.is_set ? "set<" : "list<") + text_of(shape.elements.front()) + ">";
    case Shape::Kind::kMap:
      return "map<" + text_of(shape.elements.front()) + ">";
    case Shape::Kind::kTuple: {
      std::vector<std::string> parts;
      for (const Shape& element : shape.elements) parts.push_back(text_of(element));
      return "[" + joined(parts) + "]";
    }
    case Shape::Kind::kObject: {
      std::vector<std::string> parts;
      for (const clients::Member& each : shape.members)
        parts.push_back(each.name + (each.is_optional ? "?: " : ": ") + text_of(each.shape));
      return "{ " + joined(parts) + " }";
    }
    case Shape::Kind::kNamed:
      break;
  }
  return shape.name;
}

std::string summary_of(const clients::ModelShapes& shapes, const std::string& layout,
                       const std::vector<std::string>& tables) {
  JsonWriter json;
  json.object([&] {
    member(json, "name", shapes.name);
    member(json, "doc", shapes.doc);
    member(json, "layout", layout);
    json.member("tables");
    json.array([&] {
      for (const std::string& table : tables) json.text(table);
    });
    json.member("types");
    json.object([&] {
      for (const clients::NamedShape& each : shapes.named) member(json, each.name, text_of(each.shape));
    });
    json.member("patterns");
    json.array([&] {
      for (const clients::PatternShape& each : shapes.patterns) {
        json.object([&] {
          member(json, "name", each.name);
          member(json, "doc", each.doc);
          write_parameters(json, each.parameters);
          member(json, "document", text_of(each.document));
          member(json, "gives", each.is_single ? "one or none" : "pages");
        });
      }
    });
    json.member("operations");
    json.array([&] {
      for (const clients::OperationShape& each : shapes.operations) {
        json.object([&] {
          member(json, "name", each.name);
          member(json, "doc", each.doc);
          write_parameters(json, each.parameters);
        });
      }
    });
  });
  return json.take();
}

}  // namespace sheaf::service

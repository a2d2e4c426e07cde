#include "clients/openapi.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "language/json_writer.h"

namespace sheaf::clients {
namespace {

using Kind = Shape::Kind;

// The status of an error, and when it comes.
struct Problem {
  std::string_view status;
  std::string_view meaning;
};
constexpr Problem kProblems[] = {
    {"400", "The request is wrong: a parameter, a value, a cursor, or what the model does not allow"},
    {"403", "The credentials are missing, wrong, or not for this"},
    {"404", "There is no such model, pattern, operation or entity"},
    {"409", "It exists already, is in use, a check failed, or others were faster"},
    {"429", "Too many requests: try again later"},
    {"500", "The outcome is not known, or the database has a problem"},
    {"503", "The database cannot be reached"}};

// What the query says beside the parameters of the pattern.
constexpr std::string_view kOptions[] = {"cursor", "plan", "cost"};

// As it stands in a path: no brace in it is a template's.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~").find(c) != std::string_view::npos;
    if (is_plain) {
      out += c;
    } else {
      out += '%';
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return out;
}

class OpenApiWriter {
 public:
  explicit OpenApiWriter(const ModelShapes& shapes) : shapes_(shapes) {}

  std::string run() {
    json_.object([&] {
      member("openapi", "3.1.0");
      object("info", [&] {
        member("title", shapes_.name);
        member("version", "1");
        if (!shapes_.doc.empty()) member("description", shapes_.doc);
      });
      object("paths", [&] {
        for (const PatternShape& pattern : shapes_.patterns) write(pattern);
        for (const OperationShape& operation : shapes_.operations) write(operation);
      });
      object("components", [&] {
        object("schemas", [&] { write_schemas(); });
        object("responses", [&] { write_problems(); });
        object("securitySchemes", [&] {
          object("sigv4", [&] {
            member("type", "apiKey");
            member("in", "header");
            member("name", "Authorization");
            member("description",
                   "AWS Signature Version 4 for the service dynamodb, if the server asks for credentials");
            member("x-amazon-apigateway-authtype", "awsSigv4");
          });
        });
      });
      array("security", [&] {
        json_.object([&] { array("sigv4", [] {}); });
        json_.object([] {});
      });
    });
    return json_.take();
  }

 private:
  template <typename Fill>
  void object(std::string_view name, Fill fill) {
    json_.member(name);
    json_.object(fill);
  }
  template <typename Fill>
  void array(std::string_view name, Fill fill) {
    json_.member(name);
    json_.array(fill);
  }
  void member(std::string_view name, std::string_view text) {
    json_.member(name);
    json_.text(text);
  }
  void word(std::string_view name, std::string_view text) {
    json_.member(name);
    json_.word(text);
  }
  void reference(const std::string& section, const std::string& name) {
    member("$ref", "#/components/" + section + "/" + name);
  }

  // The members of a schema.
  void schema(const Shape& shape) {
    switch (shape.kind) {
      case Kind::kText:
        member("type", "string");
        if (shape.format == "base64") {
          member("contentEncoding", "base64");
        } else if (!shape.format.empty()) {
          member("format", shape.format == "time" ? "date-time" : shape.format);
        }
        break;
      case Kind::kNumber:
        member("type", "number");
        break;
      case Kind::kWhole:
        member("type", "integer");
        break;
      case Kind::kFlag:
        member("type", "boolean");
        break;
      case Kind::kAny:
        break;
      case Kind::kEnum:
        member("type", "string");
        array("enum", [&] {
          for (const std::string& value : shape.values) json_.text(value);
        });
        break;
      case Kind::kList:
        member("type", "array");
        object("items", [&] { schema(shape.elements.front()); });
        if (shape.is_set) word("uniqueItems", "true");
        break;
      case Kind::kMap:
        member("type", "object");
        object("additionalProperties", [&] { schema(shape.elements.front()); });
        break;
      case Kind::kTuple:
        tuple(shape.elements);
        break;
      case Kind::kObject:
        members(shape.members);
        break;
      case Kind::kNamed:
        reference("schemas", shape.name);
        break;
    }
  }

  void tuple(const std::vector<Shape>& elements) {
    member("type", "array");
    array("prefixItems", [&] {
      for (const Shape& element : elements) json_.object([&] { schema(element); });
    });
    word("items", "false");
    word("minItems", std::to_string(elements.size()));
  }

  void members(const std::vector<Member>& all) {
    members(all, [&](const Member& each) {
      schema(each.shape);
      if (!each.doc.empty()) member("description", each.doc);
    });
  }

  template <typename Fill>
  void members(const std::vector<Member>& all, Fill fill) {
    member("type", "object");
    object("properties", [&] {
      for (const Member& each : all) object(each.name, [&] { fill(each); });
    });
    bool is_any_needed = false;
    for (const Member& each : all) is_any_needed |= !each.is_optional;
    if (is_any_needed) {
      array("required", [&] {
        for (const Member& each : all) {
          if (!each.is_optional) json_.text(each.name);
        }
      });
    }
    word("additionalProperties", "false");
  }

  // The members of a parameter's schema: null stands for one that is left out.
  void parameter(const Member& each) {
    if (!each.is_optional || each.shape.kind == Kind::kAny) {
      schema(each.shape);
      return;
    }
    array("anyOf", [&] {
      json_.object([&] { schema(each.shape); });
      json_.object([&] { member("type", "null"); });
    });
  }

  // By name, or in their order.
  void write_with(const std::vector<Member>& parameters) {
    array("oneOf", [&] {
      json_.object([&] { members(parameters, [&](const Member& each) { parameter(each); }); });
      json_.object([&] {
        member("type", "array");
        size_t least = 0;
        for (size_t i = 0; i < parameters.size(); ++i) {
          if (!parameters[i].is_optional) least = i + 1;
        }
        if (!parameters.empty()) {
          array("prefixItems", [&] {
            for (const Member& each : parameters) json_.object([&] { parameter(each); });
          });
        }
        word("items", "false");
        word("minItems", std::to_string(least));
      });
    });
  }

  bool needs_any(const std::vector<Member>& parameters) const {
    for (const Member& each : parameters) {
      if (!each.is_optional) return true;
    }
    return false;
  }

  void write_body(const std::vector<Member>& parameters, bool has_cursor) {
    object("requestBody", [&] {
      word("required", needs_any(parameters) ? "true" : "false");
      object("content", [&] {
        object("application/json", [&] {
          object("schema", [&] {
            member("type", "object");
            object("properties", [&] {
              object("with", [&] { write_with(parameters); });
              if (has_cursor) object("cursor", [&] { member("type", "string"); });
              object("plan", [&] { member("type", "boolean"); });
              object("cost", [&] { member("type", "boolean"); });
            });
            if (needs_any(parameters)) array("required", [&] { json_.text("with"); });
            word("additionalProperties", "false");
          });
        });
      });
    });
  }

  template <typename Members>
  void write_responses(const std::string& description, std::string_view needed, Members fill) {
    object("responses", [&] {
      object("200", [&] {
        member("description", description);
        object("content", [&] {
          object("application/json", [&] {
            object("schema", [&] {
              member("type", "object");
              object("properties", [&] {
                fill();
                object("cost", [&] { reference("schemas", kCost); });
                object("plan", [&] { member("type", "string"); });
              });
              array("required", [&] { json_.text(needed); });
              word("additionalProperties", "false");
            });
          });
        });
      });
      for (const Problem& each : kProblems)
        object(each.status, [&] { reference("responses", "Problem" + std::string(each.status)); });
    });
  }

  void head(const std::string& id, const std::string& doc) {
    member("operationId", id);
    if (!doc.empty()) member("description", doc);
  }

  void write(const PatternShape& pattern) {
    const auto responses = [&] {
      write_responses(pattern.is_single ? "One document, or none" : "A page of documents", "documents", [&] {
        object("documents", [&] {
          member("type", "array");
          object("items", [&] { schema(pattern.document); });
          if (pattern.is_single) word("maxItems", "1");
        });
        object("cursor", [&] {
          member("type", "string");
          member("description", "There may be more: ask for it with this");
        });
      });
    };
    object("/models/" + escaped(shapes_.name) + "/patterns/" + escaped(pattern.name), [&] {
      object("get", [&] {
        head("ask." + pattern.name, pattern.doc);
        array("tags", [&] { json_.text("patterns"); });
        array("parameters", [&] { write_query(pattern); });
        responses();
      });
      object("post", [&] {
        head("ask.post." + pattern.name, pattern.doc);
        array("tags", [&] { json_.text("patterns"); });
        write_body(pattern.parameters, true);
        responses();
      });
    });
  }

  void write_query(const PatternShape& pattern) {
    const auto in_query = [&](const std::string& name, bool is_needed, auto fill) {
      json_.object([&] {
        member("name", name);
        member("in", "query");
        word("required", is_needed ? "true" : "false");
        fill();
      });
    };
    for (const Member& each : pattern.parameters) {
      // Such a pattern is asked by POST.
      if (std::find(std::begin(kOptions), std::end(kOptions), each.name) != std::end(kOptions)) continue;
      in_query(each.name, !each.is_optional, [&] {
        const Shape* shape = &each.shape;
        if (shape->kind == Kind::kNamed) shape = shapes_.find(shape->name);
        const bool is_plain = shape->kind != Kind::kList && shape->kind != Kind::kMap &&
                              shape->kind != Kind::kTuple && shape->kind != Kind::kObject &&
                              shape->kind != Kind::kAny;
        if (is_plain) {
          object("schema", [&] { schema(each.shape); });
        } else {
          object("content",
                 [&] { object("application/json", [&] { object("schema", [&] { schema(each.shape); }); }); });
        }
      });
    }
    for (const std::string_view option : kOptions) {
      in_query(std::string(option), false,
               [&] { object("schema", [&] { member("type", option == "cursor" ? "string" : "boolean"); }); });
    }
  }

  void write(const OperationShape& operation) {
    object("/models/" + escaped(shapes_.name) + "/operations/" + escaped(operation.name), [&] {
      object("post", [&] {
        head("act." + operation.name, operation.doc);
        array("tags", [&] { json_.text(operation.is_basic ? "basic operations" : "operations"); });
        write_body(operation.parameters, false);
        write_responses("It is done, whole", "put", [&] {
          object("put", [&] {
            member("type", "array");
            member("description", "The ids of what was put, generated ones among them");
            object("items", [] {});
          });
          for (const char* const count : {"copies", "deleted", "pending", "retries"})
            object(count, [&] { member("type", "integer"); });
        });
      });
    });
  }

  void write_schemas() {
    for (const NamedShape& each : shapes_.named) {
      object(each.name, [&] {
        schema(each.shape);
        if (!each.doc.empty()) member("description", each.doc);
      });
    }
    object(kCost, [&] {
      const Shape whole{.kind = Kind::kWhole}, number{.kind = Kind::kNumber};
      members({{.name = "requests", .shape = whole},
               {.name = "rounds", .shape = whole, .is_optional = true},
               {.name = "units", .shape = number},
               {.name = "items_read", .shape = whole, .is_optional = true}});
    });
    object(kProblem, [&] {
      member("type", "object");
      object("properties", [&] {
        object("error", [&] {
          const Shape text{.kind = Kind::kText};
          members({{.name = "code", .shape = text},
                   {.name = "message", .shape = text},
                   {.name = "fix", .shape = text, .is_optional = true}});
        });
      });
      array("required", [&] { json_.text("error"); });
      word("additionalProperties", "false");
    });
  }

  void write_problems() {
    for (const Problem& each : kProblems) {
      object("Problem" + std::string(each.status), [&] {
        member("description", each.meaning);
        object("content", [&] {
          object("application/json", [&] { object("schema", [&] { reference("schemas", kProblem); }); });
        });
      });
    }
  }

  // Not names that shapes can have.
  const std::string kCost = "_Cost";
  const std::string kProblem = "_Problem";

  const ModelShapes& shapes_;
  language::JsonWriter json_;
};

}  // namespace

std::string openapi_of(const ModelShapes& shapes) { return OpenApiWriter(shapes).run(); }

}  // namespace sheaf::clients

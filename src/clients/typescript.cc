#include "clients/typescript.h"

#include "exports/names.h"

namespace sheaf::clients {
namespace {

using exports::camel_case;
using exports::comment_text;
using exports::property_name;
using exports::single_quoted;
using Kind = Shape::Kind;

std::string typescript_type(const Shape& shape) {
  const auto joined = [](const auto& parts, std::string_view between, auto text) {
    std::string all;
    for (const auto& part : parts) {
      if (!all.empty()) all += between;
      all += text(part);
    }
    return all;
  };
  switch (shape.kind) {
    case Kind::kText:
      return "string";
    case Kind::kNumber:
    case Kind::kWhole:
      return "number";
    case Kind::kFlag:
      return "boolean";
    case Kind::kAny:
      return "unknown";
    case Kind::kEnum:
      return joined(shape.values, " | ", [](const std::string& value) { return single_quoted(value); });
    case Kind::kList:
      return "Array<" + typescript_type(shape.elements.front()) + ">";
    case Kind::kMap:
      return "Record<string, " + typescript_type(shape.elements.front()) + ">";
    case Kind::kTuple:
      return "[" + joined(shape.elements, ", ", typescript_type) + "]";
    case Kind::kNamed:
      return shape.name;
    case Kind::kObject:
      break;
  }
  return "{ " +
         joined(shape.members, "; ",
                [](const Member& member) {
                  return property_name(member.name) + (member.is_optional ? "?: " : ": ") +
                         typescript_type(member.shape);
                }) +
         " }";
}

// What a text is that looks like any other.
std::string_view remark_of(const Shape& shape) {
  if (shape.kind != Kind::kText) return "";
  if (shape.format == "time") return "2026-11-15T08:30:00.000Z";
  if (shape.format == "date") return "2026-11-15";
  if (shape.format == "base64") return "in base64";
  return shape.format;
}

class TypeScriptWriter {
 public:
  TypeScriptWriter(const ModelShapes& shapes, const std::string& client) : shapes_(shapes), client_(client) {}

  std::string run() {
    out_ =
        "// A client of the model " + comment_text(shapes_.name) +
        ", made by `sheaf model client`. It needs nothing but fetch; make it again when the model changes.\n";
    for (const NamedShape& each : shapes_.named) write(each);
    out_ += kTypeScriptRuntime;
    write_client();
    return std::move(out_);
  }

 private:
  void comment(std::string_view indent, const std::string& text) {
    if (text.empty()) return;
    std::string safe = comment_text(text);
    for (size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/", at))
      safe.replace(at, 2, "* /");
    out_ += std::string(indent) + "/** " + safe + " */\n";
  }

  void write(const NamedShape& each) {
    out_ += '\n';
    comment("", each.doc);
    if (each.shape.kind != Kind::kObject) {
      out_ += "export type " + each.name + " = " + typescript_type(each.shape) + ";\n";
      return;
    }
    out_ += "export interface " + each.name + " {\n";
    for (const Member& member : each.shape.members) {
      std::string doc = member.doc;
      if (const std::string_view remark = remark_of(member.shape); !remark.empty())
        doc += (doc.empty() ? "" : "; ") + std::string(remark);
      comment("  ", doc);
      out_ += "  " + property_name(member.name) + (member.is_optional ? "?: " : ": ") +
              typescript_type(member.shape) + ";\n";
    }
    out_ += "}\n";
  }

  // Null stands for one that is left out.
  static std::string parameter_type(const Member& each) {
    const bool takes_null = each.is_optional && each.shape.kind != Kind::kAny;
    return (each.is_optional ? "?: " : ": ") + typescript_type(each.shape) + (takes_null ? " | null" : "");
  }
  static std::string parameters_type(const std::vector<Member>& parameters) {
    std::string all;
    for (const Member& each : parameters)
      all += (all.empty() ? "" : "; ") + property_name(each.name) + parameter_type(each);
    return "{ " + all + " }";
  }
  static bool needs_any(const std::vector<Member>& parameters) {
    for (const Member& each : parameters) {
      if (!each.is_optional) return true;
    }
    return false;
  }

  // How a pattern or operation is called, and what is sent.
  struct Call {
    std::string declared;
    std::string sent;
  };
  static Call by_name(const std::vector<Member>& parameters) {
    if (parameters.empty()) return {.declared = "", .sent = "{}"};
    return {
        .declared = "parameters: " + parameters_type(parameters) + (needs_any(parameters) ? ", " : " = {}, "),
        .sent = "parameters"};
  }
  static Call by_place(const std::vector<Member>& parameters) {
    Call call{.sent = "["};
    for (const Member& each : parameters) {
      const std::string name = camel_case(each.name);
      call.declared += name + parameter_type(each) + ", ";
      call.sent += (call.sent == "[" ? "" : ", ") + name;
    }
    call.sent += "]";
    return call;
  }

  void write_client() {
    exports::UniqueNames methods({"constructor", "ask", "act"});
    out_ += "\n";
    comment("", shapes_.doc);
    out_ += "export class " + client_ + " extends ModelClient {\n";
    out_ += "  constructor(options: ClientOptions) {\n    super(" + single_quoted(shapes_.name) +
            ", options);\n  }\n";
    for (const PatternShape& each : shapes_.patterns) {
      const Call call = by_name(each.parameters);
      const std::string type = typescript_type(each.document);
      out_ += "\n";
      comment("  ", each.doc);
      out_ +=
          "  " + methods.claim(camel_case(each.name)) + "(" + call.declared + "options: CallOptions = {}): ";
      const std::string asked = single_quoted(each.name) + ", " + call.sent;
      if (each.is_single) {
        out_ += "Promise<" + type + " | undefined> {\n    return this.ask<" + type + ">(" + asked +
                ", options).then((page) => page.documents[0]);\n  }\n";
      } else {
        out_ += "Pages<" + type + "> {\n    return new Pages((next) => this.ask<" + type + ">(" + asked +
                ", { ...options, ...next }));\n  }\n";
      }
    }
    for (const OperationShape& each : shapes_.operations) {
      const Call call = each.is_basic ? by_place(each.parameters) : by_name(each.parameters);
      out_ += "\n";
      comment("  ", each.doc);
      out_ += "  " + methods.claim(camel_case(each.name)) + "(" + call.declared +
              "options: CallOptions = {}): Promise<Outcome> {\n    return this.act(" +
              single_quoted(each.name) + ", " + call.sent + ", options);\n  }\n";
    }
    out_ += "}\n";
  }

  const ModelShapes& shapes_;
  const std::string& client_;
  std::string out_;
};

}  // namespace

std::vector<std::string> typescript_names() {
  return {"AbortSignal",
          "ArrayBuffer",
          "BufferSource",
          "Crypto",
          "Array",
          "AsyncGenerator",
          "AsyncIterable",
          "AskOptions",
          "CallOptions",
          "ClientOptions",
          "ConflictError",
          "Cost",
          "Credentials",

          "Date",
          "Error",
          "ForbiddenError",
          "Headers",
          "InvalidError",
          "JSON",
          "Map",
          "ModelClient",
          "ModelError",
          "NotFoundError",
          "Number",
          "Object",
          "Outcome",
          "Page",
          "Pages",
          "Promise",
          "Record",
          "Request",
          "Response",
          "ServerError",
          "Set",
          "String",
          "Symbol",
          "TextEncoder",
          "ThrottledError",
          "URL",
          "Uint8Array"};
}

std::string typescript_of(const ModelShapes& shapes, const std::string& client) {
  return TypeScriptWriter(shapes, client).run();
}

}  // namespace sheaf::clients

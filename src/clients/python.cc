#include "clients/python.h"

#include <algorithm>
#include <array>
#include <set>

#include "exports/names.h"

namespace sheaf::clients {
namespace {

using exports::comment_text;
using exports::quoted;
using Kind = Shape::Kind;

constexpr std::array kKeywords = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                  "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                  "else",   "except", "finally", "for",      "from",     "global", "if",
                                  "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                  "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_identifier(const std::string& name) {
  if (name.empty() || !is_letter(name.front())) return false;
  if (std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end()) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// What types are written with: a member of this name would hide it inside its class.
const std::vector<std::string> kTypeNames = {"Any",   "Literal", "NotRequired", "bool", "dict",
                                             "float", "int",     "list",        "str",  "tuple"};

// Two underscores at the beginning would make it another name inside a class.
bool is_member_name(const std::string& name) {
  return is_identifier(name) && !name.starts_with("__") &&
         std::find(kTypeNames.begin(), kTypeNames.end(), name) == kTypeNames.end();
}

std::string safe_name(const std::string& name) {
  if (is_identifier(name)) return name;
  const std::string snake = exports::snake_case(name);
  return is_identifier(snake) ? snake : snake + "_";
}

std::string python_type(const Shape& shape) {
  const auto joined = [](const auto& parts, auto text) {
    std::string all;
    for (const auto& part : parts) all += (all.empty() ? "" : ", ") + text(part);
    return all;
  };
  switch (shape.kind) {
    case Kind::kText:
      return "str";
    case Kind::kNumber:
      return "float";
    case Kind::kWhole:
      return "int";
    case Kind::kFlag:
      return "bool";
    case Kind::kEnum:
      return "Literal[" + joined(shape.values, [](const std::string& value) { return quoted(value); }) + "]";
    case Kind::kList:
      return "list[" + python_type(shape.elements.front()) + "]";
    case Kind::kMap:
      return "dict[str, " + python_type(shape.elements.front()) + "]";
    case Kind::kTuple: {
      // Given as either; an answer has lists.
      std::vector<std::string> kinds;
      for (const Shape& element : shape.elements) {
        const std::string kind = python_type(element);
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
      }
      std::string any;
      for (const std::string& kind : kinds) any += (any.empty() ? "" : " | ") + kind;
      return "tuple[" + joined(shape.elements, python_type) + "] | list[" + any + "]";
    }
    case Kind::kNamed:
      return shape.name;
    case Kind::kAny:
    case Kind::kObject:
      break;
  }
  return "Any";
}

class PythonWriter {
 public:
  PythonWriter(const ModelShapes& shapes, const std::string& client) : shapes_(shapes), client_(client) {}

  std::string run() {
    out_ = "\"\"\"A client of the model " + doc_text(shapes_.name) +
           ", made by `sheaf model client`. Make it again when the model changes.\"\"\"\n";
    out_ += kPythonHead;
    for (const NamedShape& each : shapes_.named) write(each);
    out_ += kPythonRuntime;
    write_client();
    return std::move(out_);
  }

 private:
  static std::string doc_text(const std::string& text) {
    std::string safe;
    for (const char c : comment_text(text)) {
      if (c == '\\' || c == '"') safe += '\\';
      safe += c;
    }
    return safe;
  }

  void doc(std::string_view indent, const std::string& text) {
    if (!text.empty()) out_ += std::string(indent) + "\"\"\"" + doc_text(text) + "\"\"\"\n";
  }

  static std::string member_type(const Member& member) {
    const std::string type = python_type(member.shape);
    return member.is_optional ? "NotRequired[" + type + "]" : type;
  }

  void write(const NamedShape& each) {
    out_ += "\n\n";
    if (each.shape.kind != Kind::kObject) {
      if (!each.doc.empty()) out_ += "# " + comment_text(each.doc) + "\n";
      out_ += each.name + ": TypeAlias = " + quoted(python_type(each.shape)) + "\n";
      return;
    }
    const auto& members = each.shape.members;
    const bool is_plain = std::all_of(members.begin(), members.end(),
                                      [](const Member& member) { return is_member_name(member.name); });
    if (is_plain) {
      out_ += "class " + each.name + "(TypedDict):\n";
      doc("    ", each.doc);
      if (members.empty() && each.doc.empty()) out_ += "    pass\n";
      for (const Member& member : members) {
        if (!member.doc.empty()) out_ += "    # " + comment_text(member.doc) + "\n";
        out_ += "    " + member.name + ": " + member_type(member) + "\n";
      }
      return;
    }
    out_ += each.name + " = TypedDict(\n    " + quoted(each.name) + ",\n    {\n";
    for (const Member& member : members)
      out_ += "        " + quoted(member.name) + ": " + quoted(member_type(member)) + ",\n";
    out_ += "    },\n)\n";
  }

  // What is declared, and what is sent.
  struct Call {
    std::string declared;
    std::string sent;
  };
  static Call call_of(const std::vector<Member>& parameters, bool by_place) {
    Call call;
    exports::UniqueNames names({"self", "found"});
    // What may be left out comes last.
    std::string optional;
    for (const Member& each : parameters) {
      const std::string name = names.claim(safe_name(each.name));
      const std::string type = python_type(each.shape);
      if (each.is_optional) {
        optional += ", " + name + ": " + type + " | None = None";
      } else {
        call.declared += ", " + name + ": " + type;
      }
      call.sent += (call.sent.empty() ? "" : ", ") + (by_place ? name : quoted(each.name) + ": " + name);
    }
    call.declared += optional;
    call.sent = by_place ? "[" + call.sent + "]" : "{" + call.sent + "}";
    return call;
  }

  void write_client() {
    std::set<std::string> taken(kTypeNames.begin(), kTypeNames.end());
    taken.insert({"ask", "act"});
    exports::UniqueNames methods(std::move(taken));
    out_ += "\n\nclass " + client_ + "(ModelClient):\n";
    doc("    ", shapes_.doc);
    out_ += "    _model = " + quoted(shapes_.name) + "\n";
    for (const PatternShape& each : shapes_.patterns) {
      const Call call = call_of(each.parameters, false);
      const std::string type = python_type(each.document);
      const std::string name = methods.claim(safe_name(exports::snake_case(each.name)));
      out_ += "\n    def " + name + "(self" + call.declared + ") -> " +
              (each.is_single ? type + " | None" : "Pages[" + type + "]") + ":\n";
      doc("        ", each.doc);
      if (each.is_single) {
        out_ += "        found: Page[" + type + "] = self.ask(" + quoted(each.name) + ", " + call.sent +
                ")\n        return found.documents[0] if found.documents else None\n";
      } else {
        out_ += "        return Pages(self, " + quoted(each.name) + ", " + call.sent + ")\n";
      }
    }
    for (const OperationShape& each : shapes_.operations) {
      const Call call = call_of(each.parameters, each.is_basic);
      const std::string name = methods.claim(safe_name(exports::snake_case(each.name)));
      out_ += "\n    def " + name + "(self" + call.declared + ") -> Outcome:\n";
      doc("        ", each.doc);
      out_ += "        return self.act(" + quoted(each.name) + ", " + call.sent + ")\n";
    }
  }

  const ModelShapes& shapes_;
  const std::string& client_;
  std::string out_;
};

}  // namespace

std::vector<std::string> python_names() {
  std::vector<std::string> names = {
      "Any",        "ConflictError", "Cost",        "Credentials",    "ForbiddenError",
      "Generic",    "InvalidError",  "Iterator",    "Literal",        "ModelClient",
      "ModelError", "NotFoundError", "NotRequired", "Outcome",        "Page",
      "Pages",      "ServerError",   "T",           "ThrottledError", "TypeAlias",
      "TypeVar",    "TypedDict"};
  names.insert(names.end(), kKeywords.begin(), kKeywords.end());
  return names;
}

std::string python_of(const ModelShapes& shapes, const std::string& client) {
  return PythonWriter(shapes, client).run();
}

}  // namespace sheaf::clients

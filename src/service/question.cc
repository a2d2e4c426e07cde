#include "service/question.h"

#include <algorithm>
#include <optional>

#include "base/errors.h"
#include "base/try.h"
#include "run/plain_json.h"

namespace sheaf::service {
namespace {

using clients::Member;
using clients::Shape;

std::optional<size_t> find_parameter(const Asked& asked, std::string_view name) {
  for (size_t i = 0; i < asked.parameters.size(); ++i) {
    if (asked.parameters[i].name == name) return i;
  }
  return std::nullopt;
}

Error unknown_parameter(const Asked& asked, std::string_view name) {
  std::string known;
  for (const Member& each : asked.parameters) known += (known.empty() ? "" : ", ") + each.name;
  return invalid(asked.name + " has no parameter " + std::string(name) +
                 (known.empty() ? ": it takes none" : "; it takes " + known));
}

Result<void> read_with(const Asked& asked, ValueView with, Question& question) {
  if (with.type() == Type::kList) {
    if (with.list().size() > asked.parameters.size())
      return invalid(asked.name + " takes " + std::to_string(asked.parameters.size()) + " parameters, and " +
                     std::to_string(with.list().size()) + " are given");
    size_t next = 0;
    for (const ValueView value : with.list()) question.arguments[next++] = Value(value);
    return {};
  }
  if (with.type() != Type::kMap)
    return invalid("with is an object, or a list in the order of the parameters");
  for (const Attribute part : with.map()) {
    const auto found = find_parameter(asked, part.name);
    if (!found) return unknown_parameter(asked, part.name);
    question.arguments[*found] = Value(part.value);
  }
  return {};
}

// Operations of every model count their arguments: what is left out at the end is not there.
void drop_missing(Question& question) {
  while (!question.arguments.empty() && question.arguments.back().type() == Type::kNull)
    question.arguments.pop_back();
}

const Shape& resolved(const clients::ModelShapes& shapes, const Shape& shape) {
  const Shape* found = shape.kind == Shape::Kind::kNamed ? shapes.find(shape.name) : nullptr;
  return found != nullptr ? *found : shape;
}

// JSON, unless the type says that it is text. What is no JSON either is left to the check of types.
Value typed(const Shape& shape, const std::string& text) {
  if (shape.kind == Shape::Kind::kText || shape.kind == Shape::Kind::kEnum) return Value(text);
  Result<Value> value = run::from_plain_json(text);
  return value.ok() ? std::move(*value) : Value(text);
}

Result<bool> flag_of(const std::string& name, const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return invalid(name + " is true or false");
}

}  // namespace

Result<Question> read_body(const Asked& asked, std::string_view json) {
  Question question;
  question.arguments.resize(asked.parameters.size());
  const bool is_blank = json.find_first_not_of(" \t\r\n") == std::string_view::npos;
  const Value body = is_blank ? Value(Item()) : TRY(run::from_plain_json(json));
  if (body.type() != Type::kMap) return invalid("the body is an object: {\"with\": {..}}");
  for (const Attribute part : body.view().map()) {
    const bool is_flag = part.value.type() == Type::kBool;
    if (part.name == "with") {
      TRY(read_with(asked, part.value, question));
    } else if (part.name == "cursor" && asked.has_cursor) {
      if (part.value.type() != Type::kString) return invalid("cursor is a string");
      question.cursor = part.value.bytes();
    } else if (part.name == "plan" && is_flag) {
      question.wants_plan = part.value.boolean();
    } else if (part.name == "cost" && is_flag) {
      question.wants_cost = part.value.boolean();
    } else if (part.name == "plan" || part.name == "cost") {
      return invalid(std::string(part.name) + " is true or false");
    } else {
      return invalid("there is no member " + std::string(part.name) + "; there are with, " +
                     (asked.has_cursor ? "cursor, " : "") + "plan, cost");
    }
  }
  drop_missing(question);
  return question;
}

Result<Question> read_query(const Asked& asked, const Query& query) {
  Question question;
  question.arguments.resize(asked.parameters.size());
  std::vector<std::vector<std::string>> given(asked.parameters.size());
  for (const auto& [name, value] : query) {
    if (name == "cursor" && asked.has_cursor) {
      question.cursor = value;
    } else if (name == "plan") {
      question.wants_plan = TRY(flag_of(name, value));
    } else if (name == "cost") {
      question.wants_cost = TRY(flag_of(name, value));
    } else if (const auto found = find_parameter(asked, name)) {
      given[*found].push_back(value);
    } else {
      return unknown_parameter(asked, name);
    }
  }
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i].empty()) continue;
    const Shape& shape = resolved(asked.shapes, asked.parameters[i].shape);
    if (given[i].size() == 1) {
      question.arguments[i] = typed(shape, given[i].front());
      continue;
    }
    if (shape.kind != Shape::Kind::kTuple || shape.elements.size() != given[i].size())
      return invalid("the parameter " + asked.parameters[i].name + " is given " +
                     std::to_string(given[i].size()) + " times");
    std::vector<Value> parts;
    for (size_t part = 0; part < given[i].size(); ++part)
      parts.push_back(typed(shape.elements[part], given[i][part]));
    question.arguments[i] = Value::list(parts);
  }
  drop_missing(question);
  return question;
}

}  // namespace sheaf::service

#include "prove/random_conditions.h"

#include <algorithm>

#include "language/syntax_words.h"
#include "model/value_type.h"
#include "prove/random_names.h"
#include "prove/random_types.h"
#include "prove/random_values.h"

namespace sheaf::prove {
namespace {

using language::Type;
using Kind = language::Type::Kind;

constexpr size_t kOptionalMax = 3;

bool takes_now(const Type& type) {
  return type.kind == Kind::kTime || type.kind == Kind::kDate || model::is_numeric(type);
}

}  // namespace

std::string Parameters::add_entity(Draw& draw, const model::Model& model, model::EntityId entity) {
  static const std::vector<std::string> words = {"e", "o", "who", "x", "entity", "a"};
  const std::string name = fresh_name(draw, words, taken_, NamePlace::kOther);
  all.push_back({.name = name, .type = written_name(model.entities[entity].name), .entity = entity});
  return "$" + written_name(name);
}

std::string Parameters::add_value(Draw& draw, const language::Type& type, bool is_optional) {
  static const std::vector<std::string> words = {"v", "p", "from", "to", "least", "most", "wanted", "n"};
  const std::string name = fresh_name(draw, words, taken_, NamePlace::kOther);
  all.push_back({.name = name, .type = written_type(type), .value_type = type, .is_optional = is_optional});
  return "$" + written_name(name);
}

size_t Parameters::optional_count() const {
  return static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [](const ParameterDraft& each) { return each.is_optional; }));
}

std::string Parameters::text() const {
  std::string text;
  for (const ParameterDraft& each : all)
    text += (text.empty() ? "" : ", ") + written_name(each.name) + ": " + each.type +
            (each.is_optional ? "?" : "");
  return "(" + text + ")";
}

std::vector<Test> tests_of(const language::Type& type) {
  std::vector<Test> tests = {Test::kEqual, Test::kNotEqual, Test::kIn, Test::kExists, Test::kMissing};
  if (model::is_scalar(type) || type.kind == Kind::kAny)
    tests.insert(tests.end(),
                 {Test::kLess, Test::kLessOrEqual, Test::kGreater, Test::kGreaterOrEqual, Test::kBetween});
  if (model::is_textual(type) || type.kind == Kind::kAny)
    tests.insert(tests.end(), {Test::kBegins, Test::kBegins});
  return tests;
}

std::optional<std::string> ConditionMaker::condition(const PlaceChoice& choice, const std::string& prefix) {
  if (choice.place.kind == model::Place::Kind::kEntity)
    return condition(choice, prefix, draw_.chance.one_in(2) ? Test::kExists : Test::kMissing);
  const std::vector<Test> tests = tests_of(choice.place.type);
  return condition(choice, prefix, draw_.chance.of(tests));
}

std::optional<std::string> ConditionMaker::condition(const PlaceChoice& choice, const std::string& prefix,
                                                     Test test) {
  std::string text = prefix + written_names(choice.names) + " " +
                     std::string(language::word_for(language::kTestWords, test));
  const Type& type = choice.place.type;
  switch (test) {
    case Test::kExists:
    case Test::kMissing:
      return text;
    case Test::kBetween: {
      const auto bounds = between(type);
      return bounds ? std::optional(text + " " + *bounds) : std::nullopt;
    }
    case Test::kIn: {
      const size_t count = draw_.chance.between(1, 3);
      std::string list;
      for (size_t i = 0; i < count; ++i) {
        const auto each = operand(type);
        if (!each) return std::nullopt;
        list += (i > 0 ? ", " : "") + *each;
      }
      return text + " (" + list + ")";
    }
    case Test::kBegins: {
      // In operations the operand has the type of the field.
      is_beginning_ = true;
      const auto each = operand(place_ == OperandPlace::kOperation ? type : Type{});
      is_beginning_ = false;
      return each ? std::optional(text + " " + *each) : std::nullopt;
    }
    default: {
      const auto each = operand(type);
      return each ? std::optional(text + " " + *each) : std::nullopt;
    }
  }
}

std::string ConditionMaker::conditions(const std::vector<PlaceChoice>& choices, const std::string& prefix,
                                       size_t count) {
  std::string text;
  for (size_t i = 0; i < count && !choices.empty(); ++i) {
    const auto made = condition(any_place(draw_.chance, choices), prefix);
    if (made) text += (text.empty() ? "" : " and ") + *made;
  }
  return text;
}

// The first of two literals must not be the greater one.
std::optional<std::string> ConditionMaker::between(const Type& type) {
  if (place_ != OperandPlace::kLiteral) {
    const auto low = operand(type);
    const auto high = parameters_.add_value(draw_, parameter_type(type), false);
    if (!low) return std::nullopt;
    return *low + " and " + high;
  }
  const Value a = random_value(ValueKind{.type = type}, draw_.chance);
  const Value b = random_value(ValueKind{.type = type}, draw_.chance);
  const auto order = compare(a, b);
  const auto low = written_value(order && *order > 0 ? b : a),
             high = written_value(order && *order > 0 ? a : b);
  if (!low || !high) return std::nullopt;
  return *low + " and " + *high;
}

// A parameter need not have the very type of the field: only one that can be compared with it.
Type ConditionMaker::parameter_type(const Type& type) {
  if (type.kind == Kind::kAny) {
    static const std::vector<Kind> kinds = {Kind::kAny, Kind::kString, Kind::kInt};
    return {.kind = draw_.chance.of(kinds)};
  }
  if (!draw_.chance.one_in(6)) return type;
  if (model::is_textual(type)) return {};
  if (model::is_numeric(type)) return {.kind = type.kind == Kind::kInt ? Kind::kNumber : Kind::kInt};
  return type;
}

std::optional<std::string> ConditionMaker::literal(const Type& type) {
  if (type.kind == Kind::kAny) return random_literal(draw_, {.kind = Kind::kString});
  return random_literal(draw_, type);
}

// $p.id in a pattern; any field of an entity parameter in an operation.
std::optional<std::string> ConditionMaker::field_of_parameter(const Type& type) {
  if (parameters_.all.size() < 3 && draw_.chance.one_in(4) && place_ == OperandPlace::kPattern) {
    const auto entity = draw_.chance.below(model_.entities.size());
    for (const model::FieldPath& path : model_.entities[entity].identity) {
      if (!model::are_comparable(model_.field(entity, path).type, type)) continue;
      return parameters_.add_entity(draw_, model_, entity) + "." +
             written_names(names_of(model_, entity, path));
    }
  }
  std::vector<std::string> found;
  for (const ParameterDraft& each : parameters_.all) {
    if (!each.entity) continue;
    for (const PlaceChoice& choice : places_of(model_, *each.entity, std::nullopt, 1)) {
      if (choice.place.kind == model::Place::Kind::kEntity || !model::are_comparable(choice.place.type, type))
        continue;
      if (place_ == OperandPlace::kPattern && !choice.is_id) continue;
      if (assigned == "$" + written_name(each.name) && !choice.place.ends.empty()) continue;
      found.push_back("$" + written_name(each.name) + "." + written_names(choice.names));
    }
  }
  if (found.empty()) return std::nullopt;
  return draw_.chance.of(found);
}

std::optional<std::string> ConditionMaker::operand(const Type& type) {
  if (place_ == OperandPlace::kLiteral) {
    if (takes_now(type) && draw_.chance.one_in(8)) return "now";
    return literal(type);
  }
  const size_t kind = draw_.chance.below(20);
  const size_t fields = place_ == OperandPlace::kOperation ? 7 : 3;
  if (kind < fields) {
    if (auto made = field_of_parameter(type)) return made;
  }
  if (kind >= 7 && kind < 11) {
    if (auto made = literal(type)) return made;
  }
  if (kind >= 11 && kind < 13 && takes_now(type) && !is_beginning_) return "now";
  const bool may_be_optional = parameters_.optional_count() < kOptionalMax;
  const bool is_optional = kind >= 16 && may_be_optional && draw_.may(Topic::kOptionalParameters);
  return parameters_.add_value(draw_, parameter_type(type), is_optional);
}

std::optional<std::string> ConditionMaker::expression(const Type& type) {
  auto text = operand(type);
  if (!text || !model::is_numeric(type)) return text;
  static const std::vector<std::string> signs = {" + ", " - ", " * "};
  while (draw_.chance.one_in(3)) {
    const std::string& sign = draw_.chance.of(signs);
    const auto next = operand(type);
    if (next) *text += sign + *next;
  }
  return text;
}

}  // namespace sheaf::prove

#include "model/place_resolver.h"

#include <algorithm>

#include "base/article.h"
#include "model/value_type.h"

namespace sheaf::model {

using language::Name;
using language::Type;

namespace {

// Each subset of the optional ones is planned: 256 plans at most.
constexpr size_t kOptionalMax = 8;

}  // namespace

std::vector<Parameter> PlaceResolver::parameters(const std::vector<language::Parameter>& declared) {
  used_.clear();
  std::vector<Parameter> parameters;
  size_t optional_count = 0;
  for (const language::Parameter& syntax : declared) {
    if (syntax.is_optional && ++optional_count == kOptionalMax + 1)
      mistakes_.tell("too-many-parameters", syntax.name.span,
                     "this is the ninth optional parameter, and each subset of them would need a plan",
                     "let some be required, or write several patterns");
    Parameter parameter{.syntax = &syntax, .name = syntax.name.text, .is_optional = syntax.is_optional};
    for (const Parameter& other : parameters) {
      if (other.name == parameter.name)
        mistakes_.tell_duplicate("parameters", syntax.name, other.syntax->name.span);
    }
    if (const auto* name = std::get_if<Name>(&syntax.type)) {
      parameter.entity = model_.find_entity(name->text);
      if (!parameter.entity) {
        parameter.is_unknown = true;
        parameter.type.kind = Type::Kind::kAny;
        std::vector<std::string_view> names = names_.entity_names();
        for (const char* scalar : {"string", "number", "int", "bool", "time", "date", "ulid", "uuid"})
          names.push_back(scalar);
        if (model_.syntax().damage.has_lost_entity) {
          mistakes_.pass_over();
        } else {
          mistakes_.tell_unknown("unknown-entity", "entity or type", *name, names);
        }
      }
    } else {
      parameter.type = std::get<Type>(syntax.type);
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::optional<size_t> PlaceResolver::parameter(const std::vector<Parameter>& parameters, const Name& name) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == name.text) {
      used_.insert(i);
      return i;
    }
    names.push_back(parameters[i].name);
  }
  mistakes_.tell_unknown("unknown-parameter", "parameter", name, names);
  return std::nullopt;
}

void PlaceResolver::check_used(const std::vector<Parameter>& parameters) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!used_.contains(i))
      mistakes_.warn("unused-parameter", parameters[i].syntax->name.span,
                     "the parameter " + parameters[i].name + " is not used", "remove it");
  }
}

bool PlaceResolver::check_single(const Place& place, std::span<const Name> names) {
  for (size_t i = 0; i < place.ends.size(); ++i) {
    if (!model_.end(place.ends[i]).leads_to_many) continue;
    mistakes_.tell("bad-operand", names[i].span,
                   "the end " + names[i].text + " leads to many: which of them?",
                   "read from there: $parameter." + names[i].text + " where ...");
    return false;
  }
  return true;
}

std::optional<Place> PlaceResolver::inside(Place place, const Field& field, std::span<const Name> names) {
  place.type = field.type;
  for (const Name& name : names) {
    if (place.kind == Place::Kind::kField) place.kind = Place::Kind::kInside;
    place.inside.push_back(name.text);
    if (place.type.kind == Type::Kind::kAny) continue;
    if (place.type.kind == Type::Kind::kMap) {
      place.type = Type(place.type.element.front());
      continue;
    }
    if (place.type.kind != Type::Kind::kObject) {
      mistakes_.tell("unknown-field", name.span,
                     "there is nothing inside " + with_article(text_of(place.type)),
                     "stop before " + name.text);
      return std::nullopt;
    }
    std::vector<std::string_view> candidates;
    std::optional<Type> found;
    for (const language::Field& each : place.type.fields) {
      candidates.push_back(each.name.text);
      if (each.name == name) found = each.type.value_or(Type{});
    }
    if (!found) {
      mistakes_.tell_unknown("unknown-field", "field", name, candidates);
      return std::nullopt;
    }
    place.type = *found;
  }
  return place;
}

std::optional<Place> PlaceResolver::place(const Scope& scope, std::span<const Name> names) {
  Place place;
  EntityId entity = scope.entity;
  std::optional<EndId> reached_by = scope.reached_by;
  for (size_t i = 0; i < names.size(); ++i) {
    const Name& name = names[i];
    if (name.text == "edge" && reached_by && i + 1 < names.size() && !model_.find_field(entity, "edge")) {
      const std::vector<Field>& fields = model_.relations[reached_by->relation].edge_fields;
      std::vector<std::string_view> candidates;
      for (FieldId field = 0; field < fields.size(); ++field) {
        candidates.push_back(fields[field].name);
        if (fields[field].name != names[i + 1].text) continue;
        place.kind = Place::Kind::kEdgeField;
        place.field = field;
        return inside(std::move(place), fields[field], names.subspan(i + 2));
      }
      mistakes_.tell_unknown("unknown-field", "edge field", names[i + 1], candidates);
      return std::nullopt;
    }
    if (const auto field = model_.find_field(entity, name.text)) {
      place.kind = Place::Kind::kField;
      place.field = *field;
      return inside(std::move(place), model_.entities[entity].fields[*field], names.subspan(i + 1));
    }
    const auto end = model_.find_end(entity, name.text);
    if (!end) {
      names_.tell_unknown_member(entity, name);
      return std::nullopt;
    }
    place.ends.push_back(*end);
    reached_by = end;
    entity = model_.end(*end).target;
  }
  place.kind = Place::Kind::kEntity;
  return place;
}

Operand PlaceResolver::operand(const Scope& scope, const language::Operand& operand, const Type& type) {
  Operand made{.syntax = &operand};
  if (const auto* literal = std::get_if<language::Literal>(&operand)) {
    check_literal(*literal, type);
    return made;
  }
  const auto& path = std::get<language::Path>(operand);
  if (!path.from_parameter) {
    const std::string& name = path.names.front().text;
    const bool is_parameter = std::any_of(scope.parameters->begin(), scope.parameters->end(),
                                          [&](const Parameter& each) { return each.name == name; });
    mistakes_.tell("bad-operand", path.span, "a field cannot be compared with another one here",
                   is_parameter ? "write $" + name : "compare with a value in quotes or a $parameter");
    return made;
  }
  made.parameter = parameter(*scope.parameters, path.names.front());
  if (!made.parameter) return made;
  const Parameter& given = (*scope.parameters)[*made.parameter];
  if (given.is_unknown) return made;
  Type given_type = given.type;
  if (given.entity) {
    const Scope inner{.entity = *given.entity, .parameters = scope.parameters};
    const auto names = std::span(path.names).subspan(1);
    made.place = place(inner, names);
    if (!made.place || !check_single(*made.place, names)) return made;
    if (made.place->kind == Place::Kind::kEntity) {
      mistakes_.tell("wrong-type", path.span, "this is an entity, not a value",
                     "name one of its id fields: $" + given.name + ".FIELD");
      return made;
    }
    const std::vector<FieldPath>& identity = model_.entities[*given.entity].identity;
    const FieldPath wanted{.ends = made.place->ends, .field = made.place->field};
    const bool is_id = made.place->kind == Place::Kind::kField &&
                       std::find(identity.begin(), identity.end(), wanted) != identity.end();
    if (scope.knows_ids_only && !is_id) {
      mistakes_.tell("bad-operand", path.span,
                     "only the id of $" + given.name + " is known before it is read",
                     "take the value as a parameter of its own");
      return made;
    }
    given_type = made.place->type;
  } else if (path.names.size() > 1) {
    mistakes_.tell("unknown-field", path.names[1].span,
                   "there is nothing inside " + with_article(text_of(given.type)), "write $" + given.name);
    return made;
  }
  if (!are_comparable(given_type, type))
    mistakes_.tell("wrong-type", path.span,
                   "this is " + with_article(text_of(given_type)) + ", and no " + text_of(type),
                   given.entity ? "use a value of type " + text_of(type)
                                : "declare " + given.name + ": " + text_of(type));
  return made;
}

void PlaceResolver::check_literal(const language::Literal& literal, const Type& type) {
  const auto why = mismatch(literal, type);
  if (!why) return;
  std::vector<std::string_view> values;
  for (const Name& value : type.values) values.push_back(value.text);
  const std::string_view near =
      literal.kind == language::Literal::Kind::kString ? language::nearest(literal.text, values) : "";
  std::string fix =
      near.empty() ? "write a value of type " + text_of(type) : "write \"" + std::string(near) + "\"";
  if (literal.kind == language::Literal::Kind::kNull)
    fix = "write missing in conditions, and remove in operations";
  mistakes_.tell("wrong-type", literal.span, *why, std::move(fix));
}

// Nothing is between a value and a smaller one.
void PlaceResolver::check_between(const language::Condition& condition) {
  const auto* low = std::get_if<language::Literal>(&condition.operands[0]);
  const auto* high = std::get_if<language::Literal>(&condition.operands[1]);
  using Kind = language::Literal::Kind;
  if (low == nullptr || high == nullptr || low->kind != high->kind) return;
  const bool is_turned = low->kind == Kind::kNumber   ? std::stod(low->text) > std::stod(high->text)
                         : low->kind == Kind::kString ? low->text > high->text
                                                      : false;
  if (is_turned)
    mistakes_.tell("contradiction", low->span, "nothing is between these: the first is the greater one",
                   "swap them");
}

std::vector<Condition> PlaceResolver::conditions(const Scope& scope,
                                                 const std::vector<language::Condition>& declared) {
  using Test = language::Condition::Test;
  std::vector<Condition> conditions;
  for (const language::Condition& syntax : declared) {
    if (syntax.path.from_parameter) {
      mistakes_.tell("bad-operand", syntax.path.span, "a condition begins with a field",
                     "write FIELD = $" + syntax.path.names.front().text);
      continue;
    }
    auto found = place(scope, syntax.path.names);
    if (!found || !check_single(*found, syntax.path.names)) continue;
    if (found->kind == Place::Kind::kEntity) {
      const bool is_presence = syntax.test == Test::kExists || syntax.test == Test::kMissing;
      if (!is_presence) {
        mistakes_.tell("wrong-type", syntax.path.span, "this leads to an entity, not to a value",
                       "name one of its id fields: " + syntax.path.names.back().text + ".FIELD");
        continue;
      }
    }
    conditions.push_back(condition(scope, syntax, std::move(*found)));
  }
  return conditions;
}

Condition PlaceResolver::condition(const Scope& scope, const language::Condition& syntax, Place place) {
  using Test = language::Condition::Test;
  Condition condition{.syntax = &syntax, .place = std::move(place)};
  const Type type = condition.place.type;
  const bool is_order = syntax.test == Test::kLess || syntax.test == Test::kLessOrEqual ||
                        syntax.test == Test::kGreater || syntax.test == Test::kGreaterOrEqual ||
                        syntax.test == Test::kBetween;
  if (is_order && !has_order(type) && type.kind != Type::Kind::kAny)
    mistakes_.tell("wrong-type", syntax.span, with_article(text_of(type)) + " has no order",
                   "use =, or another field");
  if (syntax.test == Test::kBegins && !is_textual(type) && type.kind != Type::Kind::kAny)
    mistakes_.tell("wrong-type", syntax.span, "begins is for text, not for " + text_of(type),
                   "use between, or a comparison");
  if (syntax.test == Test::kBetween) check_between(syntax);
  for (const language::Operand& each : syntax.operands) {
    const Type wanted = syntax.test == Test::kBegins ? Type{} : type;
    condition.operands.push_back(operand(scope, each, wanted));
    condition.parameters.push_back(condition.operands.back().parameter);
  }
  return condition;
}

}  // namespace sheaf::model

#include "model/place_resolver.h"

#include <algorithm>

#include "model/value_type.h"

namespace sheaf::model {

using language::Name;
using language::Operand;
using language::Type;

std::vector<Parameter> PlaceResolver::parameters(const std::vector<language::Parameter>& declared) {
  std::vector<Parameter> parameters;
  for (const language::Parameter& syntax : declared) {
    Parameter parameter{.syntax = &syntax, .name = syntax.name.text, .is_optional = syntax.is_optional};
    for (const Parameter& other : parameters) {
      if (other.name == parameter.name)
        mistakes_.tell_duplicate("parameters", syntax.name, other.syntax->name.span);
    }
    if (const auto* name = std::get_if<Name>(&syntax.type)) {
      parameter.entity = model_.find_entity(name->text);
      if (!parameter.entity) {
        std::vector<std::string_view> names;
        for (const Entity& entity : model_.entities) names.push_back(entity.name);
        for (const char* scalar : {"string", "number", "int", "bool", "time", "date"})
          names.push_back(scalar);
        mistakes_.tell_unknown("unknown-entity", "entity or type", *name, names);
        parameter.type.kind = Type::Kind::kAny;
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
    if (parameters[i].name == name.text) return i;
    names.push_back(parameters[i].name);
  }
  mistakes_.tell_unknown("unknown-parameter", "parameter", name, names);
  return std::nullopt;
}

std::vector<std::string_view> PlaceResolver::member_names(EntityId entity) const {
  std::vector<std::string_view> names;
  for (const Field& field : model_.entities[entity].fields) names.push_back(field.name);
  for (const EndId end : model_.entities[entity].ends) names.push_back(model_.end(end).name);
  return names;
}

std::optional<Place> PlaceResolver::inside(Place place, const Field& field, std::span<const Name> names) {
  place.type = field.type;
  for (const Name& name : names) {
    place.kind = Place::Kind::kInside;
    place.inside.push_back(name.text);
    if (place.type.kind == Type::Kind::kAny) continue;
    if (place.type.kind == Type::Kind::kMap) {
      place.type = Type(place.type.element.front());
      continue;
    }
    if (place.type.kind != Type::Kind::kObject) {
      mistakes_.tell("unknown-field", name.span, "there is nothing inside a " + text_of(place.type),
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
      mistakes_.tell_unknown("unknown-field", "field or end of " + model_.entities[entity].name, name,
                             member_names(entity));
      return std::nullopt;
    }
    place.ends.push_back(*end);
    reached_by = end;
    entity = model_.end(*end).target;
  }
  place.kind = Place::Kind::kEntity;
  return place;
}

std::optional<size_t> PlaceResolver::operand(const Scope& scope, const Operand& operand, const Type& type) {
  if (const auto* literal = std::get_if<language::Literal>(&operand)) {
    if (const auto why = mismatch(*literal, type)) mistakes_.tell("wrong-type", literal->span, *why);
    return std::nullopt;
  }
  const auto& path = std::get<language::Path>(operand);
  if (!path.from_parameter) {
    mistakes_.tell("bad-operand", path.span, "a field cannot be compared with another one here",
                   "compare with a value or a $parameter");
    return std::nullopt;
  }
  const auto found = parameter(*scope.parameters, path.names.front());
  if (!found) return std::nullopt;
  const Parameter& given = (*scope.parameters)[*found];
  Type given_type = given.type;
  if (given.entity) {
    const Scope inner{.entity = *given.entity, .parameters = scope.parameters};
    const auto reached = place(inner, std::span(path.names).subspan(1));
    if (!reached) return std::nullopt;
    if (reached->kind == Place::Kind::kEntity) {
      mistakes_.tell("wrong-type", path.span, "this is an entity, not a value",
                     "name one of its id fields: $" + given.name + ".FIELD");
      return std::nullopt;
    }
    given_type = reached->type;
  } else if (path.names.size() > 1) {
    mistakes_.tell("unknown-field", path.names[1].span, "there is nothing inside a " + text_of(given.type));
    return std::nullopt;
  }
  if (!are_comparable(given_type, type))
    mistakes_.tell("wrong-type", path.span, "this is a " + text_of(given_type) + ", and no " + text_of(type));
  return found;
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
    if (!found) continue;
    if (found->kind == Place::Kind::kEntity) {
      const bool is_presence = syntax.test == Test::kExists || syntax.test == Test::kMissing;
      if (!is_presence) {
        mistakes_.tell("wrong-type", syntax.path.span, "this leads to an entity, not to a value",
                       "name one of its id fields");
        continue;
      }
    }
    Condition condition{.syntax = &syntax, .place = std::move(*found)};
    const Type type = condition.place.type;
    const bool is_order = syntax.test == Test::kLess || syntax.test == Test::kLessOrEqual ||
                          syntax.test == Test::kGreater || syntax.test == Test::kGreaterOrEqual ||
                          syntax.test == Test::kBetween;
    if (is_order && !is_scalar(type) && type.kind != Type::Kind::kAny)
      mistakes_.tell("wrong-type", syntax.span, "a " + text_of(type) + " has no order");
    if (syntax.test == Test::kBegins && !is_textual(type) && type.kind != Type::Kind::kAny)
      mistakes_.tell("wrong-type", syntax.span, "begins is for text, not for " + text_of(type));
    for (const Operand& each : syntax.operands) {
      const Type wanted = syntax.test == Test::kBegins ? Type{} : type;
      condition.parameters.push_back(operand(scope, each, wanted));
    }
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

}  // namespace sheaf::model

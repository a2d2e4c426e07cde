// Values of entities that a Generator makes, at the places that conditions name.
#pragma once

#include <optional>

#include "sheaf/value.h"

#include "generate/generator.h"

namespace sheaf::generate {

// An entity, and the edge over which it was reached.
struct Met {
  model::EntityId entity = 0;
  uint64_t ordinal = 0;
  std::optional<std::pair<model::RelationId, EdgePlace>> edge;
};

// Somebody to whom an end leads.
std::optional<Met> step(const Generator& generator, const Met& from, model::EndId end, Chance& chance);

// What is there; nothing if it is missing.
std::optional<Value> value_at(const Generator& generator, const Met& met, const model::Place& place,
                              Chance& chance);

// Whether a condition on what the model itself says, and on no parameter, holds; nothing if it is no such.
std::optional<bool> holds(const Generator& generator, const Met& met, const model::Condition& condition,
                          Chance& chance);

// A value for an operand of a condition that holds where `found` is there. The second operand of `between`
// is its upper one.
Value operand_for(language::Condition::Test test, bool is_second, const Value& found, const Value& other);

// As a parameter of this type takes it.
Value fitted(Value value, const model::Parameter& parameter);

}  // namespace sheaf::generate

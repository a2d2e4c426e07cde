// Paths, conditions and parameters, which patterns and operations share.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "model/mistakes.h"
#include "model/model.h"
#include "model/name_lookup.h"

namespace sheaf::model {

// Where a path stands: an entity, perhaps reached over an end (then `edge.f` is a field of that edge), among
// parameters.
struct Scope {
  EntityId entity = 0;
  std::optional<EndId> reached_by;
  const std::vector<Parameter>* parameters = nullptr;
  // Of a parameter that is an entity only the id is known, as in patterns.
  bool knows_ids_only = false;
};

class PlaceResolver {
 public:
  PlaceResolver(const Model& model, Mistakes& mistakes)
      : model_(model), mistakes_(mistakes), names_(model, mistakes) {}

  // Begins a pattern or an operation.
  std::vector<Parameter> parameters(const std::vector<language::Parameter>& declared);
  std::optional<size_t> parameter(const std::vector<Parameter>& parameters, const language::Name& name);

  // From an entity, by names: ends, then a field, then names inside it. Nothing if it leads nowhere, which is
  // told.
  std::optional<Place> place(const Scope& scope, std::span<const language::Name> names);
  std::vector<Condition> conditions(const Scope& scope, const std::vector<language::Condition>& declared);
  // The test of a condition and its operands, on the place that its path leads to.
  Condition condition(const Scope& scope, const language::Condition& syntax, Place place);
  // Tells if the operand's value cannot be of this type.
  Operand operand(const Scope& scope, const language::Operand& operand, const language::Type& type);

  // Tells if a path to a single value goes over an end that leads to many.
  bool check_single(const Place& place, std::span<const language::Name> names);
  // Warns of parameters that nothing used.
  void check_used(const std::vector<Parameter>& parameters);

 private:
  void check_literal(const language::Literal& literal, const language::Type& type);
  void check_between(const language::Condition& condition);
  std::optional<Place> inside(Place place, const Field& field, std::span<const language::Name> names);

  const Model& model_;
  Mistakes& mistakes_;
  NameLookup names_;
  std::set<size_t> used_;  // parameters
};

}  // namespace sheaf::model

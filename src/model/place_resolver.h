// Paths, conditions and parameters, which patterns and operations share.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

// Where a path stands: an entity, perhaps reached over an end (then `edge.f` is a field of that edge), among
// parameters.
struct Scope {
  EntityId entity = 0;
  std::optional<EndId> reached_by;
  const std::vector<Parameter>* parameters = nullptr;
};

class PlaceResolver {
 public:
  PlaceResolver(const Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  std::vector<Parameter> parameters(const std::vector<language::Parameter>& declared);
  std::optional<size_t> parameter(const std::vector<Parameter>& parameters, const language::Name& name);

  // From an entity, by names: ends, then a field, then names inside it. Nothing if it leads nowhere, which is
  // told.
  std::optional<Place> place(const Scope& scope, std::span<const language::Name> names);
  std::vector<Condition> conditions(const Scope& scope, const std::vector<language::Condition>& declared);
  // Tells if the operand's value cannot be of this type; returns the parameter that it is, if so.
  std::optional<size_t> operand(const Scope& scope, const language::Operand& operand,
                                const language::Type& type);

  std::vector<std::string_view> member_names(EntityId entity) const;

 private:
  std::optional<Place> inside(Place place, const Field& field, std::span<const language::Name> names);

  const Model& model_;
  Mistakes& mistakes_;
};

}  // namespace sheaf::model

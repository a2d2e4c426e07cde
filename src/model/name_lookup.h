// Names of entities, ends and fields, looked up. What is not there is told with the nearest name, unless it
// may have been in something that could not be read.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

class NameLookup {
 public:
  NameLookup(const Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  std::optional<EntityId> entity(const language::Name& name);
  // A member of `entity`; a field with this name is told as such.
  std::optional<EndId> end(EntityId entity, const language::Name& name);
  // One of the two ends of a relation. `words` could stand there, too.
  std::optional<int> side(const Relation& relation, const language::Name& name,
                          const std::vector<std::string_view>& words = {});

  // Of an entity, by a name that is neither a field nor an end of it.
  void tell_unknown_member(EntityId entity, const language::Name& name);
  void tell_unknown_field(EntityId entity, const language::Name& name);

  std::vector<std::string_view> entity_names() const;
  std::vector<std::string_view> end_names(EntityId entity) const;
  std::vector<std::string_view> field_names(EntityId entity) const;

 private:
  const Model& model_;
  Mistakes& mistakes_;
};

}  // namespace sheaf::model

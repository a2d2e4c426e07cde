// Looks up the holes of key templates, for items of an entity and for edges of a relation.
#pragma once

#include <optional>
#include <span>

#include "model/key_template.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

// The owner of a template: an entity, or the edges of a relation.
struct TemplateOwner {
  std::optional<EntityId> entity;
  std::optional<RelationId> relation;
  bool is_by_field = false;  // the entity has an item for each field: <attribute> is which one
};

class TemplateResolver {
 public:
  TemplateResolver(const Model& model, Mistakes& mistakes) : model_(model), mistakes_(mistakes) {}

  // Nothing if a hole leads nowhere, which is told.
  std::optional<KeyTemplate> resolve(const TemplateOwner& owner, const language::Template& syntax);

  // <name>, written by Sheaf itself.
  Hole hole(const HoleSource& source, const TemplateOwner& owner) const;
  // <attribute>, of an entity that is stored field by field.
  Hole attribute(EntityId entity) const;
  // How an entity's identity is reached from an owner: one hole a field.
  std::vector<Hole> identity(const HoleSource& start, EntityId entity, const TemplateOwner& owner) const;

 private:
  std::optional<Hole> resolve(const TemplateOwner& owner, const language::Hole& syntax);
  std::optional<HoleSource> source(const TemplateOwner& owner, std::span<const language::Name> names);
  std::optional<FieldPath> path(EntityId entity, std::span<const language::Name> names);
  bool check_format(const Hole& hole, const language::Hole& syntax);

  const Model& model_;
  Mistakes& mistakes_;
};

}  // namespace sheaf::model

#include "model/layout.h"

#include <algorithm>

#include "model/strategies/strategy.h"

namespace sheaf::model {

bool ItemKind::holds_in_key(const HoleSource& source) const {
  const auto holds = [&](const KeyTemplate& key) {
    const std::vector<const Hole*> holes = key.holes();
    return std::any_of(holes.begin(), holes.end(), [&](const Hole* hole) {
      return hole->source == source && hole->holds_value() && hole->format != language::Hole::Format::kRaw &&
             !(hole->field.syntax != nullptr && hole->field.syntax->stored_as);
    });
  };
  return holds(pk) || (sk && holds(*sk));
}

size_t Layout::edge_kind(EndId end) const {
  const StoredRelation& stored = relations[end.relation];
  return stored.twin_kind && item_kinds[*stored.twin_kind].leads == end.side ? *stored.twin_kind
                                                                             : *stored.edge_kind;
}

EndStorage Layout::storage(EndId end) const {
  const StoredRelation& stored = relations[end.relation];
  return stored.strategy->storage(stored, end.side);
}

std::optional<EndId> Layout::embedding_end(const Model& model, EntityId entity) const {
  for (const EndId end : model.entities[entity].ends) {
    if (storage(end) == EndStorage::kEmbedded) return end.other();
  }
  return std::nullopt;
}

bool Layout::is_copied(const Model& model, EntityId entity, std::optional<FieldId> field) const {
  for (const StoredRelation& stored : relations) {
    for (const CopiedFields& copied : stored.copies) {
      if (model.relations[stored.relation].ends[copied.side].target != entity) continue;
      if (!field || std::find(copied.fields.begin(), copied.fields.end(), *field) != copied.fields.end())
        return true;
    }
  }
  return false;
}

bool Layout::has_version(const Model& model, EntityId entity) const {
  return model.entities[entity].syntax->versioned || is_copied(model, entity);
}

}  // namespace sheaf::model

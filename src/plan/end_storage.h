// Where a layout keeps that two entities are related.
#pragma once

#include "model/layout.h"
#include "model/model.h"

namespace sheaf::plan {

enum class EndStorage : uint8_t {
  kOwnItem,    // the item of the end's holder names what it leads to
  kOtherItem,  // the item that it leads to names the holder
  kEdge,       // an item of its own
  kEmbedded,   // one lies in the other's item
};

inline EndStorage end_storage(const model::Layout& layout, model::EndId end) {
  const model::StoredRelation& stored = layout.relations[end.relation];
  using Via = language::Via::Kind;
  switch (stored.via) {
    case Via::kEdges:
    case Via::kGraph:
      return EndStorage::kEdge;
    case Via::kEmbed:
      return EndStorage::kEmbedded;
    case Via::kIds:
      return stored.ids_side == end.side ? EndStorage::kOwnItem : EndStorage::kOtherItem;
    default:
      return end.side == 1 ? EndStorage::kOwnItem : EndStorage::kOtherItem;
  }
}

// The end of a relation whose holder's item names the other; for storage in an item.
inline model::EndId naming_end(const model::Layout& layout, model::EndId end) {
  return end_storage(layout, end) == EndStorage::kOwnItem ? end : end.other();
}

// Whether fields of this entity are copied somewhere: then it has a version.
inline bool is_copied(const model::Model& model, const model::Layout& layout, model::EntityId entity) {
  for (const model::StoredRelation& stored : layout.relations) {
    for (const model::CopiedFields& copied : stored.copies) {
      if (model.relations[stored.relation].ends[copied.side].target == entity) return true;
    }
  }
  return false;
}

inline bool has_version(const model::Model& model, const model::Layout& layout, model::EntityId entity) {
  return model.entities[entity].syntax->versioned || is_copied(model, layout, entity);
}

}  // namespace sheaf::plan

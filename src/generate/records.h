// What a Generator makes, as one layout stores it: with references, copies, versions, and what is embedded.
#pragma once

#include <cstdint>

#include "generate/generator.h"
#include "model/layout.h"
#include "run/item_codec.h"
#include "run/record.h"

namespace sheaf::generate {

// Thread-safe.
class Records {
 public:
  // Both outlive it.
  Records(const Generator& generator, const model::Layout& layout)
      : generator_(generator), model_(generator.model()), layout_(layout), codec_(model_, layout) {}

  // Whether entities of this kind have items of their own, and whether links of this relation have.
  bool has_entity_items(model::EntityId entity) const { return layout_.has_items(entity); }
  bool has_edge_items(model::RelationId relation) const { return layout_.is_edge({.relation = relation}); }

  run::Record record(model::EntityId entity, uint64_t ordinal) const;
  run::Edge edge(model::RelationId relation, const EdgePlace& place, const Link& link) const;

 private:
  void copy(model::EndId end, uint64_t target, run::Fields& fields, int64_t& version) const;
  void add_entries(model::EndId end, uint64_t ordinal, run::Record& record) const;
  // Without copies.
  run::Edge bare_edge(model::RelationId relation, const EdgePlace& place, const Link& link) const;

  const Generator& generator_;
  const model::Model& model_;
  const model::Layout& layout_;
  const run::ItemCodec codec_;
};

}  // namespace sheaf::generate

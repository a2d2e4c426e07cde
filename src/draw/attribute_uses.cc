#include "draw/attribute_uses.h"

#include <algorithm>

#include "run/record.h"

namespace sheaf::draw {
namespace {

using model::EndId;
using model::EntityId;
using model::HoleSource;
using Kind = AttributeUse::Kind;

class UseCollector {
 public:
  UseCollector(const model::Model& model, const model::Layout& layout, const model::ItemKind& kind)
      : model_(model), layout_(layout), kind_(kind) {}

  std::vector<AttributeUse> run() {
    const model::Table& table = layout_.tables[kind_.table];
    add({.kind = Kind::kKey, .attribute = table.pk.name});
    if (table.sk) add({.kind = Kind::kKey, .attribute = table.sk->name});
    if (table.tag) add({.kind = Kind::kTag, .attribute = *table.tag});
    if (kind_.entity) {
      add_entity(*kind_.entity);
    } else {
      add_edge(*kind_.relation);
    }
    for (const model::IndexEntry& entry : kind_.entries) {
      const model::Index& index = table.indexes[entry.index];
      add({.kind = Kind::kIndexKey, .attribute = index.pk.name, .index = entry.index});
      if (index.sk) add({.kind = Kind::kIndexKey, .attribute = index.sk->name, .index = entry.index});
    }
    return std::move(uses_);
  }

 private:
  void add(AttributeUse use) {
    const bool is_there = std::any_of(uses_.begin(), uses_.end(), [&](const AttributeUse& each) {
      return each.attribute == use.attribute;
    });
    if (!is_there) uses_.push_back(std::move(use));
  }

  void add_field(const model::Field& field, model::FieldId id, const HoleSource& source) {
    if (!kind_.holds_in_key(source)) add({.kind = Kind::kField, .attribute = field.attribute, .field = id});
  }

  // `source`: where a hole would find the identity of what `end` leads to.
  void add_reference(EndId end, HoleSource source) {
    const EntityId target = model_.end(end).target;
    const auto steps = source.path.ends;
    for (size_t part = 0; part < model_.entities[target].identity.size(); ++part) {
      source.path = model_.entities[target].identity[part];
      source.path.ends.insert(source.path.ends.begin(), steps.begin(), steps.end());
      if (kind_.holds_in_key(source)) continue;
      add({.kind = Kind::kReference,
           .attribute = model_.end(end).name + "_" + run::identity_attribute(model_, target, part),
           .end = end});
    }
  }

  void add_copies(EndId end) {
    const model::Entity& source = model_.entities[model_.end(end).target];
    for (const model::CopiedFields& copied : layout_.relations[end.relation].copies) {
      if (copied.side != end.side) continue;
      for (const model::FieldId field : copied.fields) {
        add({.kind = Kind::kCopy,
             .attribute = model_.end(end).name + "_" + source.fields[field].name,
             .field = field,
             .end = end});
      }
    }
  }

  void add_entity(EntityId id) {
    const model::Entity& entity = model_.entities[id];
    for (model::FieldId field = 0; field < entity.fields.size(); ++field)
      add_field(entity.fields[field], field, {.path = {.field = field}});
    for (const EndId end : entity.ends) {
      const model::EndStorage storage = layout_.storage(end);
      if (storage == model::EndStorage::kIds) {
        add({.kind = Kind::kIds, .attribute = model_.end(end).name, .end = end});
      } else if (storage == model::EndStorage::kEmbeds) {
        add({.kind = Kind::kEmbedded, .attribute = model_.end(end).name, .end = end});
      } else if (storage == model::EndStorage::kReference) {
        add_reference(end, {.path = {.ends = {end}}});
        add_copies(end);
      }
    }
  }

  void add_edge(model::RelationId id) {
    const model::Relation& relation = model_.relations[id];
    for (model::FieldId field = 0; field < relation.edge_fields.size(); ++field) {
      add_field(relation.edge_fields[field], field,
                {.root = HoleSource::Root::kEdgeField, .path = {.field = field}});
    }
    for (const int side : {0, 1}) {
      add_reference({.relation = id, .side = side}, {.root = HoleSource::Root::kEdgeEnd, .side = side});
      add_copies({.relation = id, .side = side});
    }
  }

  const model::Model& model_;
  const model::Layout& layout_;
  const model::ItemKind& kind_;
  std::vector<AttributeUse> uses_;
};

}  // namespace

std::vector<AttributeUse> attribute_uses(const model::Model& model, const model::Layout& layout,
                                         const model::ItemKind& kind) {
  return UseCollector(model, layout, kind).run();
}

std::vector<std::string> key_attributes_with(const model::Layout& layout, const model::ItemKind& kind,
                                             const HoleSource& source) {
  std::vector<std::string> attributes;
  const auto look = [&](const model::KeyTemplate& key, const model::KeyAttribute& attribute) {
    const auto holes = key.holes();
    const bool holds = std::any_of(holes.begin(), holes.end(),
                                   [&](const model::Hole* hole) { return hole->source == source; });
    const bool is_new = std::find(attributes.begin(), attributes.end(), attribute.name) == attributes.end();
    if (holds && is_new) attributes.push_back(attribute.name);
  };
  const model::Table& table = layout.tables[kind.table];
  look(kind.pk, table.pk);
  if (kind.sk) look(*kind.sk, *table.sk);
  for (const model::IndexEntry& entry : kind.entries) {
    look(entry.pk, table.indexes[entry.index].pk);
    if (entry.sk) look(*entry.sk, *table.indexes[entry.index].sk);
  }
  return attributes;
}

}  // namespace sheaf::draw

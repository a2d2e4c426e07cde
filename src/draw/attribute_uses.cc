#include "draw/attribute_uses.h"

#include <algorithm>

#include "run/item_shape.h"

namespace sheaf::draw {
namespace {

using model::HoleSource;
using UseKind = AttributeUse::Kind;

UseKind kind_of(run::ShapeValue::Kind kind) {
  switch (kind) {
    case run::ShapeValue::Kind::kReference:
      return UseKind::kReference;
    case run::ShapeValue::Kind::kCopy:
      return UseKind::kCopy;
    case run::ShapeValue::Kind::kIds:
      return UseKind::kIds;
    case run::ShapeValue::Kind::kEmbedded:
      return UseKind::kEmbedded;
    case run::ShapeValue::Kind::kExpiry:
      return UseKind::kExpiry;
    case run::ShapeValue::Kind::kField:
      break;
  }
  return UseKind::kField;
}

void add(std::vector<AttributeUse>& uses, AttributeUse use) {
  const bool is_there = std::any_of(
      uses.begin(), uses.end(), [&](const AttributeUse& each) { return each.attribute == use.attribute; });
  if (!is_there) uses.push_back(std::move(use));
}

}  // namespace

std::vector<AttributeUse> attribute_uses(const model::Model& model, const model::Layout& layout,
                                         const model::ItemKind& kind) {
  std::vector<AttributeUse> uses;
  const model::Table& table = layout.tables[kind.table];
  add(uses, {.kind = UseKind::kKey, .attribute = table.pk.name});
  if (table.sk) add(uses, {.kind = UseKind::kKey, .attribute = table.sk->name});
  if (table.tag) add(uses, {.kind = UseKind::kTag, .attribute = *table.tag});
  for (const run::ShapeValue& value : run::item_shape(model, layout, kind)) {
    if (value.is_in_key) continue;
    AttributeUse use{.kind = kind_of(value.kind), .attribute = value.attribute, .end = value.end};
    if (use.kind == UseKind::kField || use.kind == UseKind::kCopy) use.field = value.source.path.field;
    add(uses, std::move(use));
  }
  for (const model::IndexEntry& entry : kind.entries) {
    const model::Index& index = table.indexes[entry.index];
    add(uses, {.kind = UseKind::kIndexKey, .attribute = index.pk.name, .index = entry.index});
    if (index.sk) add(uses, {.kind = UseKind::kIndexKey, .attribute = index.sk->name, .index = entry.index});
  }
  return uses;
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

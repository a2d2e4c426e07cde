// How much of a model an inferred one has again: up to names, as the items show it. For tests.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "model/strategies/strategy.h"

namespace sheaf::infer {

inline std::string source_text(const model::HoleSource& source) {
  std::string text = std::to_string(static_cast<int>(source.root)) + "." + std::to_string(source.side);
  for (const model::EndId end : source.path.ends)
    text += "/" + std::to_string(end.relation) + "." + std::to_string(end.side);
  return text + "/" + std::to_string(source.path.field);
}

// Table and keys of a kind of items, with its holes numbered: orgs ORG#<1> / USER#<2>; GSI1 ORG#<1> / <2>.
inline std::string shape_text(const model::Layout& layout, const model::ItemKind& kind) {
  std::map<std::string, size_t> numbers;
  const auto written = [&](const model::KeyTemplate& key) {
    std::string text;
    for (const auto& piece : key.pieces()) {
      if (const auto* literal = std::get_if<std::string>(&piece)) {
        text += *literal;
        continue;
      }
      const auto& hole = std::get<model::Hole>(piece);
      if (hole.is_attribute()) {
        text += "<attribute>";
        continue;
      }
      const size_t number = numbers.emplace(source_text(hole.source), numbers.size() + 1).first->second;
      std::string shown = "<" + std::to_string(number);
      // How a value is cut or spread belongs to the key; how it is written otherwise is a matter of its type.
      if (hole.is_bucket() || hole.is_shard()) {
        const std::string whole = hole.written();
        shown += whole.substr(whole.find(':'), whole.size() - whole.find(':') - 1);
      }
      text += shown + ">";
    }
    return text;
  };
  const model::Table& table = layout.tables[kind.table];
  std::string text = table.name + " " + written(kind.pk) + (kind.sk ? " / " + written(*kind.sk) : "");
  std::map<std::string, const model::IndexEntry*> entries;
  for (const model::IndexEntry& entry : kind.entries) entries[table.indexes[entry.index].name] = &entry;
  for (const auto& [name, entry] : entries)
    text += "; " + name + " " + written(entry->pk) + (entry->sk ? " / " + written(*entry->sk) : "");
  return text;
}

inline std::string table_text(const model::Table& table) {
  const auto key = [](const model::KeyAttribute& attribute) {
    return attribute.name + ":" + std::to_string(static_cast<int>(attribute.type));
  };
  std::string text = table.name + " " + key(table.pk) + (table.sk ? " / " + key(*table.sk) : "");
  std::set<std::string> indexes;
  for (const model::Index& index : table.indexes) {
    std::string one = index.name + " " + key(index.pk) + (index.sk ? " / " + key(*index.sk) : "") + " " +
                      std::to_string(static_cast<int>(index.projection));
    for (const std::string& name : std::set<std::string>(index.included.begin(), index.included.end()))
      one += " " + name;
    indexes.insert(one);
  }
  for (const std::string& index : indexes) text += "; " + index;
  return text;
}

// What a relation is, by the items that it connects: strategy, both kinds, and the edges' own or the
// attribute in which the many lie.
struct RelationText {
  std::string ends;  // without the strategy
  std::string strategy;
  std::string cardinality;
};

inline RelationText relation_text(const model::Model& model, const model::Layout& layout, size_t id) {
  const model::Relation& relation = model.relations[id];
  const model::StoredRelation& stored = layout.relations[id];
  const auto shape = [&](model::EntityId entity) {
    const model::ItemKind* const kind = layout.kind(entity);
    return kind == nullptr ? std::string("-") : shape_text(layout, *kind);
  };
  std::set<std::string> kinds = {shape(relation.ends[0].holder), shape(relation.ends[0].target)};
  RelationText text;
  for (const std::string& each : kinds) text.ends += each + "\n";
  using Via = language::Via::Kind;
  const Via via = stored.strategy->kind();
  const bool is_edge = stored.edge_kind.has_value();
  if (is_edge) text.ends += "edges " + shape_text(layout, layout.item_kinds[*stored.edge_kind]);
  const bool is_in_attribute = via == Via::kEmbed || via == Via::kIds || via == Via::kLists;
  if (is_in_attribute) {
    const bool is_both = via == Via::kLists;
    const std::string first = relation.ends[via == Via::kIds ? *stored.ids_side : 0].name;
    const std::string second = is_both ? relation.ends[1].name : first;
    text.ends += "attribute " + std::min(first, second) + " " + std::max(first, second);
  }
  // A graph is edges.
  text.strategy = is_edge ? "edges" : std::to_string(static_cast<int>(via));
  if (via == Via::kEmbed) text.strategy += stored.strategy->detail(model, layout, stored);
  text.cardinality = std::to_string(static_cast<int>(relation.cardinality));
  return text;
}

}  // namespace sheaf::infer

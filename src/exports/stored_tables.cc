#include "exports/stored_tables.h"

#include <algorithm>

#include "exports/names.h"
#include "model/strategies/strategy.h"
#include "run/system_table.h"
#include "run/tables.h"

namespace sheaf::exports {
namespace {

std::string key_text(const model::KeyTemplate& pk, const std::optional<model::KeyTemplate>& sk) {
  return pk.text() + (sk ? " / " + sk->text() : "");
}

std::vector<std::string> notes_of(const model::Layout& layout, size_t table) {
  std::vector<std::string> notes;
  for (const model::ItemKind& kind : layout.item_kinds) {
    if (kind.table != table) continue;
    notes.push_back(kind.name + ": " + key_text(kind.pk, kind.sk));
    for (const model::IndexEntry& entry : kind.entries)
      notes.push_back("  in " + layout.tables[table].indexes[entry.index].name + ": " +
                      key_text(entry.pk, entry.sk));
  }
  return notes;
}

// The indexes by which edges are read from the side that is not their partition.
std::vector<std::string> indexes_of_edges(const model::Layout& layout, const model::ItemKind& edges) {
  std::vector<std::string> names;
  const model::Table& table = layout.tables[edges.table];
  for (const model::IndexEntry& entry : edges.entries) names.push_back(table.indexes[entry.index].name);
  for (const model::Index& index : table.indexes) {
    if (index.is_over_table_keys) names.push_back(index.name);
  }
  return names;
}

std::string index_words(const std::vector<std::string>& names) {
  if (names.empty()) return "no index needed";
  std::string out = names.size() == 1 ? "index " : "indexes ";
  for (size_t i = 0; i < names.size(); ++i) out += (i == 0 ? "" : ", ") + names[i];
  return out;
}

std::string storage_of(const model::Model& model, const model::Layout& layout,
                       const model::StoredRelation& stored) {
  const model::Relation& relation = model.relations[stored.relation];
  const std::string& one = model.entities[relation.ends[0].holder].name;
  const std::string& many = model.entities[relation.ends[1].holder].name;
  const bool is_apart = stored.strategy->child_key() == model::Strategy::ChildKey::kOwn;
  switch (layout.storage({.relation = stored.relation, .side = 0})) {
    case model::EndStorage::kEmbeds:
    case model::EndStorage::kEmbedded:
      return "embedded in " + one + "; no index needed";
    case model::EndStorage::kIds:
      return "ids on " + one + (relation.is_symmetric ? ", of each other" : "") + "; no index needed";
    case model::EndStorage::kReference:
    case model::EndStorage::kOther:
      if (layout.storage({.relation = stored.relation, .side = 1}) == model::EndStorage::kIds)
        return "ids on " + many + "; no index needed";
      if (stored.index) {
        const model::Table& table = layout.tables[layout.kind(relation.ends[0].target)->table];
        return "a reference on " + many + ", and " + index_words({table.indexes[*stored.index].name});
      }
      if (is_apart) return "a reference on " + many + ", which leads to " + one + " alone; no index needed";
      return stored.strategy->child_key() == model::Strategy::ChildKey::kBehindParent
                 ? "one item collection, behind the key of " + one + "; no index needed"
                 : "one item collection with " + one + "; no index needed";
    case model::EndStorage::kEntries:
      return one == many ? "entries on each " + one + " for the others; no index needed"
                         : "entries on " + one + " and on " + many + "; no index needed";
    case model::EndStorage::kEdge:
      break;
  }
  if (!stored.edge_kind) return "no index needed";
  if (stored.both_directions) return "two items a pair, one with each of the two; no index needed";
  const auto names = indexes_of_edges(layout, layout.item_kinds[*stored.edge_kind]);
  return "an item a pair; " + index_words(names) +
         (names.empty() ? "" : " for those who ask from the other side");
}

}  // namespace

std::vector<StoredTable> stored_tables(const model::Model& model, const model::Layout& layout) {
  std::vector<StoredTable> tables;
  for (size_t i = 0; i < layout.tables.size(); ++i) {
    tables.push_back({.request = run::create_request(layout.tables[i]),
                      .ttl = layout.tables[i].ttl,
                      .notes = notes_of(layout, i)});
  }
  tables.push_back(
      {.request = run::system_table_request(model),
       .is_system = true,
       .notes = {"What Sheaf remembers of the model: which layouts are applied, unique values, jobs.",
                 "Whoever writes through the model needs it."}});
  return tables;
}

std::vector<KeyAttribute> key_attributes(const CreateTable& request) {
  std::vector<KeyAttribute> all;
  const auto add = [&](const KeySchema& key) {
    for (const auto* part : {&key.partition, &key.sort}) {
      for (const KeyAttribute& attribute : *part) {
        if (std::find(all.begin(), all.end(), attribute) == all.end()) all.push_back(attribute);
      }
    }
  };
  add(request.key);
  for (const IndexDeclaration& index : request.global_indexes) add(index.key);
  return all;
}

std::string_view type_letter(Type type) {
  return type == Type::kNumber ? "N" : type == Type::kBinary ? "B" : "S";
}

std::string_view projection_word(ProjectionKind projection) {
  return projection == ProjectionKind::kKeysOnly  ? "KEYS_ONLY"
         : projection == ProjectionKind::kInclude ? "INCLUDE"
                                                  : "ALL";
}

void write_projection(language::JsonWriter& json, const IndexDeclaration& index) {
  json.member("Projection");
  json.object([&] {
    json.member("ProjectionType");
    json.text(projection_word(index.projection));
    if (index.included.empty()) return;
    json.member("NonKeyAttributes");
    json.array([&] {
      for (const std::string& attribute : index.included) json.text(attribute);
    });
  });
}

std::vector<std::string> relation_notes(const model::Model& model, const model::Layout& layout) {
  std::vector<std::string> notes;
  for (const model::StoredRelation& stored : layout.relations) {
    const model::Relation& relation = model.relations[stored.relation];
    std::string name;
    for (const model::End& end : relation.ends) {
      if (!name.empty() && relation.is_symmetric) break;
      name += (name.empty() ? "" : " / ") + model.entities[end.holder].name + "." + end.name;
    }
    notes.push_back(name + ": " + storage_of(model, layout, stored));
  }
  return notes;
}

std::vector<std::string> heading(const model::Model& model, const model::Layout& layout) {
  std::vector<std::string> lines = {"Tables of the model " + model.name() + " in its layout " + layout.name +
                                    ", by sheaf model export."};
  const std::vector<std::string> relations = relation_notes(model, layout);
  if (!relations.empty()) lines.emplace_back("Relations:");
  for (const std::string& line : relations) lines.push_back("  " + line);
  return lines;
}

std::string comments(const std::vector<std::string>& lines, std::string_view mark) {
  std::string out;
  for (const std::string& line : lines) out += std::string(mark) + " " + comment_text(line) + "\n";
  return out;
}

}  // namespace sheaf::exports

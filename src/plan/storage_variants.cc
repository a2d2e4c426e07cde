#include "plan/storage_variants.h"

#include <algorithm>

#include "language/syntax_text.h"
#include "model/layout_clauses.h"
#include "model/strategies/strategy.h"
#include "plan/sorted_keys.h"

namespace sheaf::plan {
namespace {

using language::Via;

language::Name named(std::string_view text) { return {.text = std::string(text)}; }

// The model with the clauses of this layout in its bodies, and no other layout.
language::Model flattened(const model::CompiledModel& compiled, size_t layout) {
  language::Model flat = compiled.model.syntax();
  const model::Layout& stored = compiled.layouts[layout];
  const auto clauses = std::find_if(stored.clauses->begin(), stored.clauses->end(),
                                    [&](const auto& each) { return each.name == stored.name; });
  std::vector<language::Table> tables;
  for (const language::Table* const table : clauses->tables) tables.push_back(*table);
  flat.tables = std::move(tables);
  for (size_t i = 0; i < clauses->entities.size(); ++i) {
    for (language::Entity& entity : flat.entities) {
      if (entity.name.text == compiled.model.entities[i].name) entity.physical = clauses->entities[i];
    }
  }
  for (size_t i = 0; i < clauses->relations.size(); ++i) {
    const auto place =
        static_cast<size_t>(compiled.model.relations[i].syntax - compiled.model.syntax().relations.data());
    flat.relations[place].via = clauses->relations[i];
  }
  flat.layouts.clear();
  flat.compares.clear();
  flat.expects.clear();
  return flat;
}

// The same without tables, keys and strategies: Sheaf chooses them.
language::Model unbound(language::Model flat) {
  flat.tables.clear();
  for (language::Entity& entity : flat.entities) {
    const auto store = entity.physical.store;
    entity.physical = {};
    entity.physical.store = store;
  }
  for (language::Relation& relation : flat.relations) relation.via.reset();
  return flat;
}

// All strategies, whether they fit or not.
std::vector<Via> ways(const model::Relation& relation) {
  std::vector<Via> made;
  for (const Via::Kind kind : {Via::Kind::kCollection, Via::Kind::kPath, Via::Kind::kIndex, Via::Kind::kEmbed,
                               Via::Kind::kRef, Via::Kind::kLists, Via::Kind::kGraph})
    made.push_back({.kind = kind});
  const bool is_symmetric = relation.is_symmetric;
  for (const std::string_view pk : {"one", "many", "both"}) {
    if (relation.cardinality == language::Cardinality::kManyToMany && pk != "both") continue;
    made.push_back({.kind = Via::Kind::kEdges, .pk = named(pk)});
  }
  for (const model::End& end : relation.ends) {
    made.push_back({.kind = Via::Kind::kIds, .ids = named(end.name)});
    if (relation.cardinality == language::Cardinality::kManyToMany)
      made.push_back({.kind = Via::Kind::kEdges, .pk = named(end.name)});
    if (is_symmetric) break;
  }
  return made;
}

}  // namespace

StorageVariants::StorageVariants(const model::CompiledModel& compiled, size_t layout)
    : model_(compiled.model),
      layout_(compiled.layouts[layout]),
      flat_(flattened(compiled, layout)),
      free_(unbound(flat_)) {
  add_projections();
  for (SortedKeys& each : sorted_keys(compiled, layout))
    variants_.push_back(
        {.told = {.text = std::move(each.text), .entity = each.entity}, .edit = std::move(each.edit)});
  for (const bool keeps_keys : {true, false}) {
    for (model::RelationId id = 0; id < model_.relations.size(); ++id) add_relation(id, keeps_keys);
  }
}

void StorageVariants::add_projections() {
  for (const language::Table& table : flat_.tables) {
    for (const language::Gsi& gsi : table.indexes) {
      if (gsi.projection == language::Gsi::Projection::kAll) continue;
      variants_.push_back({.told = {.text = "gsi " + gsi.name.text + " " + gsi.pk.text +
                                            (gsi.sk ? " / " + gsi.sk->text : "") + " all"},
                           .edit = {.full_index = IndexName{table.name.text, gsi.name.text}}});
    }
  }
}

size_t StorageVariants::place_of(model::RelationId relation) const {
  return static_cast<size_t>(model_.relations[relation].syntax - model_.syntax().relations.data());
}

Via StorageVariants::present(const std::optional<Via>& said, model::RelationId relation) const {
  const model::StoredRelation& stored = layout_.relations[relation];
  if ((said && said->kind != Via::Kind::kAuto) || stored.strategy == nullptr) return said.value_or(Via{});
  const model::Relation& related = model_.relations[relation];
  Via via = said.value_or(Via{});
  via.kind = stored.strategy->kind();
  if (via.kind == Via::Kind::kEmbed) via.embed_as = stored.embed_as;
  if (via.kind == Via::Kind::kIds && stored.ids_side) via.ids = named(related.ends[*stored.ids_side].name);
  if (via.kind == Via::Kind::kIndex && stored.index) {
    const model::Index& index =
        layout_.tables[layout_.kind(related.ends[0].target)->table].indexes[*stored.index];
    // One that nobody wrote down has no name that could be written.
    if (!index.is_allocated) via.on = named(index.name);
  }
  if (via.kind != Via::Kind::kEdges || related.is_symmetric) return via;
  if (stored.both_directions) {
    via.pk = named("both");
  } else if (stored.pk_side) {
    const bool is_many_to_many = related.cardinality == language::Cardinality::kManyToMany;
    via.pk = named(is_many_to_many        ? std::string_view(related.ends[*stored.pk_side].name)
                   : *stored.pk_side == 1 ? "one"
                                          : "many");
  }
  return via;
}

void StorageVariants::add_relation(model::RelationId relation, bool keeps_keys) {
  const model::Relation& related = model_.relations[relation];
  std::vector<Via> all = ways(related);
  // As it is, which is changed the least, first: with copies. Where the keys go, no way to store it stays.
  if (keeps_keys) all.insert(all.begin(), present(flat_.relations[place_of(relation)].via, relation));
  for (size_t i = 0; i < all.size(); ++i) {
    const bool is_as_it_is = keeps_keys && i == 0;
    if (!is_as_it_is) add_via(relation, all[i], keeps_keys);
    for (const model::End& end : related.ends) {
      if (related.is_symmetric && &end != &related.ends[0]) continue;
      Via copied = all[i];
      const auto same = [&](const language::Copy& copy) { return copy.end.text == end.name; };
      std::erase_if(copied.copies, same);
      copied.copies.push_back({.end = named(end.name), .all = true});
      add_via(relation, copied, keeps_keys);
    }
  }
}

void StorageVariants::add_via(model::RelationId relation, const Via& via, bool keeps_keys) {
  const model::End& end = model_.relations[relation].ends[0];
  variants_.push_back({.told = {.text = "rel " + model_.entities[end.holder].name + "." + end.name + " via " +
                                        language::to_text(via),
                                .relation = relation,
                                .keeps_keys = keeps_keys},
                       .edit = {.via = RelationVia{place_of(relation), via}}});
}

const model::CompiledModel* StorageVariants::compiled(size_t i) {
  Held& held = variants_[i];
  if (!held.is_tried) {
    held.is_tried = true;
    held.compiled = compiled_together({i});
  }
  return held.compiled ? &*held.compiled : nullptr;
}

bool StorageVariants::fit_together(size_t first, size_t second) const {
  return variants_[first].told.keeps_keys == variants_[second].told.keeps_keys &&
         !collide(variants_[first].edit, variants_[second].edit);
}

std::optional<model::CompiledModel> StorageVariants::compiled_together(
    const std::vector<size_t>& chosen) const {
  language::Model changed = variants_[chosen.front()].told.keeps_keys ? flat_ : free_;
  for (const size_t i : chosen) apply(variants_[i].edit, changed);
  model::CompiledModel made = model::compile("variant", language::to_text(changed));
  if (!made.ok() || made.layouts.empty() || !made.layouts.front().is_sound) return std::nullopt;
  return made;
}

}  // namespace sheaf::plan

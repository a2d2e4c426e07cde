#include "plan/write_needs.h"

#include <algorithm>

namespace sheaf::plan {
namespace {

using model::Hole;
using model::HoleSource;
using model::ItemKind;
using model::KeyTemplate;

bool is_changed(const EntityChange& change, const HoleSource& source) {
  if (source.path.ends.empty())
    return std::find(change.fields.begin(), change.fields.end(), source.path.field) != change.fields.end();
  return std::find(change.ends.begin(), change.ends.end(), source.path.ends.front()) != change.ends.end();
}

bool uses_changed(const EntityChange& change, const KeyTemplate& key) {
  const std::vector<const Hole*> holes = key.holes();
  return std::any_of(holes.begin(), holes.end(),
                     [&](const Hole* hole) { return is_changed(change, hole->source); });
}

bool is_known(const model::Model& model, const EntityChange& change, const KeyTemplate& key) {
  const std::vector<const Hole*> holes = key.holes();
  const std::vector<model::FieldPath>& identity = model.entities[change.entity].identity;
  return std::all_of(holes.begin(), holes.end(), [&](const Hole* hole) {
    return hole->is_attribute() || is_changed(change, hole->source) ||
           std::find(identity.begin(), identity.end(), hole->source.path) != identity.end();
  });
}

bool is_tested(const EntityChange& change, const model::IndexEntry& entry) {
  return std::any_of(entry.when.begin(), entry.when.end(), [&](const model::Condition& condition) {
    return is_changed(change, {.path = {.ends = condition.place.ends, .field = condition.place.field}});
  });
}

// Whether another index has one of its key attributes, too, and may need it when the item leaves this one.
bool shares_keys(const model::Layout& layout, const ItemKind& kind, const model::IndexEntry& entry) {
  const std::vector<model::Index>& indexes = layout.tables[kind.table].indexes;
  const auto has = [&](const model::IndexEntry& other, const KeyTemplate& key, const std::string& name) {
    const model::Index& index = indexes[other.index];
    const Hole* const bare = key.bare_hole();
    const bool is_field = bare != nullptr && bare->source.path.ends.empty();
    return !is_field && (index.pk.name == name || (index.sk && index.sk->name == name));
  };
  const model::Index& own = indexes[entry.index];
  return std::any_of(kind.entries.begin(), kind.entries.end(), [&](const model::IndexEntry& other) {
    return other.index != entry.index &&
           (has(other, entry.pk, own.pk.name) || (entry.sk && has(other, *entry.sk, own.sk->name)));
  });
}

bool needs_for_index(const model::Model& model, const model::Layout& layout, const EntityChange& change,
                     const model::IndexEntry& entry) {
  const bool is_used = uses_changed(change, entry.pk) || (entry.sk && uses_changed(change, *entry.sk));
  if (is_tested(change, entry) || (is_used && !entry.when.empty())) return true;
  if (is_used && shares_keys(layout, *layout.kind(change.entity), entry)) return true;
  if (!is_used) return false;
  return !is_known(model, change, entry.pk) || (entry.sk && !is_known(model, change, *entry.sk));
}

// An end whose change is felt on what it led to before.
bool is_felt_elsewhere(const model::Model& model, const model::Layout& layout, model::EndId end) {
  const bool is_single = !model.end(end.other()).leads_to_many;
  return is_counted(model, end) || (is_single && !layout.is_embedded(end));
}

}  // namespace

bool is_counted(const model::Model& model, model::EndId end) {
  const std::vector<model::Field>& fields = model.entities[model.end(end).target].fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const model::Field& field) { return field.count_of == model.back(end); });
}

bool has_known_key(const model::Model& model, const model::Layout& layout, model::EntityId entity) {
  const ItemKind* const kind = layout.kind(entity);
  if (kind == nullptr) return false;
  const EntityChange none{.entity = entity};
  return is_known(model, none, kind->pk) && (!kind->sk || is_known(model, none, *kind->sk));
}

bool is_in_some_key(const model::Layout& layout, model::EntityId entity, model::FieldId field) {
  const ItemKind* const kind = layout.kind(entity);
  if (kind == nullptr) return false;
  const EntityChange change{.entity = entity, .fields = {field}};
  return uses_changed(change, kind->pk) || (kind->sk && uses_changed(change, *kind->sk)) ||
         std::any_of(kind->entries.begin(), kind->entries.end(),
                     [&](const model::IndexEntry& entry) { return moves_entry(change, entry); });
}

bool moves_entry(const EntityChange& change, const model::IndexEntry& entry) {
  return is_tested(change, entry) || uses_changed(change, entry.pk) ||
         (entry.sk && uses_changed(change, *entry.sk));
}

bool needs_stored(const model::Model& model, const model::Layout& layout, const EntityChange& change) {
  const ItemKind* const kind = layout.kind(change.entity);
  if (kind == nullptr) return false;
  if (change.is_upserted || !has_known_key(model, layout, change.entity)) return true;
  const model::Entity& entity = model.entities[change.entity];
  if (change.is_deleted) {
    return std::any_of(entity.fields.begin(), entity.fields.end(),
                       [](const model::Field& field) { return field.syntax->is_unique; }) ||
           std::any_of(entity.ends.begin(), entity.ends.end(), [&](model::EndId end) {
             const bool is_named_here = end.side == 1 || layout.is_named(end);
             return is_named_here && !layout.is_mutual(end) && is_felt_elsewhere(model, layout, end);
           });
  }
  const bool has_unique = std::any_of(change.fields.begin(), change.fields.end(), [&](model::FieldId field) {
    return entity.fields[field].syntax->is_unique;
  });
  if (has_unique || uses_changed(change, kind->pk) || (kind->sk && uses_changed(change, *kind->sk)))
    return true;
  if (std::any_of(change.ends.begin(), change.ends.end(),
                  [&](model::EndId end) { return is_felt_elsewhere(model, layout, end); }))
    return true;
  return std::any_of(kind->entries.begin(), kind->entries.end(), [&](const model::IndexEntry& entry) {
    return needs_for_index(model, layout, change, entry);
  });
}

bool needs_one_guard(const model::Model& model, const model::Layout& layout, model::EndId end) {
  const model::End& declared = model.end(end);
  if (declared.leads_to_many) return false;
  // A required end is made with its holder, and a move deletes exactly the edge that it read.
  if (layout.is_edge(end)) return !declared.is_required;
  return layout.storage(end) == model::EndStorage::kOther;
}

bool needs_identity_guard(const model::Model& model, const model::Layout& layout, model::EntityId entity) {
  if (layout.kind(entity) == nullptr || has_known_key(model, layout, entity)) return false;
  // A generated id is never given twice.
  const std::vector<model::Field>& fields = model.entities[entity].fields;
  return std::none_of(fields.begin(), fields.end(),
                      [](const model::Field& field) { return field.is_id && field.is_generated(); });
}

std::vector<model::EndId> dependant_ends(const model::Model& model, const model::Layout& layout,
                                         model::EntityId entity) {
  std::vector<model::EndId> ends;
  for (const model::EndId end : model.entities[entity].ends) {
    const bool is_elsewhere = layout.storage(end.other()) == model::EndStorage::kReference;
    const std::optional<language::OnDelete>& on_delete = model.relations[end.relation].on_delete;
    const bool is_guarded = end.side == 0 && on_delete && *on_delete != language::OnDelete::kUnlink;
    const bool is_edges = layout.is_edge(end) && (model.end(end).leads_to_many || is_guarded);
    const bool is_refused_by_count =
        end.side == 0 && on_delete == language::OnDelete::kRestrict && is_counted(model, end.other());
    if ((is_elsewhere || is_edges || layout.is_mutual(end)) && !is_refused_by_count) ends.push_back(end);
  }
  return ends;
}

}  // namespace sheaf::plan

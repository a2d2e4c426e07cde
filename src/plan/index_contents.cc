#include "plan/index_contents.h"

#include <algorithm>

#include "plan/document_tree.h"
#include "plan/key_interval.h"

namespace sheaf::plan {

using model::FieldId;
using model::HoleSource;

bool IndexContents::hold(const std::string& attribute) const {
  return index_.projection == language::Gsi::Projection::kAll ||
         std::find(index_.included.begin(), index_.included.end(), attribute) != index_.included.end() ||
         attribute == table_.pk.name || (table_.sk && attribute == table_.sk->name) ||
         attribute == index_.pk.name || (index_.sk && attribute == index_.sk->name);
}

bool IndexContents::hold_key(const model::ItemKind& kind, const HoleSource& source) const {
  const auto plain = [&](const HoleSource& one) {
    return kind.relation ? plain_source(one, *kind.relation) : one;
  };
  const auto has = [&](const model::KeyTemplate& key) {
    const std::vector<const model::Hole*> holes = key.holes();
    return std::any_of(holes.begin(), holes.end(), [&](const model::Hole* hole) {
      return hole->holds_value() && plain(hole->source) == plain(source);
    });
  };
  const bool is_in_index =
      std::any_of(kind.entries.begin(), kind.entries.end(), [&](const model::IndexEntry& entry) {
        return &table_.indexes[entry.index] == &index_ && (has(entry.pk) || (entry.sk && has(*entry.sk)));
      });
  return is_in_index || has(kind.pk) || (kind.sk && has(*kind.sk));
}

bool IndexContents::hold_copies(size_t node, const model::ItemKind& kind, HoleSource source) const {
  const std::string& end = model_.end(*nodes_[node].end).name;
  if (layout_.storage(*nodes_[node].end) == model::EndStorage::kEntries) return hold(end);
  const std::vector<model::Field>& fields = model_.entities[nodes_[node].entity].fields;
  const std::vector<FieldId> wanted = wanted_fields(model_, nodes_, node);
  return std::all_of(wanted.begin(), wanted.end(), [&](FieldId id) {
    source.path.field = id;
    return hold(end + "_" + fields[id].name) || hold_key(kind, source);
  });
}

// Its fields are wanted if it is shown, its copies unless the item that they are of is read.
bool IndexContents::hold_edge(const Want& want) const {
  const std::vector<model::Field>& fields = model_.relations[nodes_[want.node].end->relation].edge_fields;
  const bool shows = shows_edge(nodes_, want.node);
  for (FieldId id = 0; shows && id < fields.size(); ++id) {
    const HoleSource source{.root = HoleSource::Root::kEdgeField, .path = {.field = id}};
    if (!hold(fields[id].attribute) && !hold_key(layout_.item_kinds[want.item_kind], source)) return false;
  }
  for (size_t child = 0; child < nodes_.size(); ++child) {
    if (nodes_[child].is_named_by_finder && nodes_[child].parent == want.node &&
        !hold_copies(child, layout_.item_kinds[want.item_kind],
                     {.root = HoleSource::Root::kEdgeEnd, .side = nodes_[child].end->side}) &&
        !needs_item(model_, layout_, nodes_, child))
      return false;
  }
  return needs_item(model_, layout_, nodes_, want.node) ||
         hold_copies(want.node, layout_.item_kinds[want.item_kind],
                     {.root = HoleSource::Root::kEdgeEnd, .side = nodes_[want.node].end->side});
}

bool IndexContents::name(size_t child) const {
  const DocumentNode& node = nodes_[child];
  const std::string& end = model_.end(*node.end).name;
  const model::EndStorage storage = layout_.storage(*node.end);
  if (storage == model::EndStorage::kEmbeds || storage == model::EndStorage::kIds ||
      storage == model::EndStorage::kEntries)
    return hold(end);
  const model::ItemKind& kind = *layout_.kind(nodes_[*node.parent].entity);
  const std::vector<model::FieldPath>& identity = model_.entities[node.entity].identity;
  return std::all_of(identity.begin(), identity.end(), [&](const model::FieldPath& part) {
    HoleSource source{.path = part};
    source.path.ends.insert(source.path.ends.begin(), *node.end);
    std::string attribute = end + "_" + model_.text(node.entity, part);
    std::replace(attribute.begin(), attribute.end(), '.', '_');
    return hold(attribute) || hold_key(kind, source);
  });
}

bool IndexContents::hold_place(const Want& want, const model::Place& place) const {
  const DocumentNode& node = nodes_[want.node];
  const model::ItemKind& kind = layout_.item_kinds[want.item_kind];
  using Kind = model::Place::Kind;
  if (place.kind == Kind::kEntity) return false;
  if (want.kind == Want::Kind::kEdges) {
    const auto source = edge_source(node, place);
    return source && hold_key(kind, *source);
  }
  // What the edges that lead there tell is tested on them.
  if (node.end && link_of(model_, layout_, node) == Link::kEdges) {
    const std::vector<FieldId> copied = copied_fields(layout_, node);
    const bool is_copied = place.ends.empty() && place.inside.empty() &&
                           std::find(copied.begin(), copied.end(), place.field) != copied.end();
    if (is_copied || place.kind == Kind::kEdgeField) return true;
    if (!node.parent && !place.ends.empty() && place.ends.front() == node.end->other()) return true;
  }
  if (place.ends.empty() && hold(model_.entities[node.entity].fields[place.field].attribute)) return true;
  return place.inside.empty() && hold_key(kind, {.path = {.ends = place.ends, .field = place.field}});
}

bool IndexContents::hold_conditions(const Want& want) const {
  const std::vector<const model::Condition*>& where = nodes_[want.node].where;
  return std::all_of(where.begin(), where.end(), [&](const model::Condition* condition) {
    return std::find(want.assured.begin(), want.assured.end(), condition) != want.assured.end() ||
           hold_place(want, condition->place);
  });
}

bool IndexContents::hold_all(const Want& want) const {
  if (index_.projection == language::Gsi::Projection::kAll) return true;
  if (is_read_elsewhere(nodes_, want) || !hold_conditions(want)) return false;
  if (want.kind == Want::Kind::kEdges) return hold_edge(want);
  const std::vector<model::Field>& fields = model_.entities[nodes_[want.node].entity].fields;
  std::vector<FieldId> wanted = wanted_fields(model_, nodes_, want.node);
  for (FieldId id = 0; id < fields.size(); ++id) {
    if (fields[id].is_id) wanted.push_back(id);
  }
  for (const FieldId id : wanted) {
    if (!hold(fields[id].attribute) && !hold_key(layout_.item_kinds[want.item_kind], {.path = {.field = id}}))
      return false;
  }
  for (size_t child = want.node + 1; child < nodes_.size(); ++child) {
    if (nodes_[child].parent != want.node) continue;
    const Link link = link_of(model_, layout_, nodes_[child]);
    if ((link == Link::kReference || link == Link::kEmbedded) && !name(child)) return false;
    const bool has_copies = (link == Link::kReference || link == Link::kIdentity) &&
                            layout_.kind(nodes_[child].entity) != nullptr &&
                            !needs_item(model_, layout_, nodes_, child);
    if (has_copies &&
        !hold_copies(child, layout_.item_kinds[want.item_kind], {.path = {.ends = {*nodes_[child].end}}}))
      return false;
  }
  return true;
}

}  // namespace sheaf::plan

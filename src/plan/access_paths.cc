#include "plan/access_paths.h"

#include <algorithm>

#include "plan/document_tree.h"
#include "plan/key_interval.h"

namespace sheaf::plan {

using model::Condition;
using model::EndId;
using model::FieldPath;
using model::Hole;
using model::HoleSource;
using model::ItemKind;
using model::KeyTemplate;
using Test = language::Condition::Test;

namespace {

bool contains(const std::vector<FieldPath>& identity, const FieldPath& path) {
  return std::find(identity.begin(), identity.end(), path) != identity.end();
}

bool is_range(Test test) {
  return test == Test::kLess || test == Test::kLessOrEqual || test == Test::kGreater ||
         test == Test::kGreaterOrEqual || test == Test::kBetween || test == Test::kBegins;
}

// The same test of the same field with the same literals.
bool is_same_condition(const Condition& a, const Condition& b) {
  if (a.place.kind != b.place.kind || a.place.ends != b.place.ends || a.place.field != b.place.field ||
      a.place.inside != b.place.inside || a.syntax->test != b.syntax->test)
    return false;
  const auto same = [](const language::Operand& x, const language::Operand& y) {
    const auto *one = std::get_if<language::Literal>(&x), *other = std::get_if<language::Literal>(&y);
    return one != nullptr && other != nullptr && one->kind == other->kind && one->text == other->text;
  };
  return std::equal(a.syntax->operands.begin(), a.syntax->operands.end(), b.syntax->operands.begin(),
                    b.syntax->operands.end(), same);
}

}  // namespace

std::vector<const Condition*> AccessPaths::conditions(size_t node) const {
  return conditions_in_force(nodes_[node], given_);
}

std::vector<AccessPaths::KeyPair> AccessPaths::views(const ItemKind& kind) const {
  std::vector<KeyPair> views;
  views.push_back({.view = {.table = kind.table}, .pk = &kind.pk, .sk = kind.sk ? &*kind.sk : nullptr});
  if (is_strong_) return views;
  for (const model::IndexEntry& entry : kind.entries) {
    views.push_back({.view = {.table = kind.table, .index = entry.index},
                     .pk = &entry.pk,
                     .sk = entry.sk ? &*entry.sk : nullptr,
                     .entry = &entry});
  }
  const std::vector<model::Index>& indexes = layout_.tables[kind.table].indexes;
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].is_over_table_keys && kind.sk)
      views.push_back({.view = {.table = kind.table, .index = i}, .pk = &*kind.sk, .sk = &kind.pk});
  }
  return views;
}

bool AccessPaths::is_on(const Condition& condition, const Hole& hole, size_t node, bool is_edge) const {
  const model::Place& place = condition.place;
  if (is_edge)
    return edge_source(nodes_[node], place) == plain_source(hole.source, nodes_[node].end->relation);
  return place.kind == model::Place::Kind::kField &&
         hole.source == HoleSource{.path = {.ends = place.ends, .field = place.field}};
}

const Condition* AccessPaths::condition_on(const Hole& hole, size_t node, bool is_edge, bool equality) const {
  for (const Condition* condition : conditions(node)) {
    const Test test = condition->syntax->test;
    if ((equality ? test == Test::kEqual : is_range(test)) && is_on(*condition, hole, node, is_edge))
      return condition;
  }
  return nullptr;
}

bool AccessPaths::is_known(size_t node) const {
  const bool is_searched = is_search(nodes_, {.kind = Want::Kind::kItems, .node = node});
  return !is_searched && link_of(model_, layout_, nodes_[node]) != Link::kItems;
}

// Finds the entity, as far up the tree as it can be, whose identity has the value.
std::optional<Binding> AccessPaths::bind(const Hole& hole, size_t node, bool is_edge, size_t anchor_max,
                                         AccessPath& path) const {
  if (const Condition* const condition = condition_on(hole, node, is_edge, true)) {
    path.served.push_back(condition);
    return Binding{.kind = Binding::Kind::kCondition, .node = node, .condition = condition};
  }
  size_t at = node;
  FieldPath rest = hole.source.path;
  if (is_edge) {
    if (hole.source.root != HoleSource::Root::kEdgeEnd || !nodes_[node].parent) return std::nullopt;
    if (hole.source.side == nodes_[node].end->side) {
      // Of what it leads to only that part is known which is the other end itself: in it they lie.
      if (rest.ends.empty() || rest.ends.front() != nodes_[node].end->other()) return std::nullopt;
      rest.ends.erase(rest.ends.begin());
    }
    at = *nodes_[node].parent;
  }
  // What is followed several times starts from its parent first, and then from others like it: their own
  // identities are all that is known.
  const bool is_repeated = nodes_[node].depth > 1;
  if (is_repeated && !is_edge && !rest.ends.empty() && rest.ends.front() == nodes_[node].end->other()) {
    rest.ends.erase(rest.ends.begin());
    at = *nodes_[node].parent;
  }
  while (!is_repeated && nodes_[at].parent && nodes_[at].depth == 1) {
    const EndId end = *nodes_[at].end;
    if (!rest.ends.empty() && rest.ends.front() == end.other()) {
      rest.ends.erase(rest.ends.begin());
    } else if (link_of(model_, layout_, nodes_[at]) == Link::kIdentity) {
      rest.ends.insert(rest.ends.begin(), end);
    } else {
      break;
    }
    at = *nodes_[at].parent;
  }
  if (at == node && !is_known(node)) return std::nullopt;
  if (at > anchor_max) return std::nullopt;
  if (!contains(model_.entities[nodes_[at].entity].identity, rest)) return std::nullopt;
  return Binding{.node = at, .path = std::move(rest)};
}

std::optional<Binding> AccessPaths::spread(const Hole& hole, size_t node, bool is_edge,
                                           const AccessPath& path) const {
  if (hole.holds_value()) return std::nullopt;
  Binding each{.kind = Binding::Kind::kEach, .node = node, .hole = &hole};
  if (hole.is_shard()) return each;
  // Who is known by an id is not looked for in one bucket after another. Two times that differ have no order.
  const bool is_looked_up = !is_edge && is_known(node);
  const bool has_bucket =
      std::any_of(path.partition.begin(), path.partition.end(), [](const Binding& binding) {
        return binding.kind == Binding::Kind::kEach && binding.hole->is_bucket();
      });
  if (is_looked_up || has_bucket || hole.field.syntax == nullptr || !hole.field.syntax->since)
    return std::nullopt;
  for (const Condition* condition : conditions(node)) {
    if (is_range(condition->syntax->test) && is_on(*condition, hole, node, is_edge))
      each.limits.push_back(condition);
  }
  return each;
}

std::optional<AccessPath> AccessPaths::path(const KeyPair& keys, size_t node, bool is_edge,
                                            size_t anchor_max) const {
  AccessPath path{.view = keys.view, .pk = keys.pk, .sk = keys.sk};
  for (const Hole* hole : keys.pk->holes()) {
    auto binding = bind(*hole, node, is_edge, anchor_max, path);
    if (!binding) binding = spread(*hole, node, is_edge, path);
    if (!binding) return std::nullopt;
    if (binding->kind == Binding::Kind::kNode) path.anchor = std::max(path.anchor, binding->node);
    path.partition.push_back(std::move(*binding));
  }
  if (keys.sk == nullptr) {
    path.sort.is_whole = path.sort.is_one = !keys.view.index;  // an index has many items under one key
    if (!is_listed(keys, path, node)) return std::nullopt;
    path.is_exact = is_exact(path, node, is_edge);
    return path;
  }
  const std::vector<const Hole*> holes = keys.sk->holes();
  for (const Hole* hole : holes) {
    auto binding = bind(*hole, node, is_edge, anchor_max, path);
    if (!binding) {
      const Condition* const range = condition_on(*hole, node, is_edge, false);
      // A key attribute that is a number sorts as numbers do.
      if (range != nullptr && !hole->keeps_order() && keys.sk->bare_hole() == nullptr) {
        path.unordered = hole;
      } else if (range != nullptr) {
        path.sort.range = range;
        path.served.push_back(range);
      }
      break;
    }
    if (binding->kind == Binding::Kind::kNode) path.anchor = std::max(path.anchor, binding->node);
    path.sort.bound.push_back(std::move(*binding));
  }
  path.sort.is_whole = path.sort.bound.size() == holes.size();
  path.sort.is_one = path.sort.is_whole && is_unique(keys, node, is_edge);
  if (!is_listed(keys, path, node)) return std::nullopt;
  path.is_exact = is_exact(path, node, is_edge);
  return path;
}

// In an index several items may have one key, unless it tells which one it is.
bool AccessPaths::is_unique(const KeyPair& keys, size_t node, bool is_edge) const {
  if (keys.entry == nullptr) return true;
  std::vector<HoleSource> held;
  for (const KeyTemplate* key : {keys.pk, keys.sk}) {
    for (const Hole* hole : key->holes()) {
      if (!hole->holds_value()) continue;
      held.push_back(is_edge ? plain_source(hole->source, nodes_[node].end->relation) : hole->source);
    }
  }
  const auto holds = [&](HoleSource source) {
    return std::find(held.begin(), held.end(), source) != held.end();
  };
  if (!is_edge) {
    const std::vector<FieldPath>& identity = model_.entities[nodes_[node].entity].identity;
    return std::all_of(identity.begin(), identity.end(),
                       [&](const FieldPath& part) { return holds({.path = part}); });
  }
  const model::Relation& relation = model_.relations[nodes_[node].end->relation];
  const auto holds_end = [&](int side) {
    const std::vector<FieldPath>& identity = model_.entities[relation.ends[side].target].identity;
    return std::all_of(identity.begin(), identity.end(), [&](const FieldPath& part) {
      return holds({.root = HoleSource::Root::kEdgeEnd, .side = side, .path = part});
    });
  };
  for (const int side : {0, 1}) {
    // Who has one edge at most tells which.
    if (holds_end(side) && !relation.ends[1 - side].leads_to_many) return true;
  }
  for (model::FieldId field = 0; field < relation.edge_fields.size(); ++field) {
    if (relation.edge_fields[field].is_id &&
        !holds({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}))
      return false;
  }
  return holds_end(0) && holds_end(1);
}

bool AccessPaths::is_always_there(const Hole& hole, size_t node) const {
  if (hole.field.is_optional) return false;
  if (hole.source.root != HoleSource::Root::kEntity) return true;
  if (contains(model_.entities[nodes_[node].entity].identity, hole.source.path)) return true;
  // Whoever is reached from its parent has one.
  auto end = hole.source.path.ends.begin();
  for (size_t at = node; end != hole.source.path.ends.end() && nodes_[at].parent; at = *nodes_[at].parent) {
    if (nodes_[at].end->other() != *end) break;
    ++end;
    // Those before it may be of another level, which was reached otherwise.
    if (nodes_[at].depth > 1) break;
  }
  return std::all_of(end, hole.source.path.ends.end(),
                     [&](EndId each) { return model_.end(each).is_required; });
}

// What a condition of the pattern says, too, may keep items out: it is served then.
bool AccessPaths::is_listed(const KeyPair& keys, AccessPath& path, size_t node) const {
  if (keys.entry == nullptr) return true;
  for (const Condition& when : keys.entry->when) {
    const std::vector<const Condition*> given = conditions(node);
    const auto same = std::find_if(given.begin(), given.end(), [&](const Condition* condition) {
      return is_same_condition(*condition, when);
    });
    if (same == given.end()) return false;
    path.served.push_back(*same);
    path.assured.push_back(*same);
  }
  if (keys.sk == nullptr) return true;
  const std::vector<const Hole*> holes = keys.sk->holes();
  const size_t said = path.sort.bound.size() + (path.sort.range != nullptr ? 1 : 0);
  return std::all_of(holes.begin() + static_cast<ptrdiff_t>(said), holes.end(),
                     [&](const Hole* hole) { return is_always_there(*hole, node); });
}

// Whether the keys hold the whole identity of what is looked for, or of somebody above, from whom all that is
// found descends then.
bool AccessPaths::is_exact(const AccessPath& path, size_t node, bool is_edge) const {
  if (is_search(nodes_, {.kind = is_edge ? Want::Kind::kEdges : Want::Kind::kItems, .node = node}))
    return true;
  std::vector<HoleSource> held;
  for (const Hole* hole : path.pk->holes()) {
    if (hole->holds_value()) held.push_back(hole->source);
  }
  if (path.sk != nullptr) {
    const std::vector<const Hole*> holes = path.sk->holes();
    for (size_t i = 0; i < path.sort.bound.size(); ++i) {
      if (holes[i]->holds_value()) held.push_back(holes[i]->source);
    }
  }
  const auto holds = [&](const HoleSource& from, size_t whose) {
    const std::vector<FieldPath>& identity = model_.entities[nodes_[whose].entity].identity;
    return std::all_of(identity.begin(), identity.end(), [&](const FieldPath& part) {
      HoleSource wanted = from;
      wanted.path.ends.insert(wanted.path.ends.end(), part.ends.begin(), part.ends.end());
      wanted.path.field = part.field;
      return std::find(held.begin(), held.end(), wanted) != held.end();
    });
  };
  if (!is_edge && is_known(node)) return holds({}, node);
  HoleSource start;
  size_t at = node;
  if (is_edge) {
    start.root = HoleSource::Root::kEdgeEnd;
    start.side = nodes_[node].end->other().side;
    at = *nodes_[node].parent;
    if (holds(start, at)) return true;
    if (nodes_[node].depth > 1) return false;
  }
  // What has several parents, or is cut on the way, cannot be had through them; nor can several levels.
  while (nodes_[at].parent && !model_.end(nodes_[at].end->other()).leads_to_many) {
    const bool is_cut = at != node && nodes_[at].selected != nullptr &&
                        (nodes_[at].selected->limit || !nodes_[at].selected->where.empty());
    if (is_cut || (at != node && nodes_[at].depth > 1)) return false;
    start.path.ends.push_back(nodes_[at].end->other());
    const bool is_repeated = nodes_[at].depth > 1;
    at = *nodes_[at].parent;
    if (holds(start, at)) return true;
    if (is_repeated) return false;
  }
  return false;
}

std::vector<AccessPath> AccessPaths::paths(const ItemKind& kind, size_t node, bool is_edge) const {
  std::vector<AccessPath> paths;
  for (const KeyPair& keys : views(kind)) {
    std::vector<size_t> anchors;
    for (size_t at = node;; at = *nodes_[at].parent) {
      anchors.push_back(at);
      if (!nodes_[at].parent) break;
    }
    for (const size_t anchor : anchors) {
      auto found = path(keys, node, is_edge, anchor);
      const bool is_known = found && std::any_of(paths.begin(), paths.end(), [&](const AccessPath& other) {
                              return other.view == found->view && other.pk == found->pk &&
                                     other.anchor == found->anchor &&
                                     other.sort.bound.size() == found->sort.bound.size();
                            });
      if (found && !is_known) paths.push_back(std::move(*found));
    }
  }
  return paths;
}

std::vector<AccessPath> AccessPaths::to_items(size_t node) const {
  const ItemKind* const kind = layout_.kind(nodes_[node].entity);
  if (kind == nullptr) return {};
  std::vector<AccessPath> found = paths(*kind, node, false);
  if (is_known(node)) std::erase_if(found, [](const AccessPath& path) { return !path.is_exact; });
  return found;
}

std::optional<AccessPath> AccessPaths::point(size_t node) const {
  const ItemKind* const kind = layout_.kind(nodes_[node].entity);
  if (kind == nullptr) return std::nullopt;
  AccessPath path{.is_point = true,
                  .view = {.table = kind->table},
                  .anchor = node,
                  .pk = &kind->pk,
                  .sk = kind->sk ? &*kind->sk : nullptr};
  const std::vector<FieldPath>& identity = model_.entities[nodes_[node].entity].identity;
  const auto add = [&](const KeyTemplate& key, std::vector<Binding>& bindings) {
    for (const Hole* hole : key.holes()) {
      if (!contains(identity, hole->source.path)) return false;
      bindings.push_back({.node = node, .path = hole->source.path});
    }
    return true;
  };
  if (!add(kind->pk, path.partition)) return std::nullopt;
  if (kind->sk && !add(*kind->sk, path.sort.bound)) return std::nullopt;
  path.sort.is_whole = path.sort.is_one = true;
  return path;
}

std::vector<AccessPath> AccessPaths::to_edges(size_t node) const {
  const model::StoredRelation& stored = layout_.relations[nodes_[node].end->relation];
  return stored.edge_kind ? paths(layout_.item_kinds[layout_.edge_kind(*nodes_[node].end)], node, true)
                          : std::vector<AccessPath>();
}

}  // namespace sheaf::plan

#include "model/key_allocation.h"

#include <algorithm>

namespace sheaf::model {
namespace {

using Pieces = std::vector<KeyTemplate::Piece>;

constexpr std::string_view kSeparator = "#";

// WORD#<a>#<b>
Pieces named(std::string_view word, const std::vector<Hole>& holes) {
  Pieces pieces;
  std::string text = std::string(word) + std::string(kSeparator);
  for (const Hole& hole : holes) {
    pieces.emplace_back(text);
    pieces.emplace_back(hole);
    text = kSeparator;
  }
  if (holes.empty()) pieces.emplace_back(std::string(word));
  return pieces;
}

// Those that `keys` do not hold yet.
std::vector<Hole> without(std::vector<Hole> holes, const Pieces& keys) {
  std::erase_if(holes, [&](const Hole& hole) {
    return std::any_of(keys.begin(), keys.end(), [&](const KeyTemplate::Piece& piece) {
      const auto* held = std::get_if<Hole>(&piece);
      return held != nullptr && held->source == hole.source && held->holds_value();
    });
  });
  return holes;
}

// The template of an entity, seen from where `start` leads to that entity.
Pieces moved(const TemplateResolver& templates, const KeyTemplate& key, const HoleSource& start,
             const TemplateOwner& owner) {
  Pieces pieces;
  for (const KeyTemplate::Piece& piece : key.pieces()) {
    const auto* hole = std::get_if<Hole>(&piece);
    if (hole == nullptr) {
      pieces.push_back(piece);
      continue;
    }
    HoleSource source = start;
    source.path.ends.insert(source.path.ends.end(), hole->source.path.ends.begin(),
                            hole->source.path.ends.end());
    source.path.field = hole->source.path.field;
    Hole there = templates.hole(source, owner);
    there.format = hole->format;
    there.count = hole->count;
    pieces.emplace_back(std::move(there));
  }
  return pieces;
}

}  // namespace

std::string key_word(std::string_view name) {
  std::string word;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool is_upper = name[i] >= 'A' && name[i] <= 'Z';
    const bool was_lower = i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    if (is_upper && was_lower) word += '_';
    word += static_cast<char>(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
  }
  return word;
}

void allocate_own_key(const Model& model, const TemplateResolver& templates, const Table& table,
                      ItemKind& kind) {
  const TemplateOwner owner{.entity = kind.entity};
  const std::vector<Hole> holes = templates.identity({}, *kind.entity, owner);
  const KeyTemplate key(named(key_word(model.entities[*kind.entity].name), holes), kind.span);
  kind.pk = key;
  if (table.sk) kind.sk = key;
  // What else is in the partition lies before or behind its fields, and not between them.
  if (kind.is_by_field())
    kind.sk = KeyTemplate(
        named(key_word(model.entities[*kind.entity].name), {templates.attribute(*kind.entity)}), kind.span);
  kind.is_allocated = true;
}

void allocate_child_key(const Model& model, const TemplateResolver& templates, const ItemKind& parent,
                        EndId to_parent, bool path, ItemKind& kind) {
  const TemplateOwner owner{.entity = kind.entity};
  const HoleSource start{.path = {.ends = {to_parent}}};
  kind.pk = KeyTemplate(moved(templates, parent.pk, start, owner), kind.span);
  Pieces pieces;
  if (path && parent.sk && !parent.is_by_field()) {
    pieces = moved(templates, *parent.sk, start, owner);
    pieces.emplace_back(std::string(kSeparator));
  }
  // What the partition key and the parent's levels do not tell: of a child's child that lies in the same
  // partition, also its parent's id.
  Pieces held = kind.pk.pieces();
  held.insert(held.end(), pieces.begin(), pieces.end());
  const Pieces own = named(key_word(model.entities[*kind.entity].name),
                           without(templates.identity({}, *kind.entity, owner), held));
  if (!pieces.empty() && std::holds_alternative<std::string>(own.front())) {
    std::get<std::string>(pieces.back()) += std::get<std::string>(own.front());
    pieces.insert(pieces.end(), own.begin() + 1, own.end());
  } else {
    pieces.insert(pieces.end(), own.begin(), own.end());
  }
  kind.sk = KeyTemplate(std::move(pieces), kind.span);
  kind.is_allocated = true;
}

void allocate_edge_key(const Model& model, const TemplateResolver& templates, const ItemKind& partition,
                       int side, ItemKind& edge) {
  const TemplateOwner owner{.relation = edge.relation};
  const Relation& relation = model.relations[*edge.relation];
  const int other = 1 - side;
  edge.pk = KeyTemplate(
      moved(templates, partition.pk, {.root = HoleSource::Root::kEdgeEnd, .side = side}, owner), edge.span);
  // The partition may be that of a parent: then the rest of the id comes first.
  std::vector<Hole> holes = without(templates.identity({.root = HoleSource::Root::kEdgeEnd, .side = side},
                                                       relation.ends[side].target, owner),
                                    edge.pk.pieces());
  const std::vector<Hole> others = templates.identity({.root = HoleSource::Root::kEdgeEnd, .side = other},
                                                      relation.ends[other].target, owner);
  holes.insert(holes.end(), others.begin(), others.end());
  for (FieldId field = 0; field < relation.edge_fields.size(); ++field) {
    if (relation.edge_fields[field].is_id)
      holes.push_back(
          templates.hole({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}, owner));
  }
  edge.sk = KeyTemplate(named(key_word(relation.ends[other].name), holes), edge.span);
  edge.is_allocated = true;
}

namespace {

// What the partitions of children in an index begin with.
std::string view_word(const Model& model, EndId to_parent) {
  const End& to = model.end(to_parent);
  // Several relations between one pair: each has its own partitions.
  const bool is_only =
      std::count_if(model.relations.begin(), model.relations.end(), [&](const Relation& relation) {
        const End& end = relation.ends[to_parent.side];
        return end.holder == to.holder && end.target == to.target;
      }) == 1;
  return key_word(is_only ? model.entities[to.target].name : to.name);
}

}  // namespace

IndexEntry child_view(const Model& model, const TemplateResolver& templates, EndId to_parent,
                      const ItemKind& kind) {
  const TemplateOwner owner{.entity = kind.entity};
  const EntityId parent = model.end(to_parent).target;
  IndexEntry entry{.span = kind.span};
  entry.pk = KeyTemplate(
      named(view_word(model, to_parent), templates.identity({.path = {.ends = {to_parent}}}, parent, owner)),
      kind.span);
  entry.sk = KeyTemplate(
      named(key_word(model.entities[*kind.entity].name), templates.identity({}, *kind.entity, owner)),
      kind.span);
  return entry;
}

IndexEntry parent_view(const Model& model, const TemplateResolver& templates, EndId to_parent,
                       const ItemKind& parent) {
  const std::vector<Hole> holes = templates.identity({}, *parent.entity, {.entity = parent.entity});
  IndexEntry entry{.span = parent.span};
  entry.pk = KeyTemplate(named(view_word(model, to_parent), holes), parent.span);
  entry.sk = KeyTemplate(named(key_word(model.entities[*parent.entity].name), holes), parent.span);
  return entry;
}

IndexEntry edge_view(const Model& model, const TemplateResolver& templates, int side, const ItemKind& edge) {
  const TemplateOwner owner{.relation = edge.relation};
  const Relation& relation = model.relations[*edge.relation];
  const int other = 1 - side;
  IndexEntry entry{.span = edge.span};
  entry.pk = KeyTemplate(named(key_word(model.entities[relation.ends[side].target].name),
                               templates.identity({.root = HoleSource::Root::kEdgeEnd, .side = side},
                                                  relation.ends[side].target, owner)),
                         edge.span);
  std::vector<Hole> holes = templates.identity({.root = HoleSource::Root::kEdgeEnd, .side = other},
                                               relation.ends[other].target, owner);
  for (FieldId field = 0; field < relation.edge_fields.size(); ++field) {
    if (relation.edge_fields[field].is_id)
      holes.push_back(
          templates.hole({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}, owner));
  }
  entry.sk = KeyTemplate(named(key_word(relation.ends[other].name), holes), edge.span);
  return entry;
}

}  // namespace sheaf::model

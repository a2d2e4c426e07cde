#include <algorithm>

#include "model/value_type.h"
#include "prove/layout_maker.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

constexpr size_t kIndexesMax = 8;

bool is_same_key(const language::Template& a, const language::Template& b) {
  return written_keys({.pk = a}) == written_keys({.pk = b});
}

const language::Hole* only_hole(const language::Template& key) {
  return key.pieces.size() == 1 ? std::get_if<language::Hole>(&key.pieces.front()) : nullptr;
}

}  // namespace

void LayoutMaker::make_lines() {
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    if (has_items(entity) && !is_by_field(entity) && is_keyed_[entity] && !found_by_id_[entity] &&
        !draw_.chance.one_in(6))
      add_lookup(entity);
  }
  for (const View& view : views_) {
    if (!draw_.chance.one_in(8)) add_view(view);
  }
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    if (has_items(entity)) cover_inherited(entity);
  }
}

void LayoutMaker::add_lookup(EntityId entity) {
  KeysDraft keys{.pk = keys_.joined(keys_.fresh_word(words_[entity] + "ID"), keys_.identity(entity))};
  if (!draw_.chance.one_in(3)) keys.sk = keys_.word(words_[entity]);
  add_line(table_of_[entity], made_.entities[entity], model_.entities[entity].name, keys);
}

// The children of one parent, in a partition of an index; its name.
std::string LayoutMaker::add_children(RelationId relation) {
  const model::End& to_child = model_.relations[relation].ends[0];
  const EntityId child = to_child.target;
  const std::string& end = model_.relations[relation].ends[1].name;
  const std::vector<HoleDraft> parent = keys_.identity(to_child.holder, {end});
  const std::vector<HoleDraft> ids = keys_.identity(child);
  const auto fits = [](const HoleDraft& hole) { return fits_in_keys(hole); };
  if (!std::all_of(parent.begin(), parent.end(), fits) || !std::all_of(ids.begin(), ids.end(), fits))
    return "";
  KeysDraft keys;
  const bool can_be_bare = parent.size() == 1 && parent.front().type.kind != language::Type::Kind::kBool;
  if (can_be_bare && draw_.chance.percent(is_natural_[child] ? 75 : 10)) {
    keys.pk = keys_.bare(parent.front());
    keys.pk_type = attribute_type(parent.front().type);
  } else {
    keys.pk = keys_.joined(keys_.fresh_word(end), parent);
  }
  std::vector<HoleDraft> rest = ids;
  if (draw_.chance.one_in(3)) {
    if (const auto ordered = own_field(child, false)) rest.insert(rest.begin(), *ordered);
  }
  if (!draw_.chance.one_in(4))
    keys.sk = keys_.joined(maybe() ? words_[child] : keys_.fresh_word(words_[child]), rest);
  return add_line(table_of_[child], made_.entities[child], model_.entities[child].name, keys);
}

// The hole of a field, if the items of the entity know it or can be given a copy.
std::optional<HoleDraft> LayoutMaker::reachable(const PlaceChoice& choice) {
  const HoleDraft hole = keys_.hole_of(choice);
  if (!fits_in_keys(hole) || choice.place.kind != model::Place::Kind::kField) return std::nullopt;
  const std::vector<model::EndId>& ends = choice.place.ends;
  if (ends.empty() || choice.is_id) return hole;
  const model::EndId end = ends.front();
  if (end.side != 1 || !is_reference(ways_[end.relation])) return std::nullopt;
  const EntityId target = model_.end(end).target;
  const model::FieldPath rest{.ends = {ends.begin() + 1, ends.end()}, .field = choice.place.field};
  if (is_in_identity(model_, target, rest)) return hole;
  const model::Field& field = model_.entities[target].fields[choice.place.field];
  const bool can_be_copied = ends.size() == 1 && is_copyable(field) && !is_by_field(target) &&
                             has_items(target) && draw_.may(Topic::kCopies) &&
                             (ways_[end.relation] != Way::kRef || field.syntax->is_immutable);
  if (!can_be_copied) return std::nullopt;
  copies_[{end.relation, end.side}].insert(field.name);
  return hole;
}

void LayoutMaker::add_view(const View& view) {
  const bool is_along_edges = view.end && is_edge(ways_[view.end->relation]);
  if (is_along_edges) {
    add_edge_view(view);
  } else {
    add_entity_view(view);
  }
}

// WORD#<led>.. / <led>..#<sorted>#<id>: what is led by equalities can be split between the two keys.
KeysDraft LayoutMaker::view_keys(const std::string& name, std::vector<HoleDraft> led,
                                 const std::optional<HoleDraft>& sorted, const std::vector<HoleDraft>& id) {
  KeysDraft keys;
  size_t in_partition = led.size();
  if (led.size() > 1 && draw_.chance.one_in(2)) in_partition = draw_.chance.between(1, led.size());
  const std::vector<HoleDraft> first(led.begin(), led.begin() + static_cast<ptrdiff_t>(in_partition));
  std::vector<HoleDraft> rest(led.begin() + static_cast<ptrdiff_t>(in_partition), led.end());
  const bool can_be_bare = first.size() == 1 && first.front().type.kind != language::Type::Kind::kBool;
  if (can_be_bare && draw_.chance.percent(15)) {
    keys.pk = keys_.bare(first.front());
    keys.pk_type = attribute_type(first.front().type);
  } else {
    keys.pk = keys_.joined(keys_.fresh_word(name), first);
  }
  if (rest.empty() && sorted && sorted->type.kind != language::Type::Kind::kBool &&
      draw_.chance.percent(25)) {
    keys.sk = keys_.bare(*sorted);
    keys.sk_type = attribute_type(sorted->type);
    return keys;
  }
  if (sorted) {
    rest.push_back(*sorted);
    rest.back().is_ordered = true;
  }
  if (!draw_.chance.one_in(6)) rest.insert(rest.end(), id.begin(), id.end());
  if (rest.empty() && maybe()) return keys;
  const std::string word = maybe() ? keys_.fresh_word(name) : "";
  keys.sk = rest.empty() ? keys_.word("S") : keys_.joined(word, rest);
  return keys;
}

void LayoutMaker::add_entity_view(const View& view) {
  const EntityId entity = view.entity;
  if (!has_items(entity) || is_by_field(entity) || !can_be_keyed(entity)) return;
  std::vector<HoleDraft> led;
  if (view.end) {
    // From what it leads to back to where it started.
    const model::EndId back = view.end->other();
    if (back.side != 1 || !is_reference(ways_[back.relation])) return;
    led = keys_.identity(model_.end(*view.end).holder, {model_.end(back).name});
  }
  for (const PlaceChoice& place : view.equal) {
    const auto hole = reachable(place);
    if (!hole) return;
    led.push_back(*hole);
  }
  std::optional<HoleDraft> sorted;
  if (view.sorted) {
    sorted = reachable(*view.sorted);
    if (!sorted) return;
  }
  if (!std::all_of(led.begin(), led.end(), [](const HoleDraft& hole) { return fits_in_keys(hole); })) return;
  std::vector<HoleDraft> id = keys_.identity(entity);
  // A key holds a field once.
  std::erase_if(id, [&](const HoleDraft& hole) { return sorted && sorted->names == hole.names; });
  KeysDraft keys = view_keys(words_[entity], std::move(led), sorted, id);
  if (!add_shared_line(entity, keys).empty()) return;
  add_line(table_of_[entity], made_.entities[entity], model_.entities[entity].name, keys, view.when);
}

// An index whose partition or sort key is an attribute of the table's own key.
std::string LayoutMaker::add_shared_line(EntityId entity, const KeysDraft& wanted) {
  PhysicalDraft& physical = made_.entities[entity];
  TableDraft& table = made_.tables[table_of_[entity]];
  if (!physical.key || !wanted.sk || table.indexes.size() >= kIndexesMax || !draw_.chance.one_in(6))
    return "";
  KeysDraft keys = wanted;
  IndexDraft index = new_index(table, keys, "");
  index.is_shared = false;
  const size_t kind = draw_.chance.below(4);
  if (kind == 0 && physical.key->sk) {
    keys.sk = physical.key->sk;
    index.sk = table.sk;
  } else if (kind == 1) {
    keys.sk = physical.key->pk;
    index.sk = table.pk;
  } else if (kind == 2 && physical.key->sk) {
    keys.pk = *physical.key->sk;
    index.pk = table.sk;
  } else {
    keys.pk = physical.key->pk;
    index.pk = table.pk;
  }
  const bool is_told = std::any_of(physical.indexes.begin(), physical.indexes.end(),
                                   [&](const IndexLine& line) { return is_same_key(line.keys.pk, keys.pk); });
  if (is_told || index.pk == index.sk) return "";
  index.users.insert(model_.entities[entity].name);
  physical.indexes.push_back({.index = index.name, .keys = std::move(keys)});
  table.indexes.push_back(std::move(index));
  return physical.indexes.back().index;
}

// A field of what the end leads to, which an item that names it can have a copy of.
bool LayoutMaker::can_be_copied(model::EndId end, const PlaceChoice& choice) const {
  const EntityId target = model_.end(end).target;
  return choice.place.kind == model::Place::Kind::kField && choice.place.ends.empty() &&
         !is_by_field(target) && has_items(target) && draw_.may(Topic::kCopies) &&
         is_copyable(model_.entities[target].fields[choice.place.field]);
}

void LayoutMaker::add_edge_view(const View& view) {
  const RelationId relation = view.end->relation;
  ViaDraft& via = made_.relations[relation];
  if (!via.physical.key || model_.relations[relation].is_symmetric || via.physical.second_key ||
      via.way == "edges pk both")
    return;
  std::vector<HoleDraft> led = edge_identity(relation, view.end->other().side);
  std::vector<HoleDraft> other = edge_identity(relation, view.end->side);
  const std::string end = model_.end(*view.end).name;
  const auto hole_of = [&](const PlaceChoice& choice) -> std::optional<HoleDraft> {
    HoleDraft hole = keys_.hole_of(choice);
    if (choice.place.kind == model::Place::Kind::kEdgeField && choice.place.ends.empty()) {
      hole.names.erase(hole.names.begin());  // edge.
    } else if (choice.is_id || can_be_copied(*view.end, choice)) {
      hole.names.insert(hole.names.begin(), end);
      if (!choice.is_id) copies_[{relation, view.end->side}].insert(choice.names.back());
    } else {
      return std::nullopt;
    }
    return fits_in_keys(hole) ? std::optional(hole) : std::nullopt;
  };
  for (const PlaceChoice& place : view.equal) {
    const auto hole = hole_of(place);
    if (!hole) return;
    led.push_back(*hole);
  }
  std::optional<HoleDraft> sorted;
  if (view.sorted) {
    sorted = hole_of(*view.sorted);
    if (!sorted) return;
    std::erase_if(other, [&](const HoleDraft& hole) { return hole.names == sorted->names; });
  }
  const KeysDraft keys = view_keys(end, std::move(led), sorted, other);
  const size_t table = via.physical.table.empty() && pk_side_[relation]
                           ? table_of_[model_.relations[relation].ends[*pk_side_[relation]].target]
                           : *edge_table_;
  add_line(table, via.physical, "edges of " + std::to_string(relation), keys);
}

// The base's lines go on to name indexes, which the tables of this layout must have, too.
void LayoutMaker::prepare_inherited() {
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    TableDraft& table = made_.tables[table_of_[entity]];
    for (const IndexLine& line : inherited_[entity]) {
      const bool is_there = std::any_of(table.indexes.begin(), table.indexes.end(),
                                        [&](const IndexDraft& each) { return each.name == line.index; });
      KeysDraft keys;
      if (line.keys.sk) keys.sk.emplace();
      if (!is_there) table.indexes.push_back(new_index(table, keys, line.index));
    }
  }
}

// Lines of the base that are not written anew: their words would be those of other keys.
void LayoutMaker::cover_inherited(EntityId entity) {
  PhysicalDraft& physical = made_.entities[entity];
  for (const IndexLine& line : inherited_[entity]) {
    const bool is_covered = std::any_of(physical.indexes.begin(), physical.indexes.end(),
                                        [&](const IndexLine& each) { return each.index == line.index; });
    if (is_covered || !can_be_keyed(entity)) continue;
    TableDraft& table = made_.tables[table_of_[entity]];
    const auto index = std::find_if(table.indexes.begin(), table.indexes.end(),
                                    [&](const IndexDraft& each) { return each.name == line.index; });
    if (index == table.indexes.end()) continue;
    KeysDraft keys{.pk = keys_.joined(keys_.fresh_word(words_[entity]), keys_.identity(entity))};
    if (!index->sk.empty()) keys.sk = keys_.word("S");
    index->users.insert(model_.entities[entity].name);
    physical.indexes.push_back({.index = index->name, .keys = std::move(keys)});
  }
}

std::string LayoutMaker::projection_of(const std::string& kind) {
  const size_t chosen = draw_.chance.below(20);
  if (chosen < 13) return chosen < 4 ? " all" : "";
  if (chosen < 16) return " keys";
  std::string names;
  for (const model::Entity& entity : model_.entities) {
    if (entity.name != kind) continue;
    for (const model::Field& field : entity.fields) {
      if (!field.is_id && draw_.chance.one_in(3))
        names += (names.empty() ? "" : ", ") + written_name(field.attribute);
    }
  }
  return names.empty() ? "" : " include(" + names + ")";
}

IndexDraft LayoutMaker::new_index(const TableDraft& table, const KeysDraft& keys, const std::string& wanted) {
  static const std::vector<std::string> words = {"by_field", "GSI", "gsi-", "idx.", "view"};
  IndexDraft index{.name = wanted, .pk_type = keys.pk_type, .sk_type = keys.sk_type};
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(table.indexes.begin(), table.indexes.end(),
                       [&](const IndexDraft& each) { return each.name == name; });
  };
  for (size_t number = table.indexes.size(); index.name.empty(); ++number) {
    const std::string name = draw_.chance.of(words) + std::to_string(number);
    if (!is_taken(name)) index.name = name;
  }
  std::string stem = index.name;
  std::erase_if(stem, [](char c) { return !fits_in_keys(std::string_view(&c, 1)); });
  index.pk = stem + "PK";
  if (keys.sk) index.sk = stem + "SK";
  return index;
}

IndexDraft& LayoutMaker::index_for(TableDraft& table, const std::string& kind, const KeysDraft& keys,
                                   const std::string& wanted) {
  const auto fits = [&](const IndexDraft& index) {
    return (wanted.empty() || index.name == wanted) && index.is_shared && !index.users.contains(kind) &&
           index.sk.empty() == !keys.sk && index.pk_type == keys.pk_type &&
           (!keys.sk || index.sk_type == keys.sk_type);
  };
  std::vector<size_t> found;
  for (size_t i = 0; i < table.indexes.size(); ++i) {
    if (fits(table.indexes[i])) found.push_back(i);
  }
  const bool is_full = table.indexes.size() >= kIndexesMax;
  if (!found.empty() && (is_full || !wanted.empty() || draw_.chance.percent(75)))
    return table.indexes[draw_.chance.of(found)];
  IndexDraft index = new_index(table, keys, wanted);
  // The attribute of the index is the field: nothing else can lie in it.
  if (const language::Hole* const hole = only_hole(keys.pk); hole != nullptr && maybe()) {
    std::string name;
    for (const language::Name& part : hole->path.names) name += (name.empty() ? "" : "_") + part.text;
    if (name != table.pk && name != table.sk) {
      index.pk = name;
      index.is_shared = false;
    }
  }
  if (const language::Hole* const hole = keys.sk ? only_hole(*keys.sk) : nullptr;
      hole != nullptr && maybe()) {
    const std::string name = hole->path.names.back().text;
    if (hole->path.names.size() == 1 && name != index.pk && name != table.pk && name != table.sk) {
      index.sk = name;
      index.is_shared = false;
    }
  }
  index.projection = projection_of(kind);
  table.indexes.push_back(std::move(index));
  return table.indexes.back();
}

std::string LayoutMaker::add_line(size_t table, PhysicalDraft& physical, const std::string& kind,
                                  const KeysDraft& keys, const std::string& when) {
  std::string wanted;
  for (EntityId entity = 0; entity < model_.entities.size() && wanted.empty(); ++entity) {
    if (model_.entities[entity].name != kind) continue;
    for (const IndexLine& line : inherited_[entity]) {
      const bool is_covered = std::any_of(physical.indexes.begin(), physical.indexes.end(),
                                          [&](const IndexLine& each) { return each.index == line.index; });
      const std::vector<IndexDraft>& there = made_.tables[table].indexes;
      const bool fits = std::any_of(there.begin(), there.end(), [&](const IndexDraft& each) {
        return each.name == line.index && each.is_shared && each.sk.empty() == !keys.sk &&
               each.pk_type == keys.pk_type && (!keys.sk || each.sk_type == keys.sk_type);
      });
      if (!is_covered && fits) wanted = line.index;
    }
  }
  IndexDraft& index = index_for(made_.tables[table], kind, keys, wanted);
  index.users.insert(kind);
  physical.indexes.push_back({.index = index.name, .keys = keys, .when = when});
  return index.name;
}

}  // namespace sheaf::prove

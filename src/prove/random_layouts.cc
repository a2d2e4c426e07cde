#include <algorithm>

#include "model/value_type.h"
#include "prove/layout_maker.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using Format = language::Hole::Format;

// Whether all of an entity is its identity, so that edges alone can tell it.
bool is_only_ids(const model::Model& model, model::EntityId entity) {
  const std::vector<model::Field>& fields = model.entities[entity].fields;
  return !model.entities[entity].within && !model.entities[entity].syntax->ttl &&
         std::all_of(fields.begin(), fields.end(), [](const model::Field& field) { return field.is_id; });
}

bool has_hole(const language::Template& key, const std::vector<std::string>& names) {
  return std::any_of(key.pieces.begin(), key.pieces.end(), [&](const auto& piece) {
    const auto* hole = std::get_if<language::Hole>(&piece);
    if (hole == nullptr || hole->path.names.size() != names.size()) return false;
    if (hole->format != Format::kPlain && hole->format != Format::kDigits && hole->format != Format::kRaw)
      return false;
    return std::equal(names.begin(), names.end(), hole->path.names.begin(),
                      [](const std::string& a, const language::Name& b) { return a == b.text; });
  });
}

}  // namespace

LayoutMaker::LayoutMaker(Draw& draw, const model::Model& model, const std::vector<View>& views,
                         const StorageDraft& base)
    : draw_(draw), model_(model), views_(views), base_(base), made_(base), keys_(draw, model) {}

StorageDraft LayoutMaker::run(bool has_keys) {
  has_keys_ = has_keys || base_.has_keys();
  const size_t count = model_.entities.size();
  table_of_.resize(count);
  words_.resize(count);
  is_keyed_.resize(count);
  is_natural_.resize(count);
  found_by_id_.assign(count, true);
  is_spread_.resize(count);
  pk_side_.resize(model_.relations.size());
  choose_ghosts();
  std::vector<bool> keyed, searched(model_.relations.size());
  for (const View& view : views_) {
    if (view.end) searched[view.end->relation] = true;
    for (const PlaceChoice& place : view.equal) {
      if (!place.place.ends.empty()) searched[place.place.ends.front().relation] = true;
    }
    if (view.sorted && !view.sorted->place.ends.empty())
      searched[view.sorted->place.ends.front().relation] = true;
  }
  for (const PhysicalDraft& physical : base_.entities)
    keyed.push_back(physical.key || !physical.indexes.empty());
  ways_ = random_ways(draw_, model_, ghosts_, keyed, searched);
  choose_stores();
  for (EntityId entity = 0; entity < count; ++entity)
    words_[entity] = keys_.fresh_word(model_.entities[entity].name);
  if (has_keys_) {
    make_tables();
    for (EntityId entity = 0; entity < count; ++entity) make_key(entity);
    clear_unused();
    prepare_inherited();
  }
  for (RelationId relation = 0; relation < ways_.size(); ++relation) make_via(relation);
  if (has_keys_) make_lines();
  for (RelationId relation = 0; relation < ways_.size(); ++relation) write_copies(relation);
  return std::move(made_);
}

// --- What is stored as items of its own

void LayoutMaker::choose_ghosts() {
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    const bool may_be =
        is_only_ids(model_, entity) && !model_.entities[entity].ends.empty() &&
        std::none_of(model_.entities.begin(), model_.entities.end(), [&](const model::Entity& each) {
          return each.within && model_.end(*each.within).target == entity;
        });
    const bool is_keyed = base_.entities[entity].key || !base_.entities[entity].indexes.empty();
    const bool has_ghost = std::any_of(model_.entities[entity].ends.begin(),
                                       model_.entities[entity].ends.end(), [&](model::EndId end) {
                                         const EntityId target = model_.end(end).target;
                                         return target == entity || (target < entity && ghosts_[target]);
                                       });
    const bool is_ghost = may_be && !is_keyed && !has_ghost && draw_.wants(Topic::kGhosts, 60);
    ghosts_.push_back(is_ghost);
    std::string& store = made_.entities[entity].store;
    if (is_ghost) {
      store = "none";
    } else if (!store.empty() || draw_.chance.one_in(12)) {
      store = "item";
    }
  }
}

bool LayoutMaker::is_embedded(EntityId entity) const {
  for (RelationId id = 0; id < ways_.size(); ++id) {
    if (ways_[id] == Way::kEmbed && model_.relations[id].ends[0].target == entity) return true;
  }
  return false;
}

// None of its items has room for what names others, and each holds one field.
bool LayoutMaker::can_be_by_field(EntityId entity) const {
  const model::Entity& self = model_.entities[entity];
  const bool has_anchor = std::any_of(self.fields.begin(), self.fields.end(),
                                      [](const model::Field& field) { return field.tells_presence(); });
  if (!has_anchor || self.syntax->ttl || self.fields.size() > 40 || model_.find_field(entity, "attribute"))
    return false;
  if (const auto lines = inherited_.find(entity); lines != inherited_.end() && !lines->second.empty())
    return false;
  if (!base_.entities[entity].indexes.empty() || !has_items(entity)) return false;
  for (RelationId id = 0; id < ways_.size(); ++id) {
    const model::Relation& relation = model_.relations[id];
    if (is_edge(ways_[id])) continue;
    if (relation.ends[0].target == entity) return false;
    const bool is_named = ways_[id] == Way::kIndex || ways_[id] == Way::kRef || ways_[id] == Way::kCollection;
    if (relation.ends[0].holder == entity && !is_named) return false;
  }
  return true;
}

void LayoutMaker::choose_stores() {
  for (EntityId entity = 0; entity < model_.entities.size(); ++entity) {
    if (can_be_by_field(entity) && draw_.wants(Topic::kFieldByField, 25))
      made_.entities[entity].store = "eav";
    if (draw_.chance.one_in(10)) made_.entities[entity].tag = "tag of " + std::to_string(entity);
  }
}

std::optional<model::RelationId> LayoutMaker::parent_relation(EntityId entity) const {
  for (RelationId id = 0; id < ways_.size(); ++id) {
    const bool is_child = model_.relations[id].ends[0].target == entity;
    if (is_child && (ways_[id] == Way::kCollection || ways_[id] == Way::kPath)) return id;
  }
  return std::nullopt;
}

bool LayoutMaker::has_children_in_partition(EntityId entity) const {
  for (RelationId id = 0; id < ways_.size(); ++id) {
    if ((ways_[id] == Way::kCollection || ways_[id] == Way::kPath) &&
        model_.relations[id].ends[0].holder == entity)
      return true;
  }
  return false;
}

// --- Keys

bool LayoutMaker::can_be_keyed(EntityId entity) const {
  const std::vector<HoleDraft> ids = keys_.identity(entity);
  return std::all_of(ids.begin(), ids.end(), [](const HoleDraft& hole) { return fits_in_keys(hole); });
}

void LayoutMaker::make_key(EntityId entity) {
  if (!has_items(entity) || is_keyed_[entity]) return;
  const bool may_be_left = base_.entities[entity].key == std::nullopt;
  if (!can_be_keyed(entity) || (may_be_left && !is_natural_[entity] && draw_.chance.one_in(8))) return;
  PhysicalDraft& physical = made_.entities[entity];
  if (is_natural_[entity]) return make_natural(entity);
  if (is_by_field(entity)) {
    physical.key = by_field_key(entity);
  } else if (const auto relation = parent_relation(entity)) {
    const EntityId parent = model_.relations[*relation].ends[0].holder;
    make_key(parent);
    if (!is_keyed_[parent]) return;
    physical.key = child_key(entity, *relation);
  } else {
    physical.key = own_key(entity);
  }
  is_keyed_[entity] = true;
}

// A field of the entity that is never missing, for the order of its items.
std::optional<HoleDraft> LayoutMaker::own_field(EntityId entity, bool is_textual) {
  std::vector<HoleDraft> found;
  const std::vector<model::Field>& fields = model_.entities[entity].fields;
  for (model::FieldId id = 0; id < fields.size(); ++id) {
    const model::Field& field = fields[id];
    if (field.is_id || field.is_optional || field.count_of || field.kept == model::Kept::kVersion) continue;
    HoleDraft hole = keys_.hole_of(entity, {.field = id});
    hole.is_ordered = true;
    if (fits_in_keys(hole) && (!is_textual || model::is_textual(field.type)))
      found.push_back(std::move(hole));
  }
  if (found.empty()) return std::nullopt;
  return draw_.chance.of(found);
}

// A bucket of a time, or a shard, behind the partition key.
void LayoutMaker::spread(EntityId entity, language::Template& pk) {
  const std::vector<HoleDraft> ids = keys_.identity(entity);
  if (!ids.empty() && draw_.wants(Topic::kShards, 8)) {
    static const std::vector<int64_t> counts = {2, 4, 10, 11};
    return keys_.append_part(pk, ids.back(), Format::kShard, draw_.chance.of(counts));
  }
  if (!draw_.wants(Topic::kBuckets, 30)) return;
  const std::vector<model::Field>& fields = model_.entities[entity].fields;
  for (model::FieldId id = 0; id < fields.size(); ++id) {
    const HoleDraft hole = keys_.hole_of(entity, {.field = id});
    if (hole.since.empty() || fields[id].is_optional || !fits_in_keys(hole)) continue;
    static const std::vector<Format> formats = {Format::kYear, Format::kYear, Format::kMonth, Format::kMonth,
                                                Format::kDay};
    Format format = draw_.chance.of(formats);
    // Each hour would be a request.
    if (hole.type.kind == language::Type::Kind::kTime && draw_.chance.one_in(4)) format = Format::kHour;
    if (!fields[id].is_id) found_by_id_[entity] = false, is_spread_[entity] = true;
    return keys_.append_part(pk, hole, format, 0);
  }
}

// A bucket or a shard before the rest of the sort key.
void LayoutMaker::spread_sort_key(EntityId entity, KeysDraft& keys) {
  const std::vector<HoleDraft> ids = keys_.identity(entity);
  language::Template sk = keys_.word(words_[entity]);
  const bool was_spread = is_spread_[entity];
  spread(entity, sk);
  is_spread_[entity] = was_spread;
  if (sk.pieces.size() > 1) keys.sk = std::move(sk);
}

KeysDraft LayoutMaker::own_key(EntityId entity) {
  const std::vector<HoleDraft> ids = keys_.identity(entity);
  const std::string& word = words_[entity];
  const bool is_plain = has_children_in_partition(entity);
  const size_t kind = is_plain ? draw_.chance.below(4) : draw_.chance.below(10);
  KeysDraft keys;
  if (kind == 4 && ids.size() > 1) {
    keys.pk = keys_.joined(word, {ids.front()});
    keys.sk = keys_.joined(maybe() ? word : "", {ids.begin() + 1, ids.end()});
  } else {
    keys.pk = keys_.joined(word, ids);
    keys.sk = maybe() ? keys.pk : keys_.word(maybe() ? "A" : word);
  }
  if (kind == 8) {
    keys.pk = keys_.word(word);
    keys.sk = keys_.joined(maybe() ? word : "", ids);
  }
  if (kind == 9) spread_sort_key(entity, keys);
  const auto ordered = kind == 5 || kind == 6 ? own_field(entity, false) : std::nullopt;
  if (ordered) {
    keys.sk = keys_.joined(word, {*ordered});
    found_by_id_[entity] = false;
  }
  const auto bare = kind == 7 ? own_field(entity, true) : std::nullopt;
  if (bare) {
    keys.sk = keys_.bare(*bare);
    found_by_id_[entity] = false;
  }
  if (!is_plain) spread(entity, keys.pk);
  return keys;
}

KeysDraft LayoutMaker::child_key(EntityId entity, RelationId relation) {
  const model::Relation& self = model_.relations[relation];
  const PhysicalDraft& parent = made_.entities[self.ends[0].holder];
  const std::string& end = self.ends[1].name;
  KeysDraft keys{.pk = KeyWriter::moved(parent.key->pk, end)};
  const bool is_plain = has_children_in_partition(entity);
  if (!is_plain && draw_.chance.one_in(3)) spread(entity, keys.pk);
  language::Template levels;
  if (ways_[relation] == Way::kPath && parent.key->sk) {
    levels = KeyWriter::moved(*parent.key->sk, end);
    // What follows begins with the separator that paths have.
    if (auto* text = std::get_if<std::string>(&levels.pieces.back())) {
      *text += "#";
    } else {
      levels.pieces.emplace_back(std::string("#"));
    }
  }
  std::vector<HoleDraft> rest;
  const auto ordered = !is_plain && draw_.chance.one_in(4) ? own_field(entity, false) : std::nullopt;
  if (ordered) {
    rest.push_back(*ordered);
    found_by_id_[entity] = false;
  }
  for (const HoleDraft& hole : keys_.identity(entity)) {
    if (!has_hole(keys.pk, hole.names) && !has_hole(levels, hole.names)) rest.push_back(hole);
  }
  language::Template own = keys_.joined(words_[entity], rest);
  if (levels.pieces.empty()) {
    keys.sk = std::move(own);
  } else {
    std::get<std::string>(levels.pieces.back()) += std::get<std::string>(own.pieces.front());
    levels.pieces.insert(levels.pieces.end(), own.pieces.begin() + 1, own.pieces.end());
    keys.sk = std::move(levels);
  }
  return keys;
}

KeysDraft LayoutMaker::by_field_key(EntityId entity) {
  const HoleDraft attribute{.names = {"attribute"}};
  KeysDraft keys{.pk = keys_.joined(words_[entity], keys_.identity(entity))};
  if (maybe()) {
    keys.sk = keys_.bare(attribute);
  } else {
    language::Template sk = keys_.word("A" + keys_.delimiter());
    sk.pieces.push_back(keys_.bare(attribute).pieces.front());
    keys.sk = std::move(sk);
  }
  return keys;
}

StorageDraft random_extension(Draw& draw, const model::Model& model, const StorageDraft& base) {
  StorageDraft made = base;
  for (model::RelationId id = 0; id < model.relations.size(); ++id) {
    const model::Relation& relation = model.relations[id];
    ViaDraft& via = made.relations[id];
    const bool is_plain = via.physical.indexes.empty() && !via.physical.key;
    if (!is_plain || !draw.chance.one_in(2)) continue;
    if (via.way.starts_with("edges")) {
      via.way = relation.is_symmetric ? "edges" : via.way == "edges pk both" ? "edges" : "edges pk both";
    } else if (via.way.starts_with("index") && via.copies.empty()) {
      via.copies.push_back(written_name(relation.ends[1].name) + "(*)");
    } else if (via.way.empty()) {
      via.way = "auto";
    }
  }
  for (PhysicalDraft& physical : made.entities) {
    if (draw.chance.one_in(4)) physical.tag = "other";
  }
  return made;
}

}  // namespace sheaf::prove

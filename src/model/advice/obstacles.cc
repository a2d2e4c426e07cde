#include "model/advice/obstacles.h"

#include <algorithm>

#include "base/article.h"
#include "model/strategies/choice.h"
#include "model/strategies/edge_search.h"
#include "model/strategies/entry_bounds.h"
#include "model/strategies/strategy.h"

namespace sheaf::model {
namespace {

using Via = language::Via::Kind;
using Found = std::optional<std::string>;

// As the strategies count: what an item has room for, and what an entry takes in it.
constexpr int64_t kItemBytes = 400 * 1024, kEntryBytes = 40;

class ObstacleFinder {
 public:
  ObstacleFinder(const Model& model, const LayoutClauses& clauses, RelationId id)
      : model_(model), clauses_(clauses), id_(id), relation_(model.relations[id]) {}

  Found run(Outcome outcome, int along) const {
    const Strategy* const strategy = find_strategy(text_of(outcome).via);
    if (strategy == nullptr) return std::nullopt;
    language::Diagnostics diagnostics;
    Mistakes mistakes(diagnostics);
    if (!fits(*strategy, model_, relation_, {}, mistakes))
      return diagnostics.all().empty() ? "it has mistakes" : diagnostics.all().front().message;
    if (strategy->needs_items()) {
      if (const auto found = without_items()) return found;
    }
    switch (strategy->kind()) {
      case Via::kEmbed:
        return to_embed();
      case Via::kCollection:
        return to_partition(false);
      case Via::kPath:
        return to_partition(true);
      case Via::kIndex:
      case Via::kRef:
        return to_reference();
      case Via::kLists:
        return to_entries(0, 1);
      case Via::kIds:
        return relation_.is_symmetric ? to_entries(0, 1) : to_entries(along, along);
      case Via::kEdges:
      case Via::kGraph:
        return to_edges(outcome, along);
      case Via::kAuto:
        break;
    }
    return std::nullopt;
  }

 private:
  const End& to_many() const { return relation_.ends[0]; }
  const Entity& entity(EntityId id) const { return model_.entities[id]; }
  const language::Physical& physical(EntityId id) const { return clauses_.entities[id]; }
  bool is_within() const { return entity(to_many().target).within == EndId{.relation = id_, .side = 1}; }

  Found without_items() const {
    for (const End& end : relation_.ends) {
      if (physical(end.target).store == language::Store::kNone)
        return entity(end.target).name + " has no items of its own: only edges lead to it";
    }
    return std::nullopt;
  }

  // What is stored field by field has no item with room for others.
  Found by_field(EntityId id) const {
    if (physical(id).store != language::Store::kEav) return std::nullopt;
    return "no item of what is stored field by field has room for the id of the other";
  }

  // None: it is not known which, or nobody wrote one down.
  const language::Table* table_of(EntityId id) const {
    if (clauses_.tables.size() == 1 && !physical(id).table) return clauses_.tables.front();
    if (!physical(id).table) return nullptr;
    for (const language::Table* table : clauses_.tables) {
      if (table->name == *physical(id).table) return table;
    }
    return nullptr;
  }

  Found to_embed() const {
    const End& end = to_many();
    const Entity& child = entity(end.target);
    if (end.leads_to_many && !end.max) return "without a bound that is declared they do not fit an item";
    if (end.leads_to_many && *end.max > kItemBytes / embedded_bytes(child))
      return std::to_string(*end.max) + " do not fit an item of 400 KB";
    if (!is_within())
      return "the id of " + with_article(child.name) + " does not say in which " + entity(end.holder).name +
             " it lies";
    if (child.ends.size() > 1) return child.name + " has other relations, and an embedded entity has no item";
    const bool is_unique = std::any_of(child.fields.begin(), child.fields.end(), [](const Field& field) {
      return field.syntax != nullptr && field.syntax->is_unique;
    });
    if (is_unique) return child.name + " has unique fields, and an embedded entity has no item";
    if (child.syntax->versioned || child.syntax->timestamps || child.syntax->ttl)
      return child.name +
             " has what belongs to an item of its own: a version, timestamps or an end of its time";
    if (physical(end.target).key || !physical(end.target).indexes.empty())
      return child.name + " has keys, and an embedded entity has no item";
    if (physical(end.target).store || physical(end.holder).store == language::Store::kEav)
      return "one of the two is stored in a way of its own";
    return std::nullopt;
  }

  Found to_partition(bool is_path) const {
    const End& end = to_many();
    const Entity& child = entity(end.target);
    const Entity& parent = entity(end.holder);
    if (end.holder == end.target)
      return "nothing lies in a partition of its own kind: there would be no first one";
    if (const auto found = by_field(end.target)) return found;
    if (is_path && physical(end.holder).store == language::Store::kEav)
      return parent.name + " is stored field by field: there is no one item behind which a path goes on";
    if (!relation_.ends[1].is_required)
      return "it can be without " + relation_.ends[1].name + ", and then has no partition to lie in";
    if (child.within && !is_within()) return "it lies in the partition of another parent";
    const language::Table* const mine = table_of(end.target);
    const language::Table* const other = table_of(end.holder);
    if (mine != other) return parent.name + " and " + child.name + " are in different tables";
    if (mine != nullptr && !mine->sk)
      return "the table " + mine->name.text + " has no sort key: a partition holds one item";
    if (const auto found = written_elsewhere(is_path)) return found;
    if (physical(end.target).key) return std::nullopt;  // it lies there
    if (!is_within()) return in_other_partition();
    if (!is_found_by_id(end.holder, true))
      return "the id of " + with_article(parent.name) + " does not tell its partition";
    return std::nullopt;
  }

  // Keys that are written down say where it lies.
  Found written_elsewhere(bool is_path) const {
    const EntityId child = to_many().target;
    if (!physical(child).key) return std::nullopt;
    const auto realised = realised_by_keys(model_, clauses_, id_);
    const std::optional<language::Via>& said = clauses_.relations[id_];
    if (said && (said->kind == Via::kPath || (said->kind == Via::kCollection && !is_path)))
      return std::nullopt;
    const bool is_there =
        realised && (realised->via == Via::kPath || (realised->via == Via::kCollection && !is_path));
    if (is_there) return std::nullopt;
    return "the key of " + entity(child).name + " is written down, and lies elsewhere";
  }

  // A child whose id does not tell its parent can move: nobody else may refer to it, and its parent must stay
  // where it is.
  Found in_other_partition() const {
    const EntityId child = to_many().target, parent = to_many().holder;
    if (entity(child).ends.size() > 1)
      return "its other relations know its own id, which does not tell its parent";
    for (RelationId other = 0; other < model_.relations.size(); ++other) {
      const Relation& each = model_.relations[other];
      if (each.cardinality == language::Cardinality::kManyToMany || each.is_symmetric) continue;
      const bool is_mobile = each.ends[0].target == parent && each.ends[1].is_required &&
                             entity(parent).within != EndId{.relation = other, .side = 1};
      if (is_mobile) return "its parent can move itself";
    }
    return std::nullopt;
  }

  Found to_reference() const {
    if (const auto found = by_field(to_many().target)) return found;
    if (relation_.on_delete == language::OnDelete::kRestrict && to_many().leads_to_many && !is_counted(0))
      return "on delete restrict asks an index, which may not know the newest yet; a count would tell";
    return std::nullopt;
  }

  bool is_counted(int side) const {
    const std::vector<Field>& fields = entity(relation_.ends[side].holder).fields;
    return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
      return field.count_of == EndId{.relation = id_, .side = side};
    });
  }

  // On the items of the holders of these ends.
  Found to_entries(int first, int last) const {
    for (int side = first; side <= last; ++side) {
      const End& end = relation_.ends[side];
      if (const auto found = by_field(end.holder)) return found;
      if (!end.leads_to_many) continue;
      if (!end.max) return "without a bound that is declared they do not fit an item";
      if (*end.max > kItemBytes / (entry_bytes() + kEntryBytes))
        return std::to_string(*end.max) + " do not fit an item of 400 KB";
    }
    if (first == last && !relation_.ends[first].leads_to_many) return "there is no list to keep";
    if (const auto found = in_keys()) return found;
    if (relation_.on_delete == language::OnDelete::kRestrict && first == last)
      return "on delete restrict must find them";
    for (const End& end : relation_.ends) {
      if (!is_found_by_id(end.target, false))
        return "the id of " + with_article(entity(end.target).name) + " may not tell where its item is";
    }
    return std::nullopt;
  }

  int64_t entry_bytes() const {
    int64_t bytes = 0;
    for (const Field& field : relation_.edge_fields) {
      const auto& max = field.syntax->max;
      bytes += static_cast<int64_t>(field.attribute.size()) + (max ? max->value : kEntryBytes);
    }
    return bytes;
  }

  // Whether a hole, from this name of it on, is a part of an id.
  bool is_of_id(EntityId id, const language::Hole& hole, size_t first = 0) const {
    std::string text;
    for (size_t i = first; i < hole.path.names.size(); ++i)
      text += (text.empty() ? "" : ".") + hole.path.names[i].text;
    const std::vector<FieldPath>& identity = entity(id).identity;
    return std::any_of(identity.begin(), identity.end(),
                       [&](const FieldPath& part) { return model_.text(id, part) == text; });
  }

  bool is_made_of_id(EntityId id, const language::Template& key) const {
    return std::all_of(key.pieces.begin(), key.pieces.end(), [&](const auto& piece) {
      const auto* const hole = std::get_if<language::Hole>(&piece);
      return hole == nullptr || is_of_id(id, *hole);
    });
  }

  // One that is written down, holds all of them, and is led by all parts of the id and nothing else.
  bool has_index_of_id(EntityId id) const {
    const std::vector<language::IndexKeys>& indexes = physical(id).indexes;
    return std::any_of(indexes.begin(), indexes.end(), [&](const language::IndexKeys& index) {
      const auto is_hole = [](const auto& piece) { return std::holds_alternative<language::Hole>(piece); };
      const auto& pieces = index.keys.pk.pieces;
      const auto holes = static_cast<size_t>(std::count_if(pieces.begin(), pieces.end(), is_hole));
      return index.when.empty() && is_made_of_id(id, index.keys.pk) && holes == entity(id).identity.size();
    });
  }

  // Whether its key is made of its id alone, as far as that is known before there are keys.
  bool is_found_by_id(EntityId id, bool partition_only) const {
    const Entity& found = entity(id);
    if (const auto& key = physical(id).key) {
      const auto is_id = [&](const language::Template& each) { return is_made_of_id(id, each); };
      if (is_id(key->pk) && (partition_only || !key->sk || is_id(*key->sk))) return true;
      return !partition_only && has_index_of_id(id);
    }
    if (found.within) return is_found_by_id(model_.end(*found.within).target, partition_only);
    // It is put into the partition of a parent that its id does not tell only where that is written down: who
    // has several relations is not put there otherwise.
    for (RelationId other = 0; other < model_.relations.size(); ++other) {
      const std::optional<language::Via>& said = clauses_.relations[other];
      const bool is_put = said && (said->kind == Via::kCollection || said->kind == Via::kPath);
      if (other != id_ && is_put && model_.relations[other].ends[0].target == id) return false;
    }
    return true;
  }

  // Keys that are written down, anywhere, and go along an end: the item must then say where it leads. An id
  // does, as far as it has that of a parent.
  Found in_keys() const {
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      const language::Physical& said = physical(id);
      std::vector<const language::Template*> all;
      const auto add = [&](const language::Keys& keys) {
        all.push_back(&keys.pk);
        if (keys.sk) all.push_back(&*keys.sk);
      };
      if (said.key) add(*said.key);
      for (const language::IndexKeys& index : said.indexes) add(index.keys);
      for (const language::Template* each : all) {
        if (goes_along(id, *each))
          return "keys of " + entity(id).name + " are written down, and name what it leads to";
      }
    }
    return std::nullopt;
  }

  bool goes_along(EntityId from, const language::Template& key) const {
    for (const auto& piece : key.pieces) {
      const auto* const hole = std::get_if<language::Hole>(&piece);
      if (hole == nullptr) continue;
      EntityId at = from;
      for (size_t i = 0; i < hole->path.names.size() && !is_of_id(at, *hole, i); ++i) {
        const auto end = model_.find_end(at, hole->path.names[i].text);
        if (!end) break;
        if (end->relation == id_) return true;
        at = model_.end(*end).target;
      }
    }
    return false;
  }

  // The side in whose partitions edges lie, or the first of two.
  int partition_of(Outcome outcome, int along) const {
    switch (outcome) {
      case Outcome::kEdgesOfOne:
        return 1;
      case Outcome::kEdgesOfMany:
        return 0;
      case Outcome::kAdjacencyBack:
        return along;
      case Outcome::kGraph: {
        const bool has_items[2] = {physical(relation_.ends[0].target).store != language::Store::kNone,
                                   physical(relation_.ends[1].target).store != language::Store::kNone};
        return graph_side(model_, id_, has_items);
      }
      default:
        return 1 - along;
    }
  }

  // One item a pair is found strongly from the side in whose partition it lies.
  Found to_edges(Outcome outcome, int along) const {
    if (const auto found = in_keys()) return found;
    if (outcome == Outcome::kSymmetric && !relation_.is_symmetric)
      return "its ends have two names: only those of one name are alike";
    const std::optional<language::Via>& said = clauses_.relations[id_];
    const bool has_key = said && said->physical.key;
    const int partition = partition_of(outcome, along);
    for (const int side : {0, 1}) {
      const bool lies_there =
          side == partition || outcome == Outcome::kBothDirections || relation_.is_symmetric;
      if (!lies_there) continue;
      const EntityId there = relation_.ends[side].target;
      if (!has_key && physical(there).store == language::Store::kNone)
        return entity(there).name + " has no items: edges have no partition to lie in";
      if (!is_found_by_id(there, true))
        return "the id of " + with_article(entity(there).name) + " does not tell its partition";
    }
    if (relation_.on_delete != language::OnDelete::kRestrict || relation_.is_symmetric) return std::nullopt;
    if (outcome == Outcome::kBothDirections) return std::nullopt;
    const int strong = 1 - partition;
    if (!relation_.ends[1 - strong].leads_to_many || is_counted(1 - strong)) return std::nullopt;
    return "on delete restrict asks an index, which may not know the newest yet; a count would tell";
  }

  const Model& model_;
  const LayoutClauses& clauses_;
  const RelationId id_;
  const Relation& relation_;
};

}  // namespace

std::optional<std::string> obstacle_to(const Model& model, const LayoutClauses& clauses, RelationId relation,
                                       Outcome outcome, int along) {
  return ObstacleFinder(model, clauses, relation).run(outcome, along);
}

}  // namespace sheaf::model

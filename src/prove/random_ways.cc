#include "prove/random_ways.h"

#include <algorithm>
#include <set>

namespace sheaf::prove {
namespace {

using language::Cardinality;
using model::RelationId;

constexpr int64_t kListMax = 100;

class WayMaker {
 public:
  WayMaker(Draw& draw, const model::Model& model, const std::vector<bool>& ghosts,
           const std::vector<bool>& keyed, const std::vector<bool>& searched)
      : draw_(draw), model_(model), ghosts_(ghosts), keyed_(keyed), searched_(searched) {}

  std::vector<Way> run() {
    std::vector<Way> ways;
    for (RelationId id = 0; id < model_.relations.size(); ++id) ways.push_back(choose(id));
    return ways;
  }

 private:
  bool is_bounded(const model::End& end) const {
    return !end.leads_to_many || (end.max && *end.max <= kListMax);
  }

  bool can_be_lists(const model::Relation& relation) const {
    return !relation.syntax->unchecked && is_bounded(relation.ends[0]) && is_bounded(relation.ends[1]) &&
           draw_.may(Topic::kLists);
  }

  bool can_be_embedded(RelationId id) const {
    const model::Relation& relation = model_.relations[id];
    const model::End& end = relation.ends[0];
    const model::Entity& child = model_.entities[end.target];
    const bool is_own = child.within == model::EndId{.relation = id, .side = 1};
    const bool is_alone = child.ends.size() == 1;
    const bool is_plain = !child.syntax->versioned && !child.syntax->timestamps &&
                          std::none_of(child.fields.begin(), child.fields.end(),
                                       [](const model::Field& field) { return field.syntax->is_unique; });
    return is_own && is_alone && is_plain && end.holder != end.target && is_bounded(end) &&
           !child.syntax->ttl && draw_.may(Topic::kEmbed) && !embedded_.contains(end.holder) &&
           !keyed_[end.target];
  }

  // Before an entity is deleted it must be known for sure that nothing depends on it.
  bool needs_strong(const model::Relation& relation, RelationId id) const {
    if (relation.on_delete != language::OnDelete::kRestrict) return false;
    for (const int side : {0, 1}) {
      const model::EndId end{.relation = id, .side = side};
      if (relation.ends[side].leads_to_many && !is_counted(model_, end)) return true;
    }
    return false;
  }

  std::vector<Way> choices(RelationId id) {
    const model::Relation& relation = model_.relations[id];
    const bool has_fields = !relation.edge_fields.empty();
    const bool is_tree = relation.cardinality != Cardinality::kManyToMany && !relation.is_symmetric;
    const bool may_be_ids = !has_fields && draw_.may(Topic::kIdLists) &&
                            ((relation.ends[0].leads_to_many && is_bounded(relation.ends[0])) ||
                             (relation.ends[1].leads_to_many && is_bounded(relation.ends[1])));
    std::vector<Way> ways = {Way::kEdges, Way::kEdges};
    if (can_be_lists(relation)) ways.push_back(Way::kLists);
    if (may_be_ids) ways.push_back(Way::kIds);
    if (draw_.may(Topic::kGraph) && !relation.is_symmetric) ways.push_back(Way::kGraph);
    if (!is_tree || has_fields) return ways;
    const bool is_safe = !needs_strong(relation, id);
    const EntityPair pair{relation.ends[0].holder, relation.ends[0].target};
    if (is_safe) ways.insert(ways.end(), {Way::kIndex, Way::kIndex, Way::kIndex, Way::kRef});
    const bool may_lie_with_parent = relation.ends[1].is_required && pair.parent != pair.child &&
                                     !partitioned_.contains(pair.child) && !relation.syntax->unchecked;
    if (may_lie_with_parent) ways.insert(ways.end(), {Way::kCollection, Way::kCollection, Way::kPath});
    if (can_be_embedded(id)) ways.insert(ways.end(), {Way::kEmbed, Way::kEmbed, Way::kEmbed});
    return ways;
  }

  Way choose(RelationId id) {
    const model::Relation& relation = model_.relations[id];
    if (ghosts_[relation.ends[0].target] || ghosts_[relation.ends[1].target]) return Way::kEdges;
    if (draw_.chance.one_in(10)) return Way::kAuto;
    std::vector<Way> ways = choices(id);
    if (searched_[id] && draw_.chance.percent(75)) {
      std::vector<Way> better = ways;
      std::erase_if(better,
                    [](Way way) { return way != Way::kIndex && !is_edge(way) && way != Way::kCollection; });
      if (std::find(better.begin(), better.end(), Way::kIndex) != better.end())
        better.insert(better.end(), 3, Way::kIndex);
      if (!better.empty()) ways = std::move(better);
    }
    const Way way = draw_.chance.of(ways);
    if (way == Way::kCollection || way == Way::kPath) partitioned_.insert(relation.ends[0].target);
    if (way == Way::kEmbed) embedded_.insert(relation.ends[0].target);
    return way;
  }

  struct EntityPair {
    model::EntityId parent;
    model::EntityId child;
  };

  Draw& draw_;
  const model::Model& model_;
  const std::vector<bool>& ghosts_;
  const std::vector<bool>& keyed_;
  const std::vector<bool>& searched_;
  std::set<model::EntityId> partitioned_;
  std::set<model::EntityId> embedded_;
};

}  // namespace

std::vector<Way> random_ways(Draw& draw, const model::Model& model, const std::vector<bool>& ghosts,
                             const std::vector<bool>& keyed, const std::vector<bool>& searched) {
  return WayMaker(draw, model, ghosts, keyed, searched).run();
}

bool is_reference(Way way) {
  return way == Way::kRef || way == Way::kIndex || way == Way::kCollection || way == Way::kPath;
}

bool is_edge(Way way) { return way == Way::kEdges || way == Way::kGraph; }

bool is_counted(const model::Model& model, model::EndId end) {
  const std::vector<model::Field>& fields = model.entities[model.end(end).holder].fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const model::Field& field) { return field.count_of == end; });
}

}  // namespace sheaf::prove

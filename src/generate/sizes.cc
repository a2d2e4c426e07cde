#include "generate/sizes.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"

namespace sheaf::generate {
namespace {

using language::Cardinality;
using model::EntityId;
using model::RelationId;

constexpr uint64_t kAverageGuess = 10;
constexpr uint64_t kUnbounded = kCountMax;

uint64_t times(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return product > kCountMax * 2 ? kCountMax * 2 : static_cast<uint64_t>(product);
}

uint64_t one_less(uint64_t count) { return count > 0 ? count - 1 : 0; }

uint64_t max_of(const model::End& end) {
  if (!end.leads_to_many) return 1;
  return end.max ? static_cast<uint64_t>(*end.max) : kUnbounded;
}

class Sizer {
 public:
  Sizer(const model::Model& model, const Wishes& wishes, const Capacities& capacities)
      : model_(model), wishes_(wishes), capacities_(capacities), counts_(model.entities.size()) {}

  Result<Sizes> run() {
    TRY(take_wishes());
    while (true) {
      const bool is_all = std::all_of(counts_.begin(), counts_.end(), [](const auto& each) { return each; });
      if (is_all) break;
      if (!follow_relation()) set(root(), static_cast<uint64_t>(std::llround(kRootCount * wishes_.scale)));
    }
    settle();
    Sizes sizes;
    for (const auto& count : counts_) sizes.entities.push_back(*count);
    for (RelationId id = 0; id < model_.relations.size(); ++id) {
      RelationSize size = TRY(relation_size(id));
      sizes.relations.push_back(size);
    }
    return sizes;
  }

 private:
  const std::string& name(EntityId entity) const { return model_.entities[entity].name; }

  Result<void> take_wishes() {
    if (!(wishes_.scale > 0 && wishes_.scale <= 1e9)) return Error{Code::kInvalid, "a scale is more than 0"};
    for (const auto& [entity, count] : wishes_.counts) {
      const auto id = model_.find_entity(entity);
      if (!id) return Error{Code::kInvalid, "there is no entity " + entity};
      if (count > kCountMax)
        return Error{Code::kInvalid, std::to_string(count) + " of " + entity + " are too many: at most " +
                                         std::to_string(kCountMax)};
      const uint64_t room = capacities_.entities[*id];
      if (count > room)
        return Error{Code::kInvalid, "there can be only " + std::to_string(room) + " of " + entity +
                                         ": its ids and unique fields have no more values"};
      counts_[*id] = count;
    }
    return {};
  }

  void set(EntityId entity, uint64_t count) {
    counts_[entity] = std::clamp<uint64_t>(count, 1, std::min(kCountMax, capacities_.entities[entity]));
  }

  bool is_within(RelationId id) const {
    for (const model::Entity& entity : model_.entities) {
      if (entity.within && entity.within->relation == id) return true;
    }
    return false;
  }

  // How much a relation says of the counts: from 0, the most. Of none that is with itself.
  int force(RelationId id) const {
    const model::Relation& relation = model_.relations[id];
    if (is_within(id)) return 0;
    const bool is_required = relation.ends[0].is_required || relation.ends[1].is_required;
    if (is_required) return 1;
    const bool is_declared = relation.ends[0].average || relation.ends[1].average;
    if (relation.cardinality == Cardinality::kOneToMany && is_declared) return 2;
    return is_declared ? 3 : 4;
  }

  // A count that follows from one that is known.
  bool follow_relation() {
    for (int wanted = 0; wanted <= 4; ++wanted) {
      // From parents to children first.
      for (const int known : {0, 1}) {
        for (RelationId id = 0; id < model_.relations.size(); ++id) {
          const model::Relation& relation = model_.relations[id];
          const EntityId from = relation.ends[known].holder, to = relation.ends[1 - known].holder;
          if (from == to || force(id) != wanted || !counts_[from] || counts_[to]) continue;
          // Another root may come first, unless this is all that there is.
          if (wanted == 4 && is_led_by_unknown(to)) continue;
          set(to, count_after(relation, known));
          return true;
        }
      }
    }
    return false;
  }

  uint64_t count_after(const model::Relation& relation, int known) const {
    const uint64_t from = *counts_[relation.ends[known].holder];
    if (relation.cardinality == Cardinality::kOneToOne) return from;
    const uint64_t forth = average(relation.ends[known]), back = average(relation.ends[1 - known]);
    return std::max<uint64_t>(1, (times(from, forth) + back - 1) / back);
  }

  // Children that do not fit become fewer, unless they are wished for: then there are more parents.
  void settle() {
    bool is_settled = false;
    for (size_t round = 0; !is_settled && round <= 2 * counts_.size(); ++round) {
      is_settled = true;
      for (RelationId id = 0; id < model_.relations.size(); ++id) {
        for (const int child : {0, 1}) {
          const model::End& up = model_.relations[id].ends[child];
          if (up.leads_to_many || up.holder == up.target || !is_needed(id, child)) continue;
          uint64_t &children = *counts_[up.holder], &parents = *counts_[up.target];
          const uint64_t max = most_children(id, child);
          if (children <= times(parents, max)) continue;
          is_settled = false;
          if (!wishes_.counts.contains(name(up.holder))) {
            children = times(parents, max);
          } else if (!wishes_.counts.contains(name(up.target))) {
            set(up.target, (children + max - 1) / max);
          } else {
            return;
          }
        }
      }
    }
  }

  // Whether every holder of the end has one.
  bool is_needed(RelationId id, int side) const {
    const model::End& end = model_.relations[id].ends[side];
    const auto& within = model_.entities[end.holder].within;
    return end.is_required || (within && *within == model::EndId{.relation = id, .side = side});
  }

  // That a parent may have, if `child` is the end of the children.
  uint64_t most_children(RelationId id, int child) const {
    const model::End& up = model_.relations[id].ends[child];
    const uint64_t max = max_of(model_.relations[id].ends[1 - child]);
    const auto& within = model_.entities[up.holder].within;
    const bool is_own = within && within->relation == id;
    return is_own ? std::min(max, capacities_.siblings[up.holder]) : max;
  }

  bool is_led_by_unknown(EntityId entity) const {
    for (RelationId id = 0; id < model_.relations.size(); ++id) {
      const model::Relation& relation = model_.relations[id];
      if (relation.cardinality == Cardinality::kManyToMany || force(id) > 2) continue;
      if (relation.ends[1].holder == entity && relation.ends[0].holder != entity &&
          !counts_[relation.ends[0].holder])
        return true;
    }
    return false;
  }

  EntityId root() const {
    for (EntityId entity = 0; entity < counts_.size(); ++entity) {
      if (!counts_[entity] && !is_led_by_unknown(entity)) return entity;
    }
    return static_cast<EntityId>(std::find(counts_.begin(), counts_.end(), std::nullopt) - counts_.begin());
  }

  Result<RelationSize> relation_size(RelationId id) const {
    const model::Relation& relation = model_.relations[id];
    RelationSize size;
    for (const int side : {0, 1}) {
      const model::End& end = relation.ends[side];
      size.max[side] = std::min(max_of(end), *counts_[end.target]);
    }
    if (relation.is_symmetric) return mutual_size(id, size);
    if (relation.cardinality == Cardinality::kManyToMany) return net_size(id, size);
    return tree_size(id, size);
  }

  Result<RelationSize> tree_size(RelationId id, RelationSize size) const {
    const model::Relation& relation = model_.relations[id];
    const bool is_one_to_one = relation.cardinality == Cardinality::kOneToOne;
    // The children: the many, or those of 1--1 who need the other.
    const int child = is_one_to_one && is_needed(id, 0) && !is_needed(id, 1) ? 0 : 1;
    size.parent_side = 1 - child;
    const model::End& down = relation.ends[1 - child];
    const uint64_t children = *counts_[relation.ends[child].holder], parents = *counts_[down.holder];
    const bool is_self = down.holder == down.target;
    uint64_t& max = size.max[1 - child];
    max = most_children(id, child);
    size.max[child] = 1;
    const uint64_t room = times(is_self ? one_less(parents) : parents, max);
    if (is_needed(id, child)) {
      size.pairs = children;
      if (is_self && children < 2 && !relation.syntax->loops)
        return Error{Code::kInvalid, "the end " + relation.ends[child].name + " of " + name(down.target) +
                                         " is required and leads to another: make at least 2"};
      if (children > times(parents, max) || (is_self && children > room + max))
        return Error{Code::kInvalid, std::to_string(children) + " of " + name(down.target) +
                                         " do not fit: " + std::to_string(parents) + " of " +
                                         name(down.holder) + " have at most " + std::to_string(max) +
                                         " each; make at most " + std::to_string(times(parents, max)) +
                                         ", or more of " + name(down.holder)};
    } else if (is_one_to_one) {
      size.pairs = is_needed(id, 1 - child) ? parents : std::min(children, parents) * 4 / 5;
    } else {
      size.pairs = down.average ? std::min(children, times(parents, average(down))) : children * 9 / 10;
      size.pairs = std::min(size.pairs, room);
    }
    if (is_needed(id, 1 - child) && (size.pairs < parents || parents > children))
      return Error{Code::kInvalid,
                   "every " + name(down.holder) + " needs a " + name(down.target) + ": make as many of them"};
    if (is_self && !is_needed(id, child)) size.pairs = std::min({size.pairs, room, one_less(children)});
    return size;
  }

  // Between the same two there may be several edges: then there are fewer pairs.
  void share_among_parallel(RelationId id, RelationSize& size) const {
    size.parallel_max = std::min({uint64_t{3}, capacities_.parallel[id], size.max[0], size.max[1]});
    if (size.parallel_max < 1) size.parallel_max = 1;
    size.pairs = size.pairs * 2 / (size.parallel_max + 1);
    for (uint64_t& max : size.max) max /= size.parallel_max;
  }

  Result<RelationSize> net_size(RelationId id, RelationSize size) const {
    const model::Relation& relation = model_.relations[id];
    const uint64_t firsts = *counts_[relation.ends[0].holder], seconds = *counts_[relation.ends[1].holder];
    const bool is_by_second = !relation.ends[0].average && relation.ends[1].average;
    size.pairs =
        is_by_second ? times(seconds, average(relation.ends[1])) : times(firsts, average(relation.ends[0]));
    for (const int side : {0, 1}) size.max[side] = max_of(relation.ends[side]);
    share_among_parallel(id, size);
    size.max[0] = std::min(size.max[0], seconds);
    size.max[1] = std::min(size.max[1], firsts);
    size.pairs = std::min({size.pairs, times(firsts, size.max[0]), times(seconds, size.max[1])});
    return size;
  }

  Result<RelationSize> mutual_size(RelationId id, RelationSize size) const {
    const model::Relation& relation = model_.relations[id];
    const uint64_t members = *counts_[relation.ends[0].holder];
    for (const int side : {0, 1}) size.max[side] = max_of(relation.ends[0]);
    if (relation.cardinality == Cardinality::kOneToOne) {
      size.pairs = members * 2 / 5;
      return size;
    }
    size.pairs = times(members, average(relation.ends[0])) / 2;
    share_among_parallel(id, size);
    for (uint64_t& max : size.max) max = std::min(max, one_less(members));
    size.pairs = std::min(size.pairs, times(members, size.max[0]) / 2);
    return size;
  }

  const model::Model& model_;
  const Wishes& wishes_;
  const Capacities& capacities_;
  std::vector<std::optional<uint64_t>> counts_;
};

}  // namespace

uint64_t average(const model::End& end) {
  if (!end.leads_to_many) return 1;
  if (end.average) return static_cast<uint64_t>(std::max<int64_t>(*end.average, 1));
  const uint64_t max = end.max ? static_cast<uint64_t>(*end.max) : kUnbounded;
  return std::clamp<uint64_t>(max / 2, 1, kAverageGuess);
}

Result<Sizes> sizes_of(const model::Model& model, const Wishes& wishes, const Capacities& capacities) {
  return Sizer(model, wishes, capacities).run();
}

}  // namespace sheaf::generate

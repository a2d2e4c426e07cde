#include "model/advice/relation_use.h"

#include <algorithm>
#include <cstdlib>

namespace sheaf::model {
namespace {

class UseFinder {
 public:
  UseFinder(const Model& model, RelationId id) : model_(model), id_(id), relation_(model.relations[id]) {
    const Entity& one = model.entities[relation_.ends[0].holder];
    if (one.within && one.within->relation != id) above_ = one.within->other();
  }

  RelationUse run() {
    for (const Pattern& pattern : model_.patterns) look_at(pattern);
    for (const Operation& operation : model_.operations) look_at(operation);
    return std::move(use_);
  }

 private:
  EntityId many() const { return relation_.ends[0].target; }

  static void add(std::vector<const Pattern*>& to, const Pattern& pattern) {
    if (to.empty() || to.back() != &pattern) to.push_back(&pattern);
  }

  // A symmetric relation has one end, seen twice.
  std::optional<int> side_of(EndId end) const {
    if (end.relation != id_) return std::nullopt;
    return end.side;
  }

  void go_along(const Pattern& pattern, EndId end) {
    const auto side = side_of(end);
    if (!side) return;
    add(use_.along[*side], pattern);
    const language::Clauses& clauses = pattern.syntax->clauses;
    if (clauses.strong || clauses.snapshot) add(use_.strong[*side], pattern);
  }

  void look_at(const Pattern& pattern) {
    if (pattern.start && pattern.parameters[*pattern.start].entity == many()) {
      add(use_.many_alone, pattern);
      add(use_.one_of_many, pattern);
    }
    if (!pattern.start && pattern.node.entity == many()) add(use_.many_alone, pattern);
    bool passed_above = false;
    for (const auto& [end, depth] : pattern.steps) {
      go_along(pattern, end);
      if (side_of(end) == 0) add(use_.without_one, pattern);
      if (above_ && end == *above_) passed_above = true;
      if (passed_above && side_of(end) == 0) add(use_.level_above_through, pattern);
    }
    const std::optional<EndId> last =
        pattern.steps.empty() ? std::nullopt : std::optional<EndId>(pattern.steps.back().first);
    if (above_ && last && *last == *above_) note_level(pattern, pattern.node);
    look_at(pattern, pattern.node, last);
    // Who walks there wants fields of the other as much as who shows it beside itself.
    if (const auto side = last ? side_of(*last) : std::nullopt) want(pattern, *side, pattern.node);
  }

  // A node of the one, reached from above.
  void note_level(const Pattern& pattern, const Node& node) {
    const bool goes_on = std::any_of(node.nested.begin(), node.nested.end(), [&](const Nested& nested) {
      return nested.end == EndId{.relation = id_, .side = 0};
    });
    add(goes_on ? use_.level_above_through : use_.level_above_only, pattern);
  }

  void look_at(const Pattern& pattern, const Node& node, std::optional<EndId> reached) {
    // Who is found by what an end leads to is asked for from there.
    for (const Condition& condition : node.where) {
      for (const EndId end : condition.place.ends) {
        go_along(pattern, end.other());
        if (side_of(end) == 0) add(use_.by_inside, pattern);
      }
    }
    for (const Condition& condition : node.filter) {
      for (const EndId end : condition.place.ends) go_along(pattern, end);
    }
    if (reached && side_of(*reached) == 0 && node.entity == many()) {
      const auto is_own = [&](const Place& place) {
        return place.kind == Place::Kind::kField && place.ends.empty() &&
               !model_.entities[many()].fields[place.field].is_id;
      };
      const bool picks = std::any_of(node.where.begin(), node.where.end(),
                                     [&](const Condition& condition) { return is_own(condition.place); });
      if (picks || (node.order && is_own(node.order->first))) add(use_.sorted, pattern);
    }
    for (const Nested& nested : node.nested) {
      go_along(pattern, nested.end);
      if (nested.node == nullptr) continue;
      if (const auto side = side_of(nested.end)) want(pattern, *side, *nested.node);
      if (above_ && nested.end == *above_) note_level(pattern, *nested.node);
      look_at(pattern, *nested.node, nested.end);
    }
    for (const AggregateField& aggregate : node.aggregates) go_along(pattern, aggregate.over);
  }

  void want(const Pattern& pattern, int side, const Node& node) {
    const std::vector<Field>& fields = model_.entities[relation_.ends[side].target].fields;
    for (FieldId field = 0; field < fields.size(); ++field) {
      const bool changes_with_others = fields[field].count_of || fields[field].kept == Kept::kUpdated ||
                                       fields[field].kept == Kept::kVersion;
      const bool is_shown =
          node.all_fields || std::find(node.fields.begin(), node.fields.end(), field) != node.fields.end();
      const WantedField wanted{.side = side, .field = field};
      if (!is_shown || fields[field].is_id || changes_with_others) continue;
      if (pattern.syntax->clauses.strong || pattern.syntax->clauses.snapshot)
        add(use_.strong_shows[side], pattern);
      if (std::find(use_.wanted.begin(), use_.wanted.end(), wanted) == use_.wanted.end())
        use_.wanted.push_back(wanted);
    }
  }

  void look_at(const Operation& operation) {
    using Kind = language::Write::Kind;
    const auto is_of_many = [&](const Write& write) {
      return write.parameter < operation.parameters.size() &&
             operation.parameters[write.parameter].entity == many();
    };
    bool changes = false, changes_again = false;
    for (const Write& write : operation.writes) {
      const Kind kind = write.syntax->kind;
      if (kind == Kind::kCheck || kind == Kind::kLink || kind == Kind::kUnlink || !is_of_many(write))
        continue;
      changes = true;
      changes_again = changes_again || (kind != Kind::kPut && kind != Kind::kDelete);
    }
    if (changes) use_.many_changes.push_back(&operation);
    if (changes_again) use_.one_of_many_changes.push_back(&operation);
  }

  const Model& model_;
  const RelationId id_;
  const Relation& relation_;
  std::optional<EndId> above_;  // that leads to the one from what it lies within
  RelationUse use_;
};

}  // namespace

RelationUse relation_use(const Model& model, RelationId relation) { return UseFinder(model, relation).run(); }

std::vector<const Operation*> writes_of_copies(const Model& model, RelationId id,
                                               const std::vector<WantedField>& copied) {
  using Kind = language::Write::Kind;
  const Relation& relation = model.relations[id];
  const auto is_copied = [&](EntityId entity, std::optional<FieldId> field) {
    return std::any_of(copied.begin(), copied.end(), [&](const WantedField& each) {
      return relation.ends[each.side].target == entity && (!field || each.field == *field);
    });
  };
  // Its own item, or an entry that comes and goes with it, says where it leads.
  const auto has_link = [&](EntityId entity) {
    return std::any_of(std::begin(relation.ends), std::end(relation.ends),
                       [&](const End& end) { return end.holder == entity && !end.leads_to_many; });
  };
  const auto writes = [&](const Operation& operation, const Write& write) {
    const Kind kind = write.syntax->kind;
    if (kind == Kind::kCheck || write.parameter >= operation.parameters.size()) return false;
    const auto entity = operation.parameters[write.parameter].entity;
    if (!entity) return false;
    if (kind == Kind::kPut || kind == Kind::kDelete) return has_link(*entity);
    if (kind == Kind::kUpsert) return has_link(*entity) || is_copied(*entity, std::nullopt);
    return std::any_of(write.places.begin(), write.places.end(), [&](const Place& place) {
      if (!place.ends.empty()) return place.ends.front().relation == id;
      return (place.kind == Place::Kind::kField || place.kind == Place::Kind::kInside) &&
             is_copied(*entity, place.field);
    });
  };
  std::vector<const Operation*> found;
  for (const Operation& operation : model.operations) {
    const bool is_one = std::any_of(operation.writes.begin(), operation.writes.end(),
                                    [&](const Write& write) { return writes(operation, write); });
    if (is_one) found.push_back(&operation);
  }
  return found;
}

std::optional<double> per_day(const language::Clauses& clauses) {
  if (!clauses.rate) return std::nullopt;
  const double count = std::strtod(clauses.rate->count.c_str(), nullptr);
  switch (clauses.rate->per) {
    case language::Rate::Per::kSecond:
      return count * 86'400;
    case language::Rate::Per::kMinute:
      return count * 1'440;
    case language::Rate::Per::kHour:
      return count * 24;
    case language::Rate::Per::kDay:
      break;
  }
  return count;
}

}  // namespace sheaf::model

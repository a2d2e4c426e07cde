#include <algorithm>

#include "prove/random_logic.h"
#include "prove/random_names.h"

namespace sheaf::prove {
namespace {

using language::Cardinality;
using Words = std::vector<std::string>;

class RelationMaker {
 public:
  RelationMaker(Draw& draw, LogicDraft& logic) : draw_(draw), logic_(logic) {}

  void run() {
    const size_t count = logic_.entities.size();
    for (size_t child = 1; child < count; ++child) {
      if (!logic_.entities[child].is_ghost && draw_.wants(Topic::kWithin, 40)) add_within(child);
    }
    const size_t more = draw_.chance.between(1, draw_.is_small() ? 3 : 6);
    for (size_t i = 0; i < more; ++i) add_any();
  }

 private:
  bool maybe() { return draw_.chance.one_in(2); }
  std::set<std::string>& taken(size_t entity) { return logic_.entities[entity].taken; }

  // How many levels of parents an entity has.
  size_t depth_of(size_t entity) const {
    for (const RelationDraft& relation : logic_.relations) {
      if (relation.is_within && relation.to == entity) return 1 + depth_of(relation.from);
    }
    return 0;
  }

  void add_within(size_t child) {
    const size_t parent = draw_.chance.below(child);
    if (logic_.entities[parent].is_ghost || logic_.entities[parent].is_leaf || depth_of(parent) > 2) return;
    EntityDraft& entity = logic_.entities[child];
    entity.is_leaf = draw_.chance.one_in(3);
    if (entity.is_leaf) make_embeddable(entity);
    RelationDraft relation{.from = parent, .to = child, .is_within = true};
    if (draw_.chance.one_in(8)) relation.cardinality = Cardinality::kOneToOne;
    name_ends(relation);
    entity.within = relation.ends[1];
    // The parent tells which one it is.
    if (relation.cardinality == Cardinality::kOneToOne && maybe())
      std::erase_if(entity.fields, [](const FieldDraft& field) { return field.is_id; });
    add_clauses(relation);
    logic_.relations.push_back(std::move(relation));
  }

  // An embedded entity has nothing unique, no version and no timestamps.
  static void make_embeddable(EntityDraft& entity) {
    entity.clauses.clear();
    std::erase_if(entity.fields, [](const FieldDraft& field) { return field.is_unique; });
  }

  std::optional<size_t> any_entity() {
    std::vector<size_t> choices;
    for (size_t i = 0; i < logic_.entities.size(); ++i) {
      if (!logic_.entities[i].is_leaf) choices.push_back(i);
    }
    if (choices.empty()) return std::nullopt;
    return draw_.chance.of(choices);
  }

  void add_any() {
    const auto from = any_entity(), to = any_entity();
    if (!from || !to) return;
    RelationDraft relation{.from = *from, .to = *to};
    const size_t kind = draw_.chance.below(10);
    if (kind < 2) relation.cardinality = Cardinality::kOneToOne;
    if (kind > 5) relation.cardinality = Cardinality::kManyToMany;
    const bool is_ghostly = logic_.entities[*from].is_ghost || logic_.entities[*to].is_ghost;
    if (is_ghostly && draw_.chance.one_in(2)) relation.cardinality = Cardinality::kManyToMany;
    const bool may_be_symmetric = relation.cardinality != Cardinality::kOneToMany;
    if (may_be_symmetric && draw_.wants(Topic::kSymmetric, 20)) relation.to = relation.from;
    const bool is_symmetric =
        may_be_symmetric && relation.from == relation.to && draw_.wants(Topic::kSymmetric, 60);
    name_ends(relation, is_symmetric);
    if (draw_.wants(Topic::kEdgeFields, relation.cardinality == Cardinality::kManyToMany ? 50 : 16))
      add_edge_fields(relation);
    add_clauses(relation);
    logic_.relations.push_back(std::move(relation));
  }

  void name_ends(RelationDraft& relation, bool is_symmetric = false) {
    static const Words downs = {"items",   "users",    "orders", "books", "parts",
                                "members", "children", "visits", "rows"};
    static const Words ups = {"owner", "org", "author", "parent", "team", "home", "boss", "group"};
    static const Words both = {"friends", "partners", "peers"};
    if (is_symmetric) {
      relation.ends[0] = fresh_name(draw_, both, taken(relation.from), NamePlace::kKey);
      return;
    }
    relation.ends[0] = fresh_name(draw_, downs, taken(relation.from), NamePlace::kKey);
    const bool leads_to_many = relation.cardinality == Cardinality::kManyToMany;
    relation.ends[1] = fresh_name(draw_, leads_to_many ? downs : ups, taken(relation.to), NamePlace::kKey);
    // Edges name both ends, so one name for both would say too little.
    if (relation.ends[1] == relation.ends[0])
      relation.ends[1] = fresh_name(draw_, ups, taken(relation.to), NamePlace::kKey);
  }

  void add_edge_fields(RelationDraft& relation) {
    std::set<std::string> names = {"from", "to", "edge", relation.ends[0], relation.ends[1]};
    if (draw_.wants(Topic::kParallel, 30)) {
      FieldDraft field = random_id(draw_, names);
      relation.edge_fields.push_back(std::move(field));
    }
    const size_t count = draw_.chance.between(relation.edge_fields.empty() ? 1 : 0, 2);
    for (size_t i = 0; i < count; ++i)
      relation.edge_fields.push_back(random_field(draw_, names, FieldPlace::kEdge));
  }

  // --- Clauses

  void add_clauses(RelationDraft& relation) {
    add_sizes(relation);
    const bool is_required = add_required(relation);
    add_deletion(relation, is_required);
    if (!relation.is_within && draw_.wants(Topic::kUnchecked, 5)) relation.clauses.emplace_back("unchecked");
    if (relation.from == relation.to && draw_.wants(Topic::kLoops, 30))
      relation.clauses.emplace_back("loops");
    draw_.chance.shuffle(relation.clauses);
  }

  std::string size_text() {
    static const std::vector<int> sizes = {1, 2, 5, 10, 20, 20, 50};
    const int most = draw_.chance.of(sizes);
    const bool has_average = draw_.chance.one_in(3);
    std::string text = has_average ? " avg " + std::to_string((most + 1) / 2) : "";
    if (draw_.wants(Topic::kUnbounded, 12)) return text + " unbounded";
    return text + " max " + std::to_string(most);
  }

  void add_sizes(RelationDraft& relation) {
    const bool is_many_to_many = relation.cardinality == Cardinality::kManyToMany;
    if (relation.cardinality == Cardinality::kOneToOne) return;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      if (side == 1 && (!is_many_to_many || relation.is_symmetric())) continue;
      if (draw_.wants(Topic::kUnbounded, 10)) continue;
      const bool is_named = (is_many_to_many && !relation.is_symmetric()) || draw_.chance.one_in(4);
      std::string clause = "size";
      if (is_named) clause += " of " + written_name(relation.ends[side]);
      clause += size_text();
      relation.clauses.push_back(std::move(clause));
    }
  }

  bool add_required(RelationDraft& relation) {
    if (relation.is_symmetric() || relation.cardinality == Cardinality::kManyToMany) return false;
    if (relation.is_within) {
      if (draw_.chance.one_in(6)) relation.clauses.emplace_back("required");
      return true;
    }
    // Only entities that come later need those that come before: two that need each other could never be
    // made.
    bool is_required = false;
    if (relation.from < relation.to && draw_.wants(Topic::kRequired, 45)) {
      relation.clauses.push_back(maybe() ? "required" : "required " + written_name(relation.ends[1]));
      is_required = true;
    } else if (relation.cardinality == Cardinality::kOneToOne && relation.from > relation.to &&
               draw_.wants(Topic::kRequired, 30)) {
      relation.clauses.push_back("required " + written_name(relation.ends[0]));
      is_required = true;
    }
    return is_required;
  }

  void add_deletion(RelationDraft& relation, bool is_required) {
    std::string way;
    const size_t kind = draw_.chance.below(12);
    if (kind < 4) way = "cascade";
    if (kind == 4 || kind == 5) way = "restrict";
    if (kind == 6) way = "unlink";
    if (is_required && (way.empty() || way == "unlink") && !draw_.chance.one_in(8))
      way = maybe() ? "cascade" : "restrict";
    if (way == "cascade" && (relation.is_symmetric() || relation.cardinality == Cardinality::kManyToMany))
      way = "unlink";
    if (way == "restrict" && !draw_.may(Topic::kRestrict)) way = is_required ? "cascade" : "";
    if (way == "cascade" && !draw_.may(Topic::kCascade)) way = is_required ? "restrict" : "";
    // An entity that goes with its parent must not be one that has to stay.
    if (way == "restrict" && goes_with_parent_.contains(relation.from))
      way = is_required ? "cascade" : "unlink";
    if (way == "cascade" && must_stay_.contains(relation.to)) way = is_required ? "restrict" : "unlink";
    if (way == "restrict" && goes_with_parent_.contains(relation.from)) way = is_required ? "" : "unlink";
    if (way == "unlink" && is_required) way = "";
    if (way == "restrict") must_stay_.insert(relation.from);
    if (way == "cascade") goes_with_parent_.insert(relation.to);
    if (way == "restrict") add_counts(relation, 85);
    if (way != "restrict" && draw_.wants(Topic::kCounts, 12)) add_counts(relation, 60);
    if (!way.empty()) relation.clauses.push_back("on delete " + way);
  }

  // What leads to many can be counted; before an entity that must stay is deleted, it must be.
  void add_counts(const RelationDraft& relation, size_t share) {
    if (!draw_.may(Topic::kCounts)) return;
    const auto add = [&](size_t entity, const std::string& end) {
      EntityDraft& holder = logic_.entities[entity];
      if (holder.is_ghost || holder.is_leaf || !draw_.chance.percent(share)) return;
      FieldDraft field{.type = {.kind = language::Type::Kind::kInt}};
      if (draw_.chance.one_in(4)) field.type.kind = language::Type::Kind::kNumber;
      field.name = fresh_name(draw_, {"how_many", "n_of", "total"}, holder.taken, NamePlace::kKey);
      field.modifiers = " = count(" + written_name(end) + ")";
      holder.fields.push_back(std::move(field));
    };
    if (relation.cardinality != Cardinality::kOneToOne) add(relation.from, relation.ends[0]);
    if (relation.cardinality == Cardinality::kManyToMany && !relation.is_symmetric())
      add(relation.to, relation.ends[1]);
  }

  Draw& draw_;
  LogicDraft& logic_;
  std::set<size_t> must_stay_;
  std::set<size_t> goes_with_parent_;
};

}  // namespace

void add_relations(Draw& draw, LogicDraft& logic) { RelationMaker(draw, logic).run(); }

std::string head_of(const LogicDraft& logic, const RelationDraft& relation) {
  std::string text = "rel " + written_name(logic.entities[relation.from].name);
  text += relation.cardinality == Cardinality::kOneToOne    ? " 1--1 "
          : relation.cardinality == Cardinality::kOneToMany ? " 1--* "
                                                            : " *--* ";
  text += written_name(logic.entities[relation.to].name) + " as " + written_name(relation.ends[0]);
  if (!relation.is_symmetric()) text += " / " + written_name(relation.ends[1]);
  return text + " { ";
}

std::vector<std::string> body_of(const RelationDraft& relation) {
  std::vector<std::string> body = relation.clauses;
  if (relation.edge_fields.empty()) return body;
  std::string edge = "edge { ";
  for (const FieldDraft& field : relation.edge_fields) edge += written_field(field) + "; ";
  body.push_back(edge + "}");
  return body;
}

}  // namespace sheaf::prove

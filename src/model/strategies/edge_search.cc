#include "model/strategies/edge_search.h"

#include <algorithm>

#include "model/key_allocation.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using Test = language::Condition::Test;

bool is_required(const Pattern& pattern, const Condition& condition) {
  return std::none_of(condition.parameters.begin(), condition.parameters.end(), [&](const auto& parameter) {
    return parameter && pattern.parameters[*parameter].is_optional;
  });
}

bool is_range(Test test) {
  return test == Test::kLess || test == Test::kLessOrEqual || test == Test::kGreater ||
         test == Test::kGreaterOrEqual || test == Test::kBetween || test == Test::kBegins;
}

class SearchFinder {
 public:
  SearchFinder(const Model& model, RelationId id) : model_(model), id_(id), relation_(model.relations[id]) {}

  std::vector<EdgeSearch> run() {
    for (const Pattern& pattern : model_.patterns) {
      std::optional<EndId> reached;
      if (!pattern.steps.empty()) reached = pattern.steps.back().first;
      if (!pattern.start) find_by_part(pattern);
      visit(pattern, pattern.node, reached);
    }
    return std::move(found_);
  }

  // Patterns that walk along an end and want some of what it leads to, or an order, by what that is itself:
  // they need the view whose sort key is led by it.
  bool picks_by_target(int side) const {
    return std::any_of(pickers_.begin(), pickers_.end(), [&](int each) { return each == side; });
  }

 private:
  const std::vector<FieldPath>& identity(int side) const {
    return model_.entities[relation_.ends[side].target].identity;
  }

  // Student where home.country = $country, and home is told by its state and city, too.
  void find_by_part(const Pattern& pattern) {
    for (const int side : {0, 1}) {
      const std::vector<FieldPath>& parts = identity(side);
      const auto is_said = [&](const FieldPath& part) {
        return std::any_of(
            pattern.node.where.begin(), pattern.node.where.end(), [&](const Condition& condition) {
              const std::vector<EndId>& ends = condition.place.ends;
              return condition.place.kind == Place::Kind::kField && condition.syntax->test == Test::kEqual &&
                     !ends.empty() && ends.front() == EndId{.relation = id_, .side = side} &&
                     std::equal(ends.begin() + 1, ends.end(), part.ends.begin(), part.ends.end()) &&
                     condition.place.field == part.field && is_required(pattern, condition);
            });
      };
      const auto first_unsaid = std::find_if_not(parts.begin(), parts.end(), is_said);
      const auto count = static_cast<size_t>(first_unsaid - parts.begin());
      if (count > 0 && count < parts.size())
        found_.push_back({.pattern = &pattern, .known = side, .parts = count});
    }
  }

  void visit(const Pattern& pattern, const Node& node, std::optional<EndId> reached) {
    if (reached && reached->relation == id_) find_by_data(pattern, node, reached->side);
    for (const Nested& nested : node.nested) {
      if (nested.node != nullptr) visit(pattern, *nested.node, nested.end);
    }
  }

  // $t.students where edge.subject = $subject
  void find_by_data(const Pattern& pattern, const Node& node, int side) {
    const auto is_of_edge = [](const Place& place) {
      return place.kind == Place::Kind::kEdgeField && place.ends.empty();
    };
    std::vector<FieldId> fields;
    const auto add = [&](FieldId field) {
      if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
    };
    // What must be said comes first: what may be left out is then behind it.
    for (const bool required : {true, false}) {
      for (const Condition& each : node.where) {
        if (is_of_edge(each.place) && each.syntax->test == Test::kEqual &&
            is_required(pattern, each) == required)
          add(each.place.field);
      }
    }
    for (const Condition& each : node.where) {
      if (is_of_edge(each.place) && is_range(each.syntax->test)) add(each.place.field);
    }
    if (node.order && is_of_edge(node.order->first)) add(node.order->first.field);
    const auto is_of_target = [](const Place& place) {
      return place.kind == Place::Kind::kField && place.ends.empty();
    };
    const bool picks = std::any_of(node.where.begin(), node.where.end(),
                                   [&](const Condition& each) { return is_of_target(each.place); });
    // Who says all of its id knows the key of the edge itself.
    const bool is_sorted = node.order && is_of_target(node.order->first);
    if (is_sorted || (picks && !names_target(pattern, node, side))) pickers_.push_back(side);
    // Plain edges are led by what they lead to: who says that finds them.
    if (fields.empty() || picks) return;
    // A key without one of its fields is no key, and would leave the edge out.
    const bool can_be_keys = std::all_of(fields.begin(), fields.end(), [&](FieldId field) {
      const Field& each = relation_.edge_fields[field];
      return !each.is_optional && may_be_key(each.type);
    });
    if (!can_be_keys) return;
    const int known = 1 - side;
    found_.push_back({.pattern = &pattern,
                      .known = known,
                      .parts = identity(known).size(),
                      .edge_fields = std::move(fields)});
  }

  bool names_target(const Pattern& pattern, const Node& node, int side) const {
    const std::vector<FieldPath>& parts = identity(side);
    return std::all_of(parts.begin(), parts.end(), [&](const FieldPath& part) {
      return std::any_of(node.where.begin(), node.where.end(), [&](const Condition& each) {
        return each.place.kind == Place::Kind::kField && each.syntax->test == Test::kEqual &&
               each.place.ends == part.ends && each.place.field == part.field && is_required(pattern, each);
      });
    });
  }

  const Model& model_;
  const RelationId id_;
  const Relation& relation_;
  std::vector<EdgeSearch> found_;
  std::vector<int> pickers_;
};

// WORD#<a>#<b>
KeyTemplate named(const std::string& word, const std::vector<Hole>& holes, language::Span span) {
  std::vector<KeyTemplate::Piece> pieces;
  std::string text = word + "#";
  for (const Hole& hole : holes) {
    pieces.emplace_back(text);
    pieces.emplace_back(hole);
    text = "#";
  }
  return KeyTemplate(std::move(pieces), span);
}

// "COUNTRY#<home.country>" / "RESIDENTS#<home.state>#<home.city>#<residents.id>"
IndexEntry search_view(const Model& model, const TemplateResolver& templates, const EdgeSearch& search,
                       const ItemKind& edge) {
  const TemplateOwner owner{.relation = edge.relation};
  const Relation& relation = model.relations[*edge.relation];
  const EntityId known = relation.ends[search.known].target;
  const int other = 1 - search.known;
  const std::vector<Hole> id =
      templates.identity({.root = HoleSource::Root::kEdgeEnd, .side = search.known}, known, owner);
  const auto rest = id.begin() + static_cast<std::ptrdiff_t>(search.parts);
  const FieldPath& last = model.entities[known].identity[search.parts - 1];
  const bool is_part = search.parts < id.size();
  const std::string word = !is_part            ? model.entities[known].name
                           : last.ends.empty() ? model.entities[known].fields[last.field].name
                                               : model.entities[model.end(last.ends.back()).target].name;
  std::vector<Hole> behind(rest, id.end());
  const auto add_field = [&](FieldId field) {
    behind.push_back(templates.hole({.root = HoleSource::Root::kEdgeField, .path = {.field = field}}, owner));
  };
  for (const FieldId field : search.edge_fields) add_field(field);
  const std::vector<Hole> others = templates.identity({.root = HoleSource::Root::kEdgeEnd, .side = other},
                                                      relation.ends[other].target, owner);
  behind.insert(behind.end(), others.begin(), others.end());
  for (FieldId field = 0; field < relation.edge_fields.size(); ++field) {
    const bool is_there =
        std::find(search.edge_fields.begin(), search.edge_fields.end(), field) != search.edge_fields.end();
    if (relation.edge_fields[field].is_id && !is_there) add_field(field);
  }
  IndexEntry entry{.span = edge.span};
  entry.pk = named(key_word(word), std::vector<Hole>(id.begin(), rest), edge.span);
  entry.sk = named(key_word(relation.ends[other].name), behind, edge.span);
  return entry;
}

// Whether keys for the first serve the second.
bool serves(const EdgeSearch& one, const EdgeSearch& other) {
  if (one.known != other.known || one.parts > other.parts) return false;
  if (one.is_by_part()) return other.is_by_part();
  return one.edge_fields == other.edge_fields;
}

std::vector<EdgeSearch> fewest(const std::vector<EdgeSearch>& all) {
  std::vector<EdgeSearch> kept;
  for (size_t i = 0; i < all.size(); ++i) {
    bool is_served = false;
    for (size_t j = 0; j < all.size() && !is_served; ++j) {
      // Of two that serve each other the first stays.
      is_served = i != j && serves(all[j], all[i]) && (j < i || !serves(all[i], all[j]));
    }
    if (!is_served) kept.push_back(all[i]);
  }
  return kept;
}

bool goes_along(const Node& node, EndId end) {
  return std::any_of(node.nested.begin(), node.nested.end(), [&](const Nested& nested) {
    return nested.end == end || (nested.node != nullptr && goes_along(*nested.node, end));
  });
}

bool is_walked_strongly(const Model& model, EndId end) {
  return std::any_of(model.patterns.begin(), model.patterns.end(), [&](const Pattern& pattern) {
    if (!pattern.syntax->clauses.strong && !pattern.syntax->clauses.snapshot) return false;
    return goes_along(pattern.node, end) || std::any_of(pattern.steps.begin(), pattern.steps.end(),
                                                        [&](const auto& step) { return step.first == end; });
  });
}

}  // namespace

std::vector<EdgeSearch> edge_searches(const Model& model, RelationId relation) {
  if (model.relations[relation].is_symmetric) return {};
  return SearchFinder(model, relation).run();
}

int graph_side(const Model& model, RelationId relation, const bool (&has_items)[2]) {
  const std::vector<EdgeSearch> searches = edge_searches(model, relation);
  if (searches.empty()) return has_items[1] ? 1 : 0;
  const bool is_strong[2] = {is_walked_strongly(model, {.relation = relation, .side = 0}),
                             is_walked_strongly(model, {.relation = relation, .side = 1})};
  int side = 1 - searches.front().known;
  if (is_strong[0] != is_strong[1]) side = is_strong[0] ? 1 : 0;
  return has_items[side] || !has_items[1 - side] ? side : 1 - side;
}

std::vector<IndexEntry> graph_views(const Model& model, const TemplateResolver& templates, int pk_side,
                                    const ItemKind& edge) {
  std::vector<IndexEntry> views;
  SearchFinder finder(model, *edge.relation);
  bool leads_back = false;
  for (const EdgeSearch& search : fewest(finder.run())) {
    views.push_back(search_view(model, templates, search, edge));
    const bool is_back = search.known == 1 - pk_side;
    leads_back = leads_back || (is_back && (search.is_by_part() || !finder.picks_by_target(pk_side)));
  }
  if (!leads_back) views.push_back(edge_view(model, templates, 1 - pk_side, edge));
  return views;
}

}  // namespace sheaf::model

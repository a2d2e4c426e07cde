#include "model/pattern_resolver.h"

#include <algorithm>

#include "base/article.h"
#include "model/clause_check.h"
#include "model/place_resolver.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Selection;

// Graph reads go at most this deep.
constexpr int64_t kDepthMax = 10;
constexpr int64_t kPageMax = 10'000;

class PatternResolver {
 public:
  PatternResolver(Model& model, Mistakes& mistakes)
      : model_(model), mistakes_(mistakes), names_(model, mistakes), places_(model, mistakes) {}

  void run(const language::Pattern& syntax) {
    if (const Pattern* const first = model_.find_pattern(syntax.name.text))
      return mistakes_.tell_duplicate("patterns", syntax.name, first->syntax->name.span);
    const size_t mistakes = mistakes_.count();
    Pattern pattern{.syntax = &syntax, .name = syntax.name.text};
    pattern.parameters = places_.parameters(syntax.parameters);
    parameters_ = &pattern.parameters;
    pattern.one = syntax.read.one;
    if (const auto scope = start(syntax.read, pattern)) {
      const bool is_list =
          !pattern.one &&
          (!pattern.start || std::any_of(pattern.steps.begin(), pattern.steps.end(), [&](const auto& step) {
            return model_.end(step.first).leads_to_many || step.second > 1;
          }));
      pattern.node = node(*scope, syntax.read.tail, {.is_list = is_list, .is_one = pattern.one});
    }
    check_clauses(syntax);
    if (mistakes_.count() != mistakes) {
      model_.refused.push_back(pattern.name);
      return;
    }
    places_.check_used(pattern.parameters);
    model_.patterns.push_back(std::move(pattern));
  }

 private:
  // The entity that the read leads to.
  std::optional<Scope> start(const language::Read& read, Pattern& pattern) {
    Scope scope{.parameters = parameters_, .knows_ids_only = true};
    if (!read.from_parameter) {
      const bool is_parameter =
          std::any_of(pattern.parameters.begin(), pattern.parameters.end(),
                      [&](const Parameter& each) { return each.name == read.start.text; });
      if (is_parameter && !model_.find_entity(read.start.text)) {
        mistakes_.tell("unknown-entity", read.start.span, read.start.text + " is a parameter, not an entity",
                       "write $" + read.start.text);
        return std::nullopt;
      }
      const auto entity = names_.entity(read.start);
      if (!entity) return std::nullopt;
      if (read.tail.where.empty()) {
        mistakes_.tell("unbounded-read", read.start.span, "this would read every " + read.start.text,
                       "say which: " + read.start.text + " where FIELD = $parameter");
      }
      scope.entity = *entity;
      return scope;
    }
    pattern.start = places_.parameter(pattern.parameters, read.start);
    if (!pattern.start) return std::nullopt;
    const Parameter& parameter = pattern.parameters[*pattern.start];
    if (parameter.is_unknown) return std::nullopt;
    if (!parameter.entity) {
      mistakes_.tell("wrong-type", read.start.span,
                     "a read starts from an entity, and $" + parameter.name + " is " +
                         with_article(text_of(parameter.type)),
                     "declare " + parameter.name + ": ENTITY");
      return std::nullopt;
    }
    if (parameter.is_optional)
      mistakes_.tell("contradiction", parameter.syntax->name.span,
                     "what a read starts from cannot be left out", "remove the ?");
    scope.entity = *parameter.entity;
    for (const language::Step& step : read.steps) {
      const auto end = names_.end(scope.entity, step.name);
      if (!end) return std::nullopt;
      pattern.steps.emplace_back(*end, depth_of(*end, step));
      scope.reached_by = end;
      scope.entity = model_.end(*end).target;
    }
    return scope;
  }

  int64_t depth_of(EndId end, const language::Step& step) {
    if (!step.depth) return 1;
    if (model_.end(end).holder != model_.end(end).target)
      mistakes_.tell("contradiction", step.depth->span,
                     "only an end that leads to the same entity can be followed again", "remove the ^");
    if (has_member(model_.end(end).target, "depth") && step.depth->value > 1)
      mistakes_.tell("reserved-name", step.depth->span,
                     "each document tells the depth at which it was found, and " +
                         model_.entities[model_.end(end).target].name + " has something of that name",
                     "rename it, or follow the end once");
    if (step.depth->value < 1 || step.depth->value > kDepthMax)
      mistakes_.tell("bad-number", step.depth->span, "a depth is from 1 to " + std::to_string(kDepthMax),
                     "use a depth in this range");
    return step.depth->value;
  }

  bool has_member(EntityId entity, std::string_view name) const {
    const std::vector<Field>& fields = model_.entities[entity].fields;
    const std::vector<EndId>& ends = model_.entities[entity].ends;
    return std::any_of(fields.begin(), fields.end(), [&](const Field& each) { return each.name == name; }) ||
           std::any_of(ends.begin(), ends.end(), [&](EndId each) { return model_.end(each).name == name; });
  }

  // Where the entities of a node stand in the document.
  struct Position {
    bool is_list = false;
    bool is_one = false;     // `one`: found by conditions, as a list is
    bool is_nested = false;  // inside of another
  };

  Node node(const Scope& scope, const language::Tail& tail, const Position& position) {
    Node node{.entity = scope.entity, .reached_by = scope.reached_by};
    if (!position.is_list) check_single_node(scope, tail, position);
    node.where = places_.conditions(scope, tail.where);
    node.filter = places_.conditions(scope, tail.filter);
    if (tail.order) read_order(scope, *tail.order, node);
    const auto count = [&](const language::Whole& whole) -> int64_t {
      if (whole.value < 1 || whole.value > kPageMax)
        mistakes_.tell("bad-number", whole.span, "this is from 1 to " + std::to_string(kPageMax),
                       "use a number in this range");
      return whole.value;
    };
    if (tail.limit) node.limit = count(*tail.limit);
    if (tail.page) {
      node.page = count(*tail.page);
      if (position.is_nested && position.is_list)
        mistakes_.tell("nested-page", tail.page->span, "only the outermost list has pages", "use limit here");
    }
    if (!tail.filter.empty() && position.is_list && !node.limit && !has_reads_max_) {
      mistakes_.tell("unbounded-read", tail.filter.front().span,
                     "a filter reads and discards, without bound here",
                     "add limit N, or reads max N behind the pattern");
    }
    if (!tail.selects) {
      node.all_fields = true;
      return node;
    }
    for (const Selection& selection : tail.selection) select(scope, selection, node);
    return node;
  }

  void read_order(const Scope& scope, const language::Order& order, Node& node) {
    if (order.path.from_parameter) {
      return mistakes_.tell("bad-operand", order.path.span, "the order is by a field, not by a parameter",
                            "write order FIELD");
    }
    auto place = places_.place(scope, order.path.names);
    if (!place || !places_.check_single(*place, order.path.names)) return;
    if (place->kind == Place::Kind::kEntity || !is_scalar(place->type)) {
      return mistakes_.tell("wrong-type", order.path.span, "there is no order by this",
                            "order by a field of text or numbers");
    }
    node.order.emplace(std::move(*place), order.direction);
  }

  // Of a single entity there is nothing to choose, to sort or to cut.
  void check_single_node(const Scope& scope, const language::Tail& tail, const Position& position) {
    const std::string what = "there is one " + model_.entities[scope.entity].name + " here";
    if (!tail.where.empty() && !position.is_one)
      mistakes_.tell("contradiction", tail.where.front().span, what + ": where chooses among many",
                     "use filter");
    if (tail.order && !position.is_one)
      mistakes_.tell("contradiction", tail.order->span, what + ": nothing to sort", "remove it");
    if (tail.limit && !position.is_one)
      mistakes_.tell("contradiction", tail.limit->span, what + ": nothing to cut", "remove limit");
    if (tail.page) mistakes_.tell("contradiction", tail.page->span, what + ": no pages", "remove page");
  }

  void select(const Scope& scope, const Selection& selection, Node& node) {
    switch (selection.kind) {
      case Selection::Kind::kAll:
        node.all_fields = true;
        return;
      case Selection::Kind::kAggregate:
        return aggregate(scope, selection, node);
      case Selection::Kind::kNested:
        break;
    }
    const language::Name& name = selection.step.name;
    if (const auto field = model_.find_field(scope.entity, name.text)) {
      const language::Tail& tail = selection.tail;
      const bool is_cut =
          tail.order || tail.limit || tail.page || !tail.where.empty() || !tail.filter.empty();
      if (tail.selects || selection.step.depth || is_cut) {
        return mistakes_.tell("wrong-type", name.span,
                              name.text + " is a field: there is nothing to select in it",
                              "write " + name.text + " alone");
      }
      if (std::find(node.fields.begin(), node.fields.end(), *field) != node.fields.end())
        return mistakes_.tell("said-twice", name.span, name.text + " is selected already",
                              "keep one of the two");
      node.fields.push_back(*field);
      return;
    }
    const auto end = model_.find_end(scope.entity, name.text);
    if (!end) {
      return names_.tell_unknown_member(scope.entity, name);
    }
    for (const Nested& other : node.nested) {
      if (other.end == *end)
        return mistakes_.tell_duplicate("selections", name, other.syntax->step.name.span);
    }
    const Scope inner{.entity = model_.end(*end).target,
                      .reached_by = end,
                      .parameters = parameters_,
                      .knows_ids_only = true};
    Nested nested{.syntax = &selection, .end = *end, .depth = depth_of(*end, selection.step)};
    const bool is_list = model_.end(*end).leads_to_many || nested.depth > 1;
    nested.node =
        std::make_unique<Node>(this->node(inner, selection.tail, {.is_list = is_list, .is_nested = true}));
    node.nested.push_back(std::move(nested));
  }

  void aggregate(const Scope& scope, const Selection& selection, Node& node) {
    AggregateField aggregate{.syntax = &selection, .name = selection.step.name.text};
    if (model_.find_field(scope.entity, aggregate.name) || model_.find_end(scope.entity, aggregate.name)) {
      return mistakes_.tell(
          "said-twice", selection.step.name.span,
          model_.entities[scope.entity].name + " has a member " + aggregate.name + " already",
          "choose another name");
    }
    for (const AggregateField& other : node.aggregates) {
      if (other.name == aggregate.name)
        return mistakes_.tell_duplicate("selections", selection.step.name, other.syntax->step.name.span);
    }
    std::optional<EndId> over;
    const auto operand = [&](const language::Operand& each) {
      const auto* path = std::get_if<language::Path>(&each);
      if (path == nullptr) return true;
      if (path->from_parameter) {
        mistakes_.tell("bad-operand", path->span, "an aggregate is over what an end leads to",
                       "write END.FIELD");
        return false;
      }
      auto place = places_.place(scope, path->names);
      if (!place) return false;
      if (place->ends.size() != 1 || !model_.end(place->ends.front()).leads_to_many ||
          (over && *over != place->ends.front())) {
        mistakes_.tell("bad-operand", path->span,
                       "an aggregate is over what one end leads to, and all of it over the same",
                       "write END.FIELD, or count(END)");
        return false;
      }
      if (selection.aggregate != language::Aggregate::kCount &&
          (place->kind == Place::Kind::kEntity || !is_scalar(place->type))) {
        mistakes_.tell("wrong-type", path->span, "there is nothing to add up or compare here",
                       "write END.FIELD");
        return false;
      }
      if (selection.aggregate == language::Aggregate::kSum && !is_numeric(place->type))
        mistakes_.tell("wrong-type", path->span, "a sum is of numbers, not of " + text_of(place->type),
                       "name a field of numbers, or use count");
      over = place->ends.front();
      aggregate.operands.push_back(std::move(*place));
      return true;
    };
    if (!operand(selection.expression->first)) return;
    for (const auto& [mark, each] : selection.expression->rest) {
      if (!operand(each)) return;
    }
    if (!over) {
      return mistakes_.tell("bad-operand", selection.span, "an aggregate is over what an end leads to",
                            "write END.FIELD");
    }
    aggregate.over = *over;
    node.aggregates.push_back(std::move(aggregate));
  }

  void check_clauses(const language::Pattern& syntax) {
    if (syntax.clauses.strong && syntax.clauses.snapshot)
      mistakes_.tell("contradiction", *syntax.clauses.strong, "a snapshot is strong already",
                     "remove strong");
    if (syntax.clauses.reads_max && syntax.clauses.reads_max->value < 1)
      mistakes_.tell("bad-number", syntax.clauses.reads_max->span, "at least 1 item is read",
                     "write 1 or more");
    check_amounts(syntax.clauses, mistakes_);
  }

 public:
  void set_reads_max(bool has) { has_reads_max_ = has; }

 private:
  Model& model_;
  Mistakes& mistakes_;
  NameLookup names_;
  PlaceResolver places_;
  const std::vector<Parameter>* parameters_ = nullptr;
  bool has_reads_max_ = false;
};

}  // namespace

void resolve_patterns(Model& model, Mistakes& mistakes) {
  PatternResolver resolver(model, mistakes);
  for (const language::Pattern& pattern : model.syntax().patterns) {
    resolver.set_reads_max(pattern.clauses.reads_max.has_value());
    resolver.run(pattern);
  }
}

}  // namespace sheaf::model

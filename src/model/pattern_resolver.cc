#include "model/pattern_resolver.h"

#include <algorithm>

#include "model/place_resolver.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Selection;
using language::Span;

// Graph reads go at most this deep.
constexpr int64_t kDepthMax = 10;
constexpr int64_t kPageMax = 10'000;

class PatternResolver {
 public:
  PatternResolver(Model& model, Mistakes& mistakes)
      : model_(model), mistakes_(mistakes), places_(model, mistakes) {}

  void run(const language::Pattern& syntax) {
    if (const Pattern* const first = model_.find_pattern(syntax.name.text))
      return mistakes_.tell_duplicate("patterns", syntax.name, first->syntax->name.span);
    Pattern pattern{.syntax = &syntax, .name = syntax.name.text};
    pattern.parameters = places_.parameters(syntax.parameters);
    parameters_ = &pattern.parameters;
    pattern.one = syntax.read.one;
    const auto scope = start(syntax.read, pattern);
    if (!scope) return;
    pattern.node = node(*scope, syntax.read.tail, syntax.read.span, 0);
    check_clauses(syntax, pattern);
    model_.patterns.push_back(std::move(pattern));
  }

 private:
  // The entity that the read leads to.
  std::optional<Scope> start(const language::Read& read, Pattern& pattern) {
    Scope scope{.parameters = parameters_};
    if (!read.from_parameter) {
      const auto entity = model_.find_entity(read.start.text);
      if (!entity) {
        std::vector<std::string_view> names;
        for (const Entity& each : model_.entities) names.push_back(each.name);
        mistakes_.tell_unknown("unknown-entity", "entity", read.start, names);
        return std::nullopt;
      }
      if (read.tail.where.empty()) {
        mistakes_.tell("unbounded-read", read.span, "this would read every " + read.start.text,
                       "say which: " + read.start.text + " where FIELD = $parameter");
      }
      scope.entity = *entity;
      return scope;
    }
    pattern.start = places_.parameter(pattern.parameters, read.start);
    if (!pattern.start) return std::nullopt;
    const Parameter& parameter = pattern.parameters[*pattern.start];
    if (!parameter.entity) {
      mistakes_.tell(
          "wrong-type", read.start.span,
          "a read starts from an entity, and $" + parameter.name + " is a " + text_of(parameter.type),
          "declare " + parameter.name + ": ENTITY");
      return std::nullopt;
    }
    if (parameter.is_optional)
      mistakes_.tell("contradiction", parameter.syntax->span, "what a read starts from cannot be left out",
                     "remove the ?");
    scope.entity = *parameter.entity;
    for (const language::Step& step : read.steps) {
      const auto end = end_of(scope.entity, step.name);
      if (!end) return std::nullopt;
      pattern.steps.emplace_back(*end, depth_of(*end, step));
      scope.reached_by = end;
      scope.entity = model_.end(*end).target;
    }
    return scope;
  }

  std::optional<EndId> end_of(EntityId entity, const language::Name& name) {
    const auto end = model_.find_end(entity, name.text);
    if (end) return end;
    std::vector<std::string_view> names;
    for (const EndId each : model_.entities[entity].ends) names.push_back(model_.end(each).name);
    mistakes_.tell_unknown("unknown-end", "end of " + model_.entities[entity].name, name, names);
    return std::nullopt;
  }

  int64_t depth_of(EndId end, const language::Step& step) {
    if (!step.depth) return 1;
    if (model_.end(end).holder != model_.end(end).target)
      mistakes_.tell("contradiction", step.depth->span,
                     "only an end that leads to the same entity can be followed again", "remove the ^");
    if (step.depth->value < 1 || step.depth->value > kDepthMax)
      mistakes_.tell("bad-number", step.depth->span, "a depth is from 1 to " + std::to_string(kDepthMax));
    return step.depth->value;
  }

  Node node(const Scope& scope, const language::Tail& tail, Span span, int depth) {
    Node node{.entity = scope.entity, .reached_by = scope.reached_by};
    node.where = places_.conditions(scope, tail.where);
    node.filter = places_.conditions(scope, tail.filter);
    if (tail.order) {
      if (auto place = places_.place(scope, tail.order->path.names)) {
        if (place->kind == Place::Kind::kEntity || !is_scalar(place->type)) {
          mistakes_.tell("wrong-type", tail.order->span, "there is no order by this",
                         "order by a field of text or numbers");
        } else {
          node.order.emplace(std::move(*place), tail.order->direction);
        }
      }
    }
    const auto count = [&](const language::Whole& whole) -> int64_t {
      if (whole.value < 1 || whole.value > kPageMax)
        mistakes_.tell("bad-number", whole.span, "this is from 1 to " + std::to_string(kPageMax));
      return whole.value;
    };
    if (tail.limit) node.limit = count(*tail.limit);
    if (tail.page) {
      node.page = count(*tail.page);
      if (depth > 0)
        mistakes_.tell("nested-page", tail.page->span, "only the outermost list has pages", "use limit here");
    }
    if (!node.filter.empty() && !node.limit && !has_reads_max_) {
      mistakes_.tell("unbounded-read", tail.filter.front().span,
                     "a filter reads and discards, without bound here",
                     "add limit N, or reads max N behind the pattern");
    }
    if (!tail.selects) {
      node.all_fields = true;
      return node;
    }
    for (const Selection& selection : tail.selection) select(scope, selection, node, depth);
    static_cast<void>(span);
    return node;
  }

  void select(const Scope& scope, const Selection& selection, Node& node, int depth) {
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
      if (selection.tail.selects || selection.step.depth || !selection.tail.where.empty()) {
        return mistakes_.tell("wrong-type", selection.span,
                              name.text + " is a field: there is nothing to select in it",
                              "write " + name.text + " alone");
      }
      if (std::find(node.fields.begin(), node.fields.end(), *field) == node.fields.end())
        node.fields.push_back(*field);
      return;
    }
    const auto end = model_.find_end(scope.entity, name.text);
    if (!end) {
      return mistakes_.tell_unknown("unknown-field", "field or end of " + model_.entities[scope.entity].name,
                                    name, places_.member_names(scope.entity));
    }
    for (const Nested& other : node.nested) {
      if (other.end == *end) return mistakes_.tell_duplicate("selections", name, name.span);
    }
    const Scope inner{.entity = model_.end(*end).target, .reached_by = end, .parameters = parameters_};
    Nested nested{.syntax = &selection, .end = *end, .depth = depth_of(*end, selection.step)};
    nested.node = std::make_unique<Node>(this->node(inner, selection.tail, selection.span, depth + 1));
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
        mistakes_.tell("wrong-type", path->span, "a sum is of numbers, not of " + text_of(place->type));
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

  void check_clauses(const language::Pattern& syntax, const Pattern& pattern) {
    for (const language::Budget& budget : syntax.clauses.budgets) {
      if (budget.count.value < 1) mistakes_.tell("bad-number", budget.count.span, "a budget is at least 1");
    }
    if (syntax.clauses.strong && syntax.clauses.snapshot)
      mistakes_.tell("contradiction", *syntax.clauses.snapshot, "a snapshot is strong already",
                     "remove strong");
    static_cast<void>(pattern);
  }

 public:
  void set_reads_max(bool has) { has_reads_max_ = has; }

 private:
  Model& model_;
  Mistakes& mistakes_;
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

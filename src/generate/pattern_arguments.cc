#include <algorithm>

#include "generate/arguments.h"
#include "generate/found_values.h"

namespace sheaf::generate {
namespace {

constexpr int kPatternTries = 40;

class PatternArguments {
 public:
  PatternArguments(const Generator& generator, const model::Pattern& pattern, const std::vector<bool>& given,
                   Chance& chance)
      : generator_(generator), model_(generator.model()), pattern_(pattern), given_(given), chance_(chance) {}

  Result<ArgumentValues> run() {
    const model::EntityId first =
        pattern_.start ? *pattern_.parameters[*pattern_.start].entity : pattern_.node.entity;
    if (generator_.count(first) == 0)
      return Error{Code::kInvalid, "there is no " + model_.entities[first].name + " to ask for"};
    for (int i = 0; i < kPatternTries; ++i) {
      values_.assign(pattern_.parameters.size(), std::nullopt);
      if (try_once(first, i)) break;
    }
    ArgumentValues made;
    for (size_t i = 0; i < values_.size(); ++i) {
      const model::Parameter& parameter = pattern_.parameters[i];
      if (!given_[i]) {
        made.emplace_back();
      } else if (values_[i]) {
        made.push_back(fitted(std::move(*values_[i]), parameter));
      } else {
        made.push_back(otherwise(parameter));
      }
    }
    return made;
  }

 private:
  bool try_once(model::EntityId first, int attempt) {
    // Popular ones at first, then any.
    Met met{.entity = first,
            .ordinal = attempt < kPatternTries / 2 ? generator_.pick(first, chance_)
                                                   : chance_.below(generator_.count(first))};
    if (pattern_.start) values_[*pattern_.start] = generator_.id(met.entity, met.ordinal);
    for (const auto& [end, depth] : pattern_.steps) {
      const auto next = step(generator_, met, end, chance_);
      if (!next) return false;
      met = *next;
    }
    return bind(pattern_.node, met);
  }

  // Values with which the conditions of a node hold for the one that was met.
  bool bind(const model::Node& node, const Met& met) {
    bool is_found = true;
    for (const auto* conditions : {&node.where, &node.filter}) {
      for (const model::Condition& condition : *conditions) is_found = bind(condition, met) && is_found;
    }
    for (const model::Nested& nested : node.nested) {
      if (!has_parameters(*nested.node)) continue;
      const auto next = step(generator_, met, nested.end, chance_);
      is_found = next && bind(*nested.node, *next) && is_found;
    }
    return is_found;
  }

  static bool has_parameters(const model::Node& node) {
    for (const auto* conditions : {&node.where, &node.filter}) {
      for (const model::Condition& condition : *conditions) {
        for (const auto& parameter : condition.parameters) {
          if (parameter) return true;
        }
      }
    }
    return std::any_of(node.nested.begin(), node.nested.end(),
                       [](const model::Nested& each) { return has_parameters(*each.node); });
  }

  bool bind(const model::Condition& condition, const Met& met) {
    if (const auto is_so = holds(generator_, met, condition, chance_)) return *is_so;
    for (size_t i = 0; i < condition.parameters.size(); ++i) {
      const auto& parameter = condition.parameters[i];
      if (!parameter || !given_[*parameter]) continue;
      const auto found = pattern_.parameters[*parameter].entity
                             ? entity_for(*pattern_.parameters[*parameter].entity, condition, met)
                             : value_at(generator_, met, condition.place, chance_);
      if (!found) return false;
      if (values_[*parameter]) {
        // A value that has been chosen must do here, too.
        if (condition.syntax->test == language::Condition::Test::kEqual && !(*values_[*parameter] == *found))
          return false;
        continue;
      }
      if (pattern_.parameters[*parameter].entity) {
        values_[*parameter] = *found;
        continue;
      }
      values_[*parameter] =
          operand_for(condition.syntax->test, i == 1, *found, other(condition, met, *found));
    }
    return true;
  }

  // The one of this kind to whom the ends of the condition lead.
  std::optional<Value> entity_for(model::EntityId wanted, const model::Condition& condition, const Met& met) {
    Met at = met;
    for (const model::EndId end : condition.place.ends) {
      if (at.entity == wanted) break;
      const auto next = step(generator_, at, end, chance_);
      if (!next) return std::nullopt;
      at = *next;
    }
    if (at.entity != wanted) return std::nullopt;
    return generator_.id(at.entity, at.ordinal);
  }

  // What a second entity of that kind has at the same place: one for each who was met.
  Value other(const model::Condition& condition, const Met& met, const Value& found) {
    if (condition.syntax->test != language::Condition::Test::kBetween ||
        condition.place.kind != model::Place::Kind::kField)
      return found;
    Chance chance(mixed(met.ordinal, "other"));
    const Met second{.entity = met.entity, .ordinal = generator_.pick(met.entity, chance)};
    return value_at(generator_, second, condition.place, chance).value_or(found);
  }

  // Nothing in the data says it.
  Value otherwise(const model::Parameter& parameter) {
    if (parameter.entity) {
      return generator_.count(*parameter.entity) > 0
                 ? generator_.id(*parameter.entity, generator_.pick(*parameter.entity, chance_))
                 : generator_.missing_id(*parameter.entity, 0);
    }
    const model::Field field{.name = parameter.name, .type = parameter.type};
    const Period period{.begin_ms = generator_.until_ms() - 86'400'000, .end_ms = generator_.until_ms()};
    const auto values = FieldValues::of(field, {.period = period});
    return values.ok() ? values->some({.time_ms = period.begin_ms, .period = period}, chance_) : Value();
  }

  const Generator& generator_;
  const model::Model& model_;
  const model::Pattern& pattern_;
  const std::vector<bool>& given_;
  Chance& chance_;
  std::vector<std::optional<Value>> values_;
};

}  // namespace

Result<ArgumentValues> arguments(const Generator& generator, const model::Pattern& pattern,
                                 const std::vector<bool>& given, Chance& chance) {
  return PatternArguments(generator, pattern, given, chance).run();
}

Result<ArgumentValues> arguments(const Generator& generator, const plan::PlannedModel& planned, size_t layout,
                                 const model::Pattern& pattern, Chance& chance) {
  std::vector<const plan::PlannedPattern*> possible;
  for (const plan::PlannedPattern& each : planned.plans[layout]) {
    if (each.pattern == &pattern && each.ok()) possible.push_back(&each);
  }
  if (possible.empty())
    return Error{Code::kInvalid,
                 "the layout " + planned.compiled.layouts[layout].name + " cannot answer " + pattern.name};
  return arguments(generator, pattern, possible[chance.below(possible.size())]->given, chance);
}

}  // namespace sheaf::generate

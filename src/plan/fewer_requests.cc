#include "plan/fewer_requests.h"

#include <algorithm>
#include <tuple>

#include "plan/planner.h"

namespace sheaf::plan {
namespace {

std::optional<Cost> pattern_cost(const model::CompiledModel& compiled, const std::string& name,
                                 const std::vector<bool>& given) {
  const model::Pattern* const pattern = compiled.model.find_pattern(name);
  if (pattern == nullptr) return std::nullopt;
  const auto made = plan_pattern(compiled.model, compiled.layouts.front(), *pattern, given);
  const auto* const plan = std::get_if<Plan>(&made);
  return plan != nullptr ? std::optional(plan->cost) : std::nullopt;
}

std::optional<Cost> operation_cost(const model::CompiledModel& compiled, const std::string& name) {
  const model::Operation* const operation = compiled.model.find_operation(name);
  if (operation == nullptr) return std::nullopt;
  const auto made = plan_operation(compiled.model, compiled.layouts.front(), *operation);
  const auto* const plan = std::get_if<OperationPlan>(&made);
  return plan != nullptr ? std::optional(plan->cost) : std::nullopt;
}

// Of each relation, entity or index.
constexpr size_t kPromisingMax = 3;
// Of one question, for each set of keys. Most models have far fewer.
constexpr size_t kTogetherMax = 60;

bool is_cheaper(const Cost& first, const Cost& second) {
  return std::tuple(first.requests, first.units) < std::tuple(second.requests, second.units);
}

}  // namespace

std::string FewerRequests::text() const {
  std::string text;
  for (const std::string& change : changes) text += (text.empty() ? "" : " ") + change;
  return text;
}

FewerRequestsSearch::FewerRequestsSearch(const PlannedModel& planned, size_t layout)
    : planned_(planned), layout_(layout), variants_(planned.compiled, layout) {}

std::optional<FewerRequests> FewerRequestsSearch::find(const PlannedPattern& pattern) {
  tried_ = {};
  if (!pattern.ok()) return std::nullopt;
  const Plan& plan = std::get<Plan>(pattern.plan);
  const model::Model& model = planned_.compiled.model;
  Concern concern{.relations = std::vector<bool>(model.relations.size(), false),
                  .entities = std::vector<bool>(model.entities.size(), false)};
  for (const DocumentNode& node : plan.nodes) {
    if (node.end) concern.relations[node.end->relation] = true;
    if (model.entities[node.entity].within)
      concern.relations[model.entities[node.entity].within->relation] = true;
    concern.entities[node.entity] = true;
  }
  name_ = pattern.pattern->name;
  find(plan.cost.requests, concern, [&](const model::CompiledModel& variant) {
    return pattern_cost(variant, pattern.pattern->name, pattern.given);
  });
  return std::move(best_);
}

std::optional<FewerRequests> FewerRequestsSearch::find(const PlannedOperation& operation) {
  tried_ = {};
  if (!operation.ok()) return std::nullopt;
  const model::Model& model = planned_.compiled.model;
  // The relations of what it is about. No order of lists saves a write.
  Concern concern{.relations = std::vector<bool>(model.relations.size(), false),
                  .entities = std::vector<bool>(model.entities.size(), false)};
  for (const model::Parameter& parameter : operation.operation->parameters) {
    if (!parameter.entity) continue;
    for (const model::EndId end : model.entities[*parameter.entity].ends)
      concern.relations[end.relation] = true;
  }
  name_ = operation.operation->name;
  find(std::get<OperationPlan>(operation.plan).cost.requests, concern,
       [&](const model::CompiledModel& variant) {
         return operation_cost(variant, operation.operation->name);
       });
  return std::move(best_);
}

void FewerRequestsSearch::find(double requests, const Concern& concern, const CostOf& then) {
  best_.reset();
  if (requests <= 1) return;
  Candidates candidates;
  for (size_t i = 0; i < variants_.size(); ++i) {
    const StorageVariants::Variant& variant = variants_[i];
    if (variant.relation && !concern.relations[*variant.relation]) continue;
    if (variant.entity && !concern.entities[*variant.entity]) continue;
    const model::CompiledModel* const compiled = variants_.compiled(i);
    if (compiled == nullptr) continue;
    const std::optional<Cost> cost = then(*compiled);
    if (!cost) continue;
    ++tried_.alone;
    candidates.push_back({.variant = i, .cost = *cost});
    if (cost->requests >= (best_ ? best_->requests + 1 : requests)) continue;
    note({.requests = cost->requests,
          .changes = {variant.text},
          .keeps_keys = variant.keeps_keys,
          .worse = worse(*compiled, name_)});
    if (best_->requests <= 1 && best_->worse.empty() && best_->keeps_keys) break;
  }
  if (best_ && best_->requests <= 1) return;
  const double alone = best_ ? best_->requests : requests;
  for (const bool keeps_keys : {true, false})
    find_together(most_promising(candidates, keeps_keys), alone, then);
}

std::vector<FewerRequestsSearch::Candidates> FewerRequestsSearch::most_promising(const Candidates& all,
                                                                                 bool keeps_keys) const {
  Candidates sorted;
  for (const Candidate& each : all) {
    if (variants_[each.variant].keeps_keys == keeps_keys) sorted.push_back(each);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Candidate& a, const Candidate& b) { return is_cheaper(a.cost, b.cost); });
  std::vector<Candidates> subjects;
  for (const Candidate& each : sorted) {
    const auto same = std::find_if(subjects.begin(), subjects.end(), [&](const Candidates& subject) {
      return !variants_.fit_together(subject.front().variant, each.variant);
    });
    if (same == subjects.end()) {
      subjects.push_back({each});
    } else if (same->size() < kPromisingMax) {
      same->push_back(each);
    }
  }
  return subjects;
}

void FewerRequestsSearch::find_together(const std::vector<Candidates>& subjects, double requests,
                                        const CostOf& then) {
  if (subjects.size() < 2) return;
  together_.clear();
  std::vector<size_t> chosen = {subjects.front().front().variant};
  Cost cost = subjects.front().front().cost;
  for (size_t i = 1; i < subjects.size(); ++i) {
    std::optional<Candidate> added;
    for (const Candidate& each : subjects[i]) {
      std::vector<size_t> more = chosen;
      more.push_back(each.variant);
      const std::optional<Cost> then_cost = try_together(more, requests, then);
      if (then_cost && is_cheaper(*then_cost, added ? added->cost : cost))
        added = {.variant = each.variant, .cost = *then_cost};
    }
    if (!added) continue;
    chosen.push_back(added->variant);
    cost = added->cost;
  }
  // Not all of them may be needed.
  for (size_t i = 0; cost.requests < requests && chosen.size() > 2 && i < chosen.size();) {
    std::vector<size_t> less = chosen;
    less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
    const std::optional<Cost> then_cost = try_together(less, requests, then);
    if (then_cost && then_cost->requests <= cost.requests) {
      chosen = less;
    } else {
      ++i;
    }
  }
  // The most promising pairs first.
  for (size_t rank = 0; rank <= 2 * (kPromisingMax - 1); ++rank) {
    for (size_t a = 0; a < subjects.size(); ++a) {
      for (size_t b = a + 1; b < subjects.size(); ++b) {
        for (size_t i = 0; i <= rank && i < subjects[a].size(); ++i) {
          if (rank - i < subjects[b].size())
            try_together({subjects[a][i].variant, subjects[b][rank - i].variant}, requests, then);
        }
      }
    }
  }
}

std::optional<Cost> FewerRequestsSearch::try_together(std::vector<size_t> chosen, double requests,
                                                      const CostOf& then) {
  std::sort(chosen.begin(), chosen.end());
  for (size_t i = 1; i < chosen.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!variants_.fit_together(chosen[i], chosen[j])) return std::nullopt;
    }
  }
  if (const auto known = together_.find(chosen); known != together_.end()) return known->second;
  if (together_.size() == kTogetherMax) return std::nullopt;
  const std::optional<model::CompiledModel> compiled = variants_.compiled_together(chosen);
  const std::optional<Cost> cost = compiled ? then(*compiled) : std::nullopt;
  together_.emplace(chosen, cost);
  if (!cost) return std::nullopt;
  ++tried_.together;
  if (cost->requests >= requests || (best_ && cost->requests > best_->requests)) return cost;
  FewerRequests found{.requests = cost->requests,
                      .keeps_keys = variants_[chosen.front()].keeps_keys,
                      .worse = worse(*compiled, name_)};
  for (const size_t each : chosen) found.changes.push_back(variants_[each].text);
  note(std::move(found));
  return cost;
}

void FewerRequestsSearch::note(FewerRequests found) {
  const auto rank = [](const FewerRequests& each) {
    return std::tuple(each.requests, each.worse.size(), !each.keeps_keys, each.changes.size());
  };
  if (!best_ || rank(found) < rank(*best_)) best_ = std::move(found);
}

std::vector<std::string> FewerRequestsSearch::worse(const model::CompiledModel& variant,
                                                    const std::string& but) const {
  std::vector<std::string> names;
  const auto compare = [&](const std::string& name, double requests, const std::optional<Cost>& needed) {
    const bool is_told = !names.empty() && names.back() == name;
    if (name != but && !is_told && (!needed || needed->requests > requests)) names.push_back(name);
  };
  for (const PlannedPattern& each : planned_.plans[layout_]) {
    if (each.ok())
      compare(each.pattern->name, std::get<Plan>(each.plan).cost.requests,
              pattern_cost(variant, each.pattern->name, each.given));
  }
  for (const PlannedOperation& each : planned_.operations[layout_]) {
    if (each.ok())
      compare(each.operation->name, std::get<OperationPlan>(each.plan).cost.requests,
              operation_cost(variant, each.operation->name));
  }
  return names;
}

}  // namespace sheaf::plan

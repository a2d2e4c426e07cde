#include "plan/fewer_requests.h"

#include <algorithm>
#include <tuple>

#include "plan/planner.h"

namespace sheaf::plan {
namespace {

std::optional<double> pattern_requests(const model::CompiledModel& compiled, const std::string& name,
                                       const std::vector<bool>& given) {
  const model::Pattern* const pattern = compiled.model.find_pattern(name);
  if (pattern == nullptr) return std::nullopt;
  const auto made = plan_pattern(compiled.model, compiled.layouts.front(), *pattern, given);
  const auto* const plan = std::get_if<Plan>(&made);
  return plan != nullptr ? std::optional(plan->cost.requests) : std::nullopt;
}

std::optional<double> operation_requests(const model::CompiledModel& compiled, const std::string& name) {
  const model::Operation* const operation = compiled.model.find_operation(name);
  if (operation == nullptr) return std::nullopt;
  const auto made = plan_operation(compiled.model, compiled.layouts.front(), *operation);
  const auto* const plan = std::get_if<OperationPlan>(&made);
  return plan != nullptr ? std::optional(plan->cost.requests) : std::nullopt;
}

}  // namespace

FewerRequestsSearch::FewerRequestsSearch(const PlannedModel& planned, size_t layout)
    : planned_(planned), layout_(layout), variants_(planned.compiled, layout) {}

std::optional<FewerRequests> FewerRequestsSearch::find(const PlannedPattern& pattern) {
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
  return find(plan.cost.requests, concern, [&](const model::CompiledModel& variant) {
    return pattern_requests(variant, pattern.pattern->name, pattern.given);
  });
}

std::optional<FewerRequests> FewerRequestsSearch::find(const PlannedOperation& operation) {
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
  return find(std::get<OperationPlan>(operation.plan).cost.requests, concern,
              [&](const model::CompiledModel& variant) {
                return operation_requests(variant, operation.operation->name);
              });
}

std::optional<FewerRequests> FewerRequestsSearch::find(double requests, const Concern& concern,
                                                       const RequestsOf& then) {
  if (requests <= 1) return std::nullopt;
  std::optional<FewerRequests> best;
  const auto rank = [](const FewerRequests& each) {
    return std::tuple(each.requests, each.worse.size(), !each.keeps_keys);
  };
  for (size_t i = 0; i < variants_.size(); ++i) {
    const StorageVariants::Variant& variant = variants_[i];
    if (variant.relation && !concern.relations[*variant.relation]) continue;
    if (variant.entity && !concern.entities[*variant.entity]) continue;
    const model::CompiledModel* const compiled = variants_.compiled(i);
    if (compiled == nullptr) continue;
    const std::optional<double> needed = then(*compiled);
    if (!needed || *needed >= (best ? best->requests + 1 : requests)) continue;
    FewerRequests found{.requests = *needed, .change = variant.text, .keeps_keys = variant.keeps_keys};
    found.worse = worse(*compiled, name_);
    if (!best || rank(found) < rank(*best)) best = std::move(found);
    if (best->requests <= 1 && best->worse.empty() && best->keeps_keys) break;
  }
  return best;
}

std::vector<std::string> FewerRequestsSearch::worse(const model::CompiledModel& variant,
                                                    const std::string& but) const {
  std::vector<std::string> names;
  const auto compare = [&](const std::string& name, double requests, std::optional<double> needed) {
    const bool is_told = !names.empty() && names.back() == name;
    if (name != but && !is_told && (!needed || *needed > requests)) names.push_back(name);
  };
  for (const PlannedPattern& each : planned_.plans[layout_]) {
    if (each.ok())
      compare(each.pattern->name, std::get<Plan>(each.plan).cost.requests,
              pattern_requests(variant, each.pattern->name, each.given));
  }
  for (const PlannedOperation& each : planned_.operations[layout_]) {
    if (each.ok())
      compare(each.operation->name, std::get<OperationPlan>(each.plan).cost.requests,
              operation_requests(variant, each.operation->name));
  }
  return names;
}

}  // namespace sheaf::plan

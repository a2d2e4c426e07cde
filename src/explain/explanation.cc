#include "explain/explanation.h"

#include <sstream>

#include "plan/answer_size.h"

namespace sheaf::explain {
namespace {

Explanation explained(const plan::PlannedModel& planned, size_t layout, const plan::PlannedPattern& each,
                      plan::FewerRequestsSearch& search) {
  const model::Pattern& pattern = *each.pattern;
  Explanation made{
      .name = pattern.name, .clauses = &pattern.syntax->clauses, .span = pattern.syntax->name.span};
  for (size_t i = 0; i < each.given.size(); ++i) {
    if (each.given[i]) made.parameters.push_back(pattern.parameters[i].name);
  }
  if (!each.ok()) {
    const auto& refusal = std::get<plan::Refusal>(each.plan);
    made.refusal = refusal.message;
    made.fix = refusal.fix;
    return made;
  }
  const auto& plan = std::get<plan::Plan>(each.plan);
  made.consistency = plan.is_snapshot ? "transactional" : plan.is_strong ? "strong" : "eventual";
  made.planned = plan.cost;
  const auto texts = plan::request_texts(planned.compiled.model, planned.compiled.layouts[layout], plan);
  for (size_t i = 0; i < plan.requests.size(); ++i) {
    const plan::Request& request = plan.requests[i];
    made.items_read += request.items_read;
    made.steps.push_back({.text = texts[i],
                          .calls = request.calls,
                          .items_read = request.items_read,
                          .units = request.units,
                          .round = request.round});
  }
  made.items_returned = plan::entities_returned(plan);
  made.fewer = search.find(each);
  made.tried = search.tried();
  return made;
}

Explanation explained(const plan::PlannedOperation& each, plan::FewerRequestsSearch& search) {
  const model::Operation& operation = *each.operation;
  Explanation made{.name = operation.name,
                   .is_operation = true,
                   .clauses = &operation.syntax->clauses,
                   .span = operation.syntax->name.span};
  for (const model::Parameter& parameter : operation.parameters) made.parameters.push_back(parameter.name);
  if (!each.ok()) {
    const auto& refusal = std::get<plan::Refusal>(each.plan);
    made.refusal = refusal.message;
    made.fix = refusal.fix;
    return made;
  }
  const auto& plan = std::get<plan::OperationPlan>(each.plan);
  const bool is_one = plan.actions.size() == 1 && plan.actions[0].kind != plan::PlannedAction::Kind::kCheck;
  made.consistency = is_one ? "strong" : "transactional";
  made.planned = plan.cost;
  // All but the heading.
  std::istringstream text(plan::explain(plan));
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) made.lines.push_back(line.substr(line.find_first_not_of(' ')));
  made.fewer = search.find(each);
  made.tried = search.tried();
  return made;
}

}  // namespace

std::vector<Explanation> explain(const plan::PlannedModel& planned, size_t layout, const std::string& name) {
  plan::FewerRequestsSearch search(planned, layout);
  std::vector<Explanation> made;
  for (const plan::PlannedPattern& each : planned.plans[layout]) {
    if (name.empty() || each.pattern->name == name) made.push_back(explained(planned, layout, each, search));
  }
  for (const plan::PlannedOperation& each : planned.operations[layout]) {
    if (name.empty() || each.operation->name == name) made.push_back(explained(each, search));
  }
  return made;
}

}  // namespace sheaf::explain

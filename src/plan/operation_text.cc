#include <cmath>

#include "plan/operation_plan.h"

namespace sheaf::plan {
namespace {

using Done = PlannedAction::Kind;

std::string number(double value) { return std::to_string(static_cast<int64_t>(std::ceil(value))); }

std::string_view verb(Done kind) {
  switch (kind) {
    case Done::kPut:
      return "put";
    case Done::kUpdate:
      return "update";
    case Done::kDelete:
      return "delete";
    case Done::kCheck:
      break;
  }
  return "check";
}

}  // namespace

std::string explain(const OperationPlan& plan) {
  std::string out = plan.operation->name + "(";
  for (size_t i = 0; i < plan.operation->parameters.size(); ++i)
    out += (i > 0 ? ", " : "") + plan.operation->parameters[i].name;
  out += "): " + number(plan.cost.requests) + (plan.cost.requests == 1 ? " request, " : " requests, ") +
         number(plan.cost.rounds) + (plan.cost.rounds == 1 ? " round, " : " rounds, ") + "about " +
         number(plan.cost.units) + " units\n";
  size_t line = 0;
  for (const PlannedRead& read : plan.reads) out += "  " + std::to_string(++line) + ". " + read.what + "\n";
  if (!plan.actions.empty()) {
    const bool is_one = plan.actions.size() == 1 && plan.actions[0].kind != Done::kCheck;
    out += "  " + std::to_string(++line) + ". " +
           (is_one ? plan.actions[0].kind == Done::kPut      ? "PutItem: "
                     : plan.actions[0].kind == Done::kDelete ? "DeleteItem: "
                                                             : "UpdateItem: "
                   : "TransactWriteItems: ");
    for (size_t i = 0; i < plan.actions.size(); ++i)
      out += (i > 0 ? ", " : "") + (is_one ? "" : std::string(verb(plan.actions[i].kind)) + " ") +
             plan.actions[i].what;
    out += "\n";
  }
  for (const std::string& job : plan.jobs) out += "  then, by a job: " + job + "\n";
  return out;
}

}  // namespace sheaf::plan

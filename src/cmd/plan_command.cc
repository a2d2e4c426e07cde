#include "cmd/plan_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "plan/explain.h"
#include "plan/explain_storage.h"
#include "remote/item_requests.h"
#include "run/request_sketch.h"
#include "run/session.h"

namespace sheaf::cmd {
namespace {

struct PlanArguments {
  ModelChoice model;
  std::string name;
  std::vector<std::string> values;
  bool has_values = false;
};

void print(const plan::PlannedPattern& each, const ChosenModel& chosen) {
  if (each.ok()) {
    std::cout << plan::explain(chosen.model(), chosen.stored(), std::get<plan::Plan>(each.plan));
    return;
  }
  const auto& refusal = std::get<plan::Refusal>(each.plan);
  std::cout << each.pattern->name << ": cannot be answered: " << refusal.message << "\n";
  if (!refusal.fix.empty()) std::cout << "  = " << refusal.fix << "\n";
}

struct RequestPrinter {
  void operator()(const Query& request) const { print("Query", remote::to_json(request)); }
  void operator()(const GetItem& request) const { print("GetItem", remote::to_json(request)); }
  void operator()(const BatchGetItems& request) const { print("BatchGetItem", remote::to_json(request)); }
  void operator()(const TransactGetItems& request) const {
    print("TransactGetItems", remote::to_json(request));
  }
  static void print(std::string_view operation, const std::string& json) {
    std::cout << operation << " " << json << "\n";
  }
};

// The exact requests for these values.
int print_requests(const ChosenModel& chosen, const PlanArguments& arguments) {
  const model::Pattern* const pattern = chosen.model().find_pattern(arguments.name);
  if (pattern == nullptr) return fail("there is no pattern " + arguments.name);
  const auto values = run::arguments_of(chosen.model(), pattern->name, pattern->parameters,
                                        typed_values(pattern->parameters, arguments.values));
  if (!values.ok()) return fail(values.error().message);
  for (const plan::PlannedPattern& each : chosen.planned.plans[chosen.layout]) {
    if (each.pattern != pattern || !run::is_for(each, *values)) continue;
    if (!each.ok()) return fail(std::get<plan::Refusal>(each.plan).message);
    const auto requests =
        run::sketch_requests(chosen.model(), chosen.stored(), std::get<plan::Plan>(each.plan), *values);
    if (!requests.ok()) return fail(requests.error().message);
    for (const run::SketchedRequest& request : *requests) std::visit(RequestPrinter(), request);
    return 0;
  }
  return fail("there is no plan for " + arguments.name);
}

int plan(const PlanArguments& arguments) {
  const auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  if (arguments.has_values) return print_requests(chosen, arguments);
  bool is_known = arguments.name.empty();
  for (const plan::PlannedPattern& each : chosen.planned.plans[chosen.layout]) {
    if (!arguments.name.empty() && each.pattern->name != arguments.name) continue;
    is_known = true;
    print(each, chosen);
  }
  for (const plan::PlannedOperation& each : chosen.planned.operations[chosen.layout]) {
    if (!arguments.name.empty() && each.operation->name != arguments.name) continue;
    is_known = true;
    if (each.ok()) {
      std::cout << plan::explain(std::get<plan::OperationPlan>(each.plan));
    } else {
      std::cout << each.operation->name
                << ": cannot be carried out: " << std::get<plan::Refusal>(each.plan).message << "\n";
    }
  }
  if (arguments.name.empty()) std::cout << plan::explain_storage(chosen.model(), chosen.stored());
  if (!is_known) return fail("there is no pattern or operation " + arguments.name);
  return chosen.planned.compiled.ok() ? 0 : kWrongModel;
}

}  // namespace

void add_plan_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<PlanArguments>();
  CLI::App* const planning = model.add_subcommand(
      "plan", "Show the requests behind each pattern and operation: plan FILE [NAME] [--params VALUE...]");
  add_model_options(*planning, arguments->model);
  planning->add_option("NAME", arguments->name, "Only this pattern or operation");
  planning->add_flag("--params", arguments->has_values,
                     "Print the exact requests, as DynamoDB's JSON, for the values that follow");
  planning->allow_extras();
  planning->callback([arguments, planning, &status] {
    arguments->values = further_words(*planning);
    status = plan(*arguments);
  });
}

}  // namespace sheaf::cmd

#include "cmd/plan_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/command_line.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "explain/explanation.h"
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
  bool is_in_json = false;
};

void print_plan(const std::string& plan) {
  std::cout << console::painted_heads(plan, console::Paint::kHead, standard_terminal().look.has_colour);
}

void print_refusal(const std::string& name, std::string_view what, const plan::Refusal& refusal) {
  std::cout << console::painted_heads(name + ": " + std::string(what) + ": " + refusal.message + "\n",
                                      console::Paint::kWrong, standard_terminal().look.has_colour);
}

void print(const plan::PlannedPattern& each, const ChosenModel& chosen) {
  if (each.ok()) {
    print_plan(plan::explain(chosen.model(), chosen.stored(), std::get<plan::Plan>(each.plan)));
    return;
  }
  const auto& refusal = std::get<plan::Refusal>(each.plan);
  print_refusal(each.pattern->name, "cannot be answered", refusal);
  if (!refusal.fix.empty()) std::cout << "  = " << refusal.fix << "\n";
}

struct RequestPrinter {
  bool is_in_json = false;

  void operator()(const Query& request) const { print("Query", remote::to_json(request)); }
  void operator()(const GetItem& request) const { print("GetItem", remote::to_json(request)); }
  void operator()(const BatchGetItems& request) const { print("BatchGetItem", remote::to_json(request)); }
  void operator()(const TransactGetItems& request) const {
    print("TransactGetItems", remote::to_json(request));
  }
  void print(std::string_view operation, const std::string& json) const {
    if (is_in_json)
      std::cout << "{\"operation\":\"" << operation << "\",\"request\":" << json << "}\n";
    else
      std::cout << operation << " " << json << "\n";
  }
};

// The exact requests for these values.
int print_requests(const ChosenModel& chosen, const PlanArguments& arguments) {
  if (arguments.name.empty())
    return fail("--params are of one pattern: name it, plan FILE NAME --params VALUE...");
  const model::Pattern* const pattern = chosen.model().find_pattern(arguments.name);
  if (pattern == nullptr && chosen.model().find_operation(arguments.name) != nullptr)
    return fail(arguments.name +
                " is an operation: its requests depend on what is stored, so --params are of "
                "patterns alone; plan FILE " +
                arguments.name + " shows its steps");
  if (pattern == nullptr) return fail("there is no pattern or operation " + arguments.name);
  const auto values = run::arguments_of(chosen.model(), pattern->name, pattern->parameters,
                                        typed_values(pattern->parameters, arguments.values));
  if (!values.ok()) return fail(values.error().message);
  for (const plan::PlannedPattern& each : chosen.planned.plans[chosen.layout]) {
    if (each.pattern != pattern || !run::is_for(each, *values)) continue;
    if (!each.ok()) return fail(std::get<plan::Refusal>(each.plan).message);
    const auto requests =
        run::sketch_requests(chosen.model(), chosen.stored(), std::get<plan::Plan>(each.plan), *values);
    if (!requests.ok()) return fail(requests.error().message);
    for (const run::SketchedRequest& request : *requests)
      std::visit(RequestPrinter{.is_in_json = arguments.is_in_json}, request);
    return 0;
  }
  return fail("there is no plan for " + arguments.name);
}

// As `sheaf model explain` tells them.
int print_explanations(const ChosenModel& chosen, const PlanArguments& arguments) {
  const std::vector<explain::Explanation> explanations =
      explain::explain(chosen.planned, chosen.layout, arguments.name);
  if (explanations.empty() && !arguments.name.empty())
    return fail("there is no pattern or operation " + arguments.name);
  std::cout << explain::to_json({.model = arguments.model.path, .layout = chosen.stored().name}, explanations,
                                explain::findings(chosen.planned, chosen.layout, explanations));
  return chosen.planned.compiled.ok() ? 0 : kWrongModel;
}

int plan(const PlanArguments& arguments) {
  const auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  if (arguments.has_values) return print_requests(chosen, arguments);
  if (arguments.is_in_json) return print_explanations(chosen, arguments);
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
      print_plan(plan::explain(std::get<plan::OperationPlan>(each.plan)));
    } else {
      print_refusal(each.operation->name, "cannot be carried out", std::get<plan::Refusal>(each.plan));
    }
  }
  if (arguments.name.empty()) print_plan(plan::explain_storage(chosen.model(), chosen.stored()));
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
  add_words_option(*planning, "VALUE", arguments->values,
                   "With --params: a parameter, as JSON or text (behind --, one that begins with a dash)");
  planning->add_flag(
      "--json", arguments->is_in_json,
      "Tell it in JSON, as `sheaf model explain` does; with --params: an object a request, each on a line");
  planning->callback([arguments, planning, &status] {
    // Here, where options that are not there were told already: of a mistyped one, the value comes here.
    if (!arguments->has_values && !arguments->values.empty())
      throw CLI::ExtrasError(planning->get_name(), arguments->values);
    status = plan(*arguments);
  });
}

}  // namespace sheaf::cmd

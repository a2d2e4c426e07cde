#include "cmd/explain_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/lint_options.h"
#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "cmd/trial_data.h"
#include "console/painted_text.h"
#include "explain/explanation.h"

namespace sheaf::cmd {
namespace {

struct ExplainArguments {
  ModelChoice model;
  std::string name;
  bool runs = false;
  TrialChoice trial;
  std::string format = "text";
  bool as_json = false;
};

// A model that has no mistakes but budgets that are exceeded, which are findings here. An exit status if it
// cannot be used.
std::variant<ChosenModel, int> choose_budgeted(const ModelChoice& choice, bool as_json) {
  const Result<std::string> text = read_model(choice.path);
  if (!text.ok()) return fail(text.error().message);
  ChosenModel chosen{.planned = plan::plan_model(model::compile(choice.path, *text))};
  const auto& told = chosen.planned.compiled.diagnostics.all();
  const bool is_wrong = std::any_of(told.begin(), told.end(), [](const language::Diagnostic& each) {
    return each.severity == language::Severity::kError && each.id.text() != "over-budget";
  });
  if (is_wrong || chosen.planned.plans.empty()) return tell_mistakes(chosen.planned.compiled, as_json);
  for (const model::Layout& each : chosen.planned.compiled.layouts) {
    if (each.name == choice.layout) return chosen;
    ++chosen.layout;
  }
  return fail(choice.path + " has no layout " + choice.layout);
}

explain::Actual actual_of(const measure::Measured& measured) {
  explain::Actual actual{.runs = measured.runs, .refused = measured.refused, .refusal = measured.refusal};
  actual.planned = {.requests = measured.mean(measured.planned.requests),
                    .rounds = measured.mean(measured.planned.rounds),
                    .units = measured.mean(measured.planned.units)};
  actual.mean = {.requests = measured.mean(measured.own.requests),
                 .rounds = measured.mean(measured.own.rounds),
                 .units = measured.mean(measured.own.units)};
  actual.most = measured.dearest;
  actual.read_units = measured.mean(measured.usage.read_units());
  actual.write_units = measured.mean(measured.usage.write_units());
  actual.items_read = measured.mean(static_cast<double>(measured.usage.items_read));
  actual.items_returned = measured.mean(static_cast<double>(measured.items_returned));
  return actual;
}

// Runs all of the model, and adds what each took to the explanation with all parameters that there can be.
// What it was run on.
Result<std::string> add_actual(const ChosenModel& chosen, const ExplainArguments& arguments,
                               std::vector<explain::Explanation>& explanations) {
  const std::unique_ptr<TrialData> data =
      TRY(TrialData::make({chosen.planned_layout()}, arguments.trial, arguments.model.path));
  const measure::Trial trial = TRY(data->run(chosen.planned_layout()));
  for (size_t i = 0; i < trial.measured.size(); ++i) {
    const auto same = std::find_if(explanations.begin(), explanations.end(), [&](const auto& each) {
      return each.name == data->script().subjects[i].name;
    });
    if (same != explanations.end()) same->actual = actual_of(trial.measured[i]);
  }
  const explain::Explanation* last = nullptr;
  for (explain::Explanation& each : explanations) {
    const bool is_first = last == nullptr || last->name != each.name;
    if (is_first && !each.actual) each.actual = explain::Actual{};
    last = &each;
  }
  return data->text();
}

int explain_command(const ExplainArguments& arguments) {
  const bool as_json = arguments.as_json || arguments.format == "json";
  const auto made = choose_budgeted(arguments.model, as_json);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  std::vector<explain::Explanation> explanations =
      explain::explain(chosen.planned, chosen.layout, arguments.name);
  if (explanations.empty() && !arguments.name.empty())
    return fail("there is no pattern or operation " + arguments.name);
  std::string run_on;
  if (arguments.runs) {
    Result<std::string> added = add_actual(chosen, arguments, explanations);
    if (!added.ok()) return fail(added.error().message);
    run_on = std::move(*added);
  }
  lint::Report report = explain::findings(chosen.planned, chosen.layout, explanations);
  const int status = report.fails() ? kWrongModel : 0;
  if (as_json) {
    std::cout << explain::to_json(
        {.model = arguments.model.path, .layout = chosen.stored().name, .run_on = run_on}, explanations,
        report);
    return status;
  }
  if (arguments.format != "text") {
    LintChoice choice{.fail_on = "error"};
    (arguments.format == "sarif" ? choice.sarif_path : choice.junit_path) = "-";
    return tell(std::move(report), choice);
  }
  const bool has_colour = standard_terminal().look.has_colour;
  std::cout << console::painted_heads(explain::to_text(explanations), console::Paint::kHead, has_colour);
  if (!run_on.empty()) std::cout << "run on: " << run_on << "\n";
  // What is not served is told above.
  std::erase_if(report.findings, [&](const lint::Finding& finding) { return !report.fails(finding); });
  std::cout << console::painted_findings(lint::to_text(report), has_colour);
  return status;
}

}  // namespace

void add_explain_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<ExplainArguments>();
  CLI::App& command = *model.add_subcommand(
      "explain",
      "Tell what patterns and operations take, whether it could be fewer requests, and which budgets are "
      "exceeded (then the exit status is 1): explain FILE [NAME]");
  add_model_options(command, arguments->model);
  command.add_option("NAME", arguments->name, "Only this pattern or operation");
  CLI::Option* const run =
      command.add_flag("--run", arguments->runs,
                       "Also run them on a throw-away database, and tell the plan beside what they took");
  CLI::Option* const format =
      command.add_option("--format", arguments->format, "text; json; or findings alone as sarif or junit")
          ->check(CLI::IsMember({"text", "json", "sarif", "junit"}))
          ->capture_default_str();
  command.add_flag("--json", arguments->as_json, "The same as --format json")->excludes(format);
  add_trial_options(command, arguments->trial);
  for (const char* name : kTrialOptions) command.get_option(name)->needs(run);
  command.callback([arguments, &status] { status = explain_command(*arguments); });
}

}  // namespace sheaf::cmd

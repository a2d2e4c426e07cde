#include "cmd/chosen_model.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "language/diagnostic_json.h"
#include "model/value_type.h"
#include "run/plain_json.h"

namespace sheaf::cmd {

void complain(const std::string& message) {
  const bool has_colour = errors_have_colour();
  std::cerr << console::painted("sheaf:", console::Paint::kWrong, has_colour) << " "
            << console::painted_findings(message, has_colour) << "\n";
}

int fail(const std::string& message) {
  complain(message);
  return kWrongUse;
}

int tell_mistakes(const model::CompiledModel& compiled, bool as_json) {
  if (as_json) {
    language::JsonWriter writer;
    writer.array([&] { language::write_json(writer, compiled.source, compiled.diagnostics); });
    std::cout << writer.take();
  } else {
    std::cerr << console::painted_findings(compiled.rendered(), errors_have_colour());
  }
  return kWrongModel;
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

void add_model_options(CLI::App& command, ModelChoice& choice) {
  command.add_option("FILE", choice.path, "Model file, in the language or as JSON (- is the standard input)")
      ->required();
  command.add_option("--layout", choice.layout, "Which layout")->capture_default_str();
}

std::variant<ChosenModel, int> choose_model(const ModelChoice& choice) {
  const Result<std::string> text = read_model(choice.path);
  if (!text.ok()) return fail(text.error().message);
  ChosenModel chosen{.planned = plan::plan_model(model::compile(choice.path, *text))};
  // Warnings are for those who write models: `check` tells them.
  if (!chosen.planned.compiled.ok())
    std::cerr << console::painted_findings(chosen.planned.compiled.rendered(), errors_have_colour());
  if (chosen.planned.plans.empty()) return kWrongModel;
  for (const model::Layout& each : chosen.planned.compiled.layouts) {
    if (each.name == choice.layout) return chosen;
    ++chosen.layout;
  }
  return fail(choice.path + " has no layout " + choice.layout);
}

std::vector<Value> typed_values(const std::vector<model::Parameter>& parameters,
                                const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (size_t i = 0; i < texts.size(); ++i) {
    const bool is_text =
        i < parameters.size() && !parameters[i].entity && model::is_textual(parameters[i].type);
    Result<Value> value = is_text ? Result<Value>(Value(texts[i])) : run::from_plain_json(texts[i]);
    values.push_back(value.ok() ? std::move(*value) : Value(texts[i]));
  }
  return values;
}

}  // namespace sheaf::cmd

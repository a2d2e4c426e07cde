#include "cmd/model_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "model/compiled_model.h"
#include "plan/explain.h"
#include "plan/planned_model.h"

namespace sheaf::cmd {
namespace {

constexpr int kWrongModel = 1;
constexpr int kNoFile = 2;

std::optional<std::string> read_file(const std::string& path) {
  if (path == "-") {
    std::ostringstream text;
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "sheaf: cannot read " << path << "\n";
    return std::nullopt;
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

int check(const std::vector<std::string>& paths) {
  int status = 0;
  for (const std::string& path : paths) {
    const std::optional<std::string> text = read_file(path);
    if (!text) return kNoFile;
    const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
    const model::CompiledModel& compiled = planned.compiled;
    std::cerr << compiled.rendered();
    if (!compiled.ok()) {
      std::cerr << path << ": " << counted(compiled.diagnostics.error_count(), "mistake", "mistakes") << "\n";
      status = kWrongModel;
      continue;
    }
    std::cout << path << ": " << counted(compiled.model.entities.size(), "entity", "entities") << ", "
              << counted(compiled.model.relations.size(), "relation", "relations") << ", "
              << counted(compiled.model.patterns.size(), "pattern", "patterns") << ", "
              << counted(compiled.layouts.size(), "layout", "layouts") << ": fine\n";
  }
  return status;
}

// Plans of all patterns in one layout. A budget that is exceeded is a mistake.
int plan(const std::string& path, const std::string& layout_name) {
  const std::optional<std::string> text = read_file(path);
  if (!text) return kNoFile;
  const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
  const model::CompiledModel& compiled = planned.compiled;
  std::cerr << compiled.rendered();
  if (planned.plans.empty()) return kWrongModel;
  const model::Layout* const layout = compiled.find_layout(layout_name);
  if (layout == nullptr) {
    std::cerr << "sheaf: " << path << " has no layout " << layout_name << "\n";
    return kNoFile;
  }
  for (const plan::PlannedPattern& each :
       planned.plans[static_cast<size_t>(layout - compiled.layouts.data())]) {
    if (each.ok()) {
      std::cout << plan::explain(compiled.model, *layout, std::get<plan::Plan>(each.plan));
      continue;
    }
    const auto& refusal = std::get<plan::Refusal>(each.plan);
    std::cout << each.pattern->name << ": cannot be answered: " << refusal.message << "\n";
    if (!refusal.fix.empty()) std::cout << "  = " << refusal.fix << "\n";
  }
  return compiled.ok() ? 0 : kWrongModel;
}

}  // namespace

void add_model_command(CLI::App& app, int& status) {
  CLI::App* const model = app.add_subcommand("model", "Check, format, draw and run model files");
  model->require_subcommand(1);
  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* const checking = model->add_subcommand("check", "Tell what is wrong with model files");
  checking->add_option("FILE", *paths, "Model files (- is the standard input)")->required();
  checking->callback([paths, &status] { status = check(*paths); });

  struct PlanArguments {
    std::string path;
    std::string layout{model::kDefaultLayout};
  };
  const auto planned = std::make_shared<PlanArguments>();
  CLI::App* const planning = model->add_subcommand("plan", "Show the requests that answer each pattern");
  planning->add_option("FILE", planned->path, "Model file (- is the standard input)")->required();
  planning->add_option("--layout", planned->layout, "Which layout")->capture_default_str();
  planning->callback([planned, &status] { status = plan(planned->path, planned->layout); });
}

}  // namespace sheaf::cmd

// A model file and one of its layouts, as commands are given them.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sheaf/value.h"

#include "measure/script.h"
#include "model/model.h"
#include "plan/planned_model.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

// Exit statuses.
inline constexpr int kWrongModel = 1;  // or a test that fails, or a finding
inline constexpr int kWrongUse = 2;

// "sheaf: there is no such table", on the standard error.
void complain(const std::string& message);

// Complains, and returns kWrongUse.
int fail(const std::string& message);

// The mistakes of a model, on the standard error; or as `sheaf model check --json` tells them, on the
// standard output. Returns kWrongModel.
int tell_mistakes(const model::CompiledModel& compiled, bool as_json = false);

// 1 copy, 2 copies
std::string counted(size_t count, std::string_view one, std::string_view many);

struct ModelChoice {
  std::string path;
  std::string layout{model::kDefaultLayout};
};
void add_model_options(CLI::App& command, ModelChoice& choice);

struct ChosenModel {
  plan::PlannedModel planned;
  size_t layout = 0;

  const model::Model& model() const { return planned.compiled.model; }
  const model::Layout& stored() const { return planned.compiled.layouts[layout]; }
  measure::PlannedLayout planned_layout() const { return {.planned = &planned, .layout = layout}; }
};

// Reads and plans it, and prints what is wrong with it. An exit status if it cannot be used.
std::variant<ChosenModel, int> choose_model(const ModelChoice& choice);

// Values as they are typed: JSON, or else the text itself.
std::vector<Value> typed_values(const std::vector<model::Parameter>& parameters,
                                const std::vector<std::string>& texts);

}  // namespace sheaf::cmd

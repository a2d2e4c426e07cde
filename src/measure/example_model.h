// For tests: the example models.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "plan/planned_model.h"

namespace sheaf::measure {

inline std::string example_text(const std::string& name, const std::string& file = "model.sheaf") {
  std::ifstream stream(std::filesystem::path(SHEAF_MODELS) / name / file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline plan::PlannedModel example_model(const std::string& name) {
  return plan::plan_model(model::compile(name + ".sheaf", example_text(name)));
}

}  // namespace sheaf::measure

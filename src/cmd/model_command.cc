#include "cmd/model_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

#include "model/compiled_model.h"

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
    const model::CompiledModel compiled = model::compile(path, *text);
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

}  // namespace

void add_model_command(CLI::App& app, int& status) {
  CLI::App* const model = app.add_subcommand("model", "Check, format, draw and run model files");
  model->require_subcommand(1);
  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* const checking = model->add_subcommand("check", "Tell what is wrong with model files");
  checking->add_option("FILE", *paths, "Model files (- is the standard input)")->required();
  checking->callback([paths, &status] { status = check(*paths); });
}

}  // namespace sheaf::cmd

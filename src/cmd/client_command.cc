#include "cmd/client_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "clients/client.h"
#include "cmd/chosen_model.h"

namespace sheaf::cmd {
namespace {

const std::map<std::string, clients::Language> kLanguages = {{"typescript", clients::Language::kTypeScript},
                                                             {"python", clients::Language::kPython}};

struct ClientArguments {
  ModelChoice model;
  std::string language;
  std::string output;
};

int run(const ClientArguments& arguments) {
  const auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);
  if (!chosen.planned.compiled.ok()) return kWrongModel;
  const std::string text =
      clients::client_of(chosen.model(), chosen.stored(), kLanguages.at(arguments.language));
  if (arguments.output.empty()) {
    std::cout << text;
    return 0;
  }
  std::ofstream file(arguments.output, std::ios::binary | std::ios::trunc);
  file << text;
  return file.flush() ? 0 : fail("cannot write " + arguments.output);
}

}  // namespace

void add_client_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<ClientArguments>();
  CLI::App* const making = model.add_subcommand(
      "client",
      "Write a typed client of the model's patterns and operations over HTTP (sheaf serve --model): one file "
      "that needs nothing else");
  add_model_options(*making, arguments->model);
  making->add_option("--as", arguments->language, "In which language")
      ->check(CLI::IsMember(kLanguages))
      ->required();
  making->add_option("--output,--out", arguments->output, "Write it there; else to the standard output");
  making->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace sheaf::cmd

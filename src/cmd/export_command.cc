#include "cmd/export_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/model_file.h"
#include "exports/export.h"
#include "run/data_file.h"

namespace sheaf::cmd {
namespace {

const std::map<std::string, exports::Format> kFormats = {{"cloudformation", exports::Format::kCloudFormation},
                                                         {"cdk", exports::Format::kCdk},
                                                         {"terraform", exports::Format::kTerraform},
                                                         {"create-table", exports::Format::kCreateTable},
                                                         {"workbench", exports::Format::kWorkbench},
                                                         {"electrodb", exports::Format::kElectroDb},
                                                         {"onetable", exports::Format::kOneTable}};

struct ExportArguments {
  ModelChoice model;
  std::string format;
  std::string data;
  std::string output;
};

int run(const ExportArguments& arguments) {
  const exports::Format format = kFormats.at(arguments.format);
  if (!arguments.data.empty() && format != exports::Format::kWorkbench)
    return fail("--data is for --as workbench; sheaf model load loads it into a database");
  const auto made = choose_model(arguments.model);
  if (const int* status = std::get_if<int>(&made)) return *status;
  const auto& chosen = std::get<ChosenModel>(made);

  std::unique_ptr<run::Data> data;
  if (!arguments.data.empty()) {
    const Result<std::string> json = read_file(arguments.data);
    if (!json.ok()) return fail(json.error().message);
    Result<run::Data> read = run::read_data(chosen.model(), chosen.stored(), *json);
    if (!read.ok()) return fail(arguments.data + ": " + read.error().message);
    data = std::make_unique<run::Data>(std::move(*read));
  }
  const Result<std::string> text =
      exports::export_layout(chosen.model(), chosen.stored(), format, data.get());
  if (!text.ok()) return fail(text.error().message);
  if (arguments.output.empty()) {
    std::cout << *text;
    return 0;
  }
  std::ofstream file(arguments.output, std::ios::binary | std::ios::trunc);
  file << *text;
  return file.flush() ? 0 : fail("cannot write " + arguments.output);
}

}  // namespace

void add_export_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<ExportArguments>();
  CLI::App* const exporting = model.add_subcommand(
      "export",
      "Write a layout for other tools: infrastructure code (cloudformation, cdk, terraform), requests that "
      "make its tables (create-table), a data model (workbench), schemas of clients (electrodb, onetable)");
  add_model_options(*exporting, arguments->model);
  exporting->add_option("--as", arguments->format, "For which tool")
      ->check(CLI::IsMember(kFormats))
      ->required();
  exporting->add_option("--data", arguments->data, "For workbench: sample data, entities and links as JSON");
  exporting->add_option("--output,--out", arguments->output, "Write it there; else to the standard output");
  exporting->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace sheaf::cmd

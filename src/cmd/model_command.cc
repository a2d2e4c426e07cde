#include "cmd/model_command.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "cmd/advise_command.h"
#include "cmd/chosen_model.h"
#include "cmd/claims_command.h"
#include "cmd/client_command.h"
#include "cmd/cost_command.h"
#include "cmd/draw_command.h"
#include "cmd/explain_command.h"
#include "cmd/export_command.h"
#include "cmd/generate_command.h"
#include "cmd/infer_command.h"
#include "cmd/lint_command.h"
#include "cmd/lsp_command.h"
#include "cmd/measure_command.h"
#include "cmd/migrate_command.h"
#include "cmd/model_data_commands.h"
#include "cmd/model_errors.h"
#include "cmd/model_file.h"
#include "cmd/plan_command.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "language/diagnostic_json.h"
#include "language/format.h"
#include "language/parser.h"
#include "language/syntax_json.h"
#include "plan/planned_model.h"
#include "plan/shortfalls.h"

namespace sheaf::cmd {
namespace {

int check_as_json(const std::vector<std::string>& paths) {
  int status = 0;
  language::JsonWriter writer;
  std::string unread;
  writer.array([&] {
    for (const std::string& path : paths) {
      const Result<std::string> text = read_model(path);
      if (!text.ok()) {
        unread = text.error().message;
        return;
      }
      const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
      language::write_json(writer, planned.compiled.source, planned.compiled.diagnostics);
      if (!planned.compiled.ok()) status = kWrongModel;
    }
  });
  if (!unread.empty()) return fail(unread);
  std::cout << writer.take();
  return status;
}

int check(const std::vector<std::string>& paths, bool as_json) {
  if (as_json) return check_as_json(paths);
  int status = 0;
  const bool errors_coloured = errors_have_colour();
  const bool coloured = standard_terminal().look.has_colour;
  for (const std::string& path : paths) {
    const Result<std::string> text = read_model(path);
    if (!text.ok()) return fail(text.error().message);
    const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
    const model::CompiledModel& compiled = planned.compiled;
    std::cerr << console::painted_findings(compiled.rendered(), errors_coloured);
    if (!compiled.ok()) {
      std::cerr << path << ": "
                << console::painted(counted(compiled.diagnostics.error_count(), "mistake", "mistakes"),
                                    console::Paint::kWrong, errors_coloured)
                << "\n";
      status = kWrongModel;
      continue;
    }
    std::cout << path << ": " << counted(compiled.model.entities.size(), "entity", "entities") << ", "
              << counted(compiled.model.relations.size(), "relation", "relations") << ", "
              << counted(compiled.model.patterns.size(), "pattern", "patterns") << ", "
              << counted(compiled.layouts.size(), "layout", "layouts") << ": "
              << console::painted("fine", console::Paint::kGood, coloured) << "\n";
    for (size_t i = 1; i < compiled.layouts.size(); ++i) {
      for (const std::string& line : plan::shortfalls(planned, i))
        std::cout << "  layout " << compiled.layouts[i].name << ": " << line << "\n";
    }
  }
  return status;
}

// Rewrites files in place; with `check_only` it only says which would change. A model in JSON is printed in
// the language, and its file stays.
int format(const std::vector<std::string>& paths, bool check_only) {
  int status = 0;
  for (const std::string& path : paths) {
    const Result<std::string> text = read_model_file(path);
    if (!text.ok()) return fail(text.error().message);
    const Result<std::string> model = in_the_language(path, *text);
    if (!model.ok()) return fail(model.error().message);
    const bool is_json = *text != *model;
    if (is_json && check_only) return fail(path + " is JSON, and --check looks at the language");
    const language::SourceText source(path, *model);
    language::Diagnostics diagnostics;
    language::parse(source, diagnostics);
    for (const language::Diagnostic& diagnostic : diagnostics.all())
      std::cerr << console::painted_findings(language::render(source, diagnostic), errors_have_colour());
    if (diagnostics.has_errors()) {
      status = kWrongModel;
      continue;
    }
    const std::string formatted = language::format(source);
    if (formatted != *model && check_only) {
      std::cout << path << "\n";
      status = kWrongModel;
    } else if (is_json || (path == "-" && !check_only)) {
      std::cout << formatted;
    } else if (formatted != *text) {
      std::ofstream file(path, std::ios::binary | std::ios::trunc);
      file << formatted;
      if (!file.flush()) return fail("cannot write " + path);
    }
  }
  return status;
}

int print_json(const std::string& path) {
  const Result<std::string> text = read_model(path);
  if (!text.ok()) return fail(text.error().message);
  const language::SourceText source(path, *text);
  language::Diagnostics diagnostics;
  const language::Model model = language::parse(source, diagnostics);
  for (const language::Diagnostic& diagnostic : diagnostics.all())
    std::cerr << console::painted_findings(language::render(source, diagnostic), errors_have_colour());
  if (diagnostics.has_errors()) return kWrongModel;
  std::cout << language::to_json(model);
  return 0;
}

}  // namespace

void add_model_command(CLI::App& app, int& status) {
  CLI::App* const model = app.add_subcommand("model", "Check, format, plan and run model files");
  model->require_subcommand(1);

  const auto paths = std::make_shared<std::vector<std::string>>();
  CLI::App* const checking = model->add_subcommand("check", "Tell what is wrong with model files");
  checking->add_option("FILE", *paths, "Model files (- is the standard input)")->required();
  const auto as_json = std::make_shared<bool>(false);
  checking->add_flag("--json", *as_json, "Tell it as JSON, for editors and build servers");
  checking->callback([paths, as_json, &status] { status = check(*paths, *as_json); });

  const auto id = std::make_shared<std::string>();
  CLI::App* const explaining = model->add_subcommand("errors", "Explain what check tells");
  explaining->add_option("ID", *id, "The mistake, as check names it; without it, all are listed");
  explaining->add_flag("--json", *as_json, "Tell it as JSON");
  explaining->callback([id, as_json, &status] { status = print_errors(*id, *as_json); });

  const auto only_check = std::make_shared<bool>(false);
  CLI::App* const formatting = model->add_subcommand("fmt", "Lay model files out, comments and all");
  formatting->add_option("FILE", *paths, "Model files (- is the standard input)")->required();
  formatting->add_flag("--check", *only_check, "Only tell which files would change");
  formatting->callback([paths, only_check, &status] { status = format(*paths, *only_check); });

  const auto path = std::make_shared<std::string>();
  CLI::App* const jsoning = model->add_subcommand("json", "Print a model as JSON, for programs");
  jsoning->add_option("FILE", *path, "Model file (- is the standard input)")->required();
  jsoning->callback([path, &status] { status = print_json(*path); });

  add_lint_command(*model, status);
  add_advise_command(*model, status);
  add_lsp_command(*model, status);
  add_plan_command(*model, status);
  add_explain_command(*model, status);
  add_cost_command(*model, status);
  add_model_data_commands(*model, status);
  add_generate_command(*model, status);
  add_migrate_command(*model, status);
  add_measure_command(*model, status);
  add_claims_command(*model, status);
  add_draw_command(*model, status);
  add_export_command(*model, status);
  add_infer_commands(*model, status);
  add_client_command(*model, status);
}

}  // namespace sheaf::cmd

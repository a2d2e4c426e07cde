#include "cmd/lint_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>

#include "cmd/chosen_model.h"
#include "cmd/lint_options.h"
#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "language/json_writer.h"
#include "lint/linter.h"
#include "lint/repairs.h"
#include "lint/rule.h"
#include "lint/table_rules.h"

namespace sheaf::cmd {
namespace {

struct LintArguments {
  std::vector<std::string> paths;
  std::string layout;
  bool all_layouts = false;
  bool fixes = false;
  bool lists = false;
  std::string explained;
  LintChoice choice;
};

int list_as_json() {
  language::JsonWriter writer;
  const auto text = [&](std::string_view name, std::string_view value) {
    writer.member(name);
    writer.text(value);
  };
  const auto add = [&](const std::vector<lint::RuleText>& rules, std::string_view of) {
    for (const lint::RuleText& rule : rules) {
      writer.object([&] {
        text("id", rule.id);
        text("of", of);
        text("points", rule.points);
        text("severity", lint::name_of(rule.severity));
        text("title", rule.title);
      });
    }
  };
  writer.object([&] {
    writer.member("rules");
    writer.array([&] {
      add(lint::rule_texts({}, {}), "model");
      add(lint::table_rules(), "table");
    });
    writer.member("limits");
    writer.array([&] {
      const lint::Limits limits;
      for (const lint::LimitName& each : lint::limit_names()) {
        writer.object([&] {
          text("name", each.name);
          writer.member("value");
          writer.word(std::to_string(limits.*each.value));
          text("meaning", each.meaning);
        });
      }
    });
  });
  std::cout << writer.take();
  return 0;
}

int list_rules() {
  const auto row = [](std::string_view id, std::string_view points, std::string_view severity,
                      std::string_view title) {
    const auto cell = [](std::string_view text, size_t width) {
      return std::string(text) + std::string(width > text.size() ? width - text.size() : 1, ' ');
    };
    std::cout << cell(id, 24) << cell(points, 12) << cell(severity, 10) << title << "\n";
  };
  const std::vector<lint::RuleText> texts = lint::rule_texts({}, {});
  for (const lint::RuleText& rule : texts)
    row(rule.id, rule.points.empty() ? "-" : rule.points, lint::name_of(rule.severity), rule.title);
  std::cout << "\nRules of sheaf lint-table:\n";
  for (const lint::RuleText& rule : lint::table_rules())
    row(rule.id, rule.points, lint::name_of(rule.severity), rule.title);
  std::cout << "\nLimits:\n";
  const lint::Limits limits;
  for (const lint::LimitName& each : lint::limit_names())
    row(each.name, std::to_string(limits.*each.value), "", each.meaning);
  return 0;
}

int explain_rule(const std::string& id) {
  if (const std::string_view page = lint::page_of(id); !page.empty()) {
    std::cout << page;
    return 0;
  }
  std::vector<std::string_view> ids;
  for (const lint::Rule& rule : lint::rules()) ids.push_back(rule.id);
  const std::vector<lint::RuleText> of_tables = lint::table_rules();
  for (const lint::RuleText& rule : of_tables) {
    if (rule.id == id && !rule.page.empty()) {
      std::cout << rule.page;
      return 0;
    }
    ids.push_back(rule.id);
  }
  const std::string_view near = language::nearest(id, ids);
  return fail("there is no rule " + id + (near.empty() ? "" : "; there is " + std::string(near)) +
              " (sheaf model lint --list lists them)");
}

// Mends what can be mended, and writes the file if something was. An exit status if that cannot be done.
int fix(const std::string& path, const LintArguments& arguments, const lint::Options& options) {
  if (path == "-") return fail("--fix needs a file: the standard input cannot be written");
  const Result<std::string> text = read_file(path), model = read_model(path);
  if (!text.ok()) return fail(text.error().message);
  if (!model.ok()) return fail(model.error().message);
  if (*text != *model)
    return fail(path + " is JSON, and --fix edits the language; sheaf model fmt prints it in that");
  std::vector<std::string> layouts;
  if (!arguments.all_layouts)
    layouts.push_back(arguments.layout.empty() ? std::string(model::kDefaultLayout) : arguments.layout);
  const lint::Repaired repaired = lint::repair(path, *text, layouts, options);
  bool moves_items = false;
  for (const lint::Repaired::Done& done : repaired.tried) {
    const lint::Finding& finding = done.finding;
    std::cerr << path << ":" << finding.place->begin.line << ":" << finding.place->begin.column << ": "
              << (done.helped ? "fixed: " : "not fixed, it would break something else: ")
              << finding.repair->title << " [" << finding.rule << "]\n";
    moves_items = moves_items || (done.helped && finding.repair->moves_items);
  }
  if (repaired.count() == 0) return 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << repaired.text;
  if (!file.flush()) return fail("cannot write " + path);
  if (moves_items)
    std::cerr << path
              << ": keys have changed: what is stored under the old ones is not found by the new ones\n";
  return 0;
}

// Which layouts of it are looked at. Nothing if the one that is named is not there.
std::optional<std::vector<size_t>> layouts_of(const model::CompiledModel& compiled,
                                              const LintArguments& arguments) {
  std::vector<size_t> found;
  const std::string name = arguments.layout.empty() ? std::string(model::kDefaultLayout) : arguments.layout;
  for (size_t i = 0; i < compiled.layouts.size(); ++i) {
    if (arguments.all_layouts || compiled.layouts[i].name == name) found.push_back(i);
  }
  if (found.empty() && !compiled.layouts.empty()) return std::nullopt;
  return found;
}

int lint_files(const LintArguments& arguments) {
  const Result<lint::Options> options = lint_options(arguments.choice);
  if (!options.ok()) return fail(options.error().message);
  if (arguments.paths.empty()) return fail("name the model files to look at, or ask for --list");
  lint::Report report{.tool = "sheaf model lint"};
  for (const std::string& path : arguments.paths) {
    if (arguments.fixes) {
      if (const int status = fix(path, arguments, *options); status != 0) return status;
    }
    const Result<std::string> text = read_model(path);
    if (!text.ok()) return fail(text.error().message);
    const plan::PlannedModel planned = plan::plan_model(model::compile(path, *text));
    const auto layouts = layouts_of(planned.compiled, arguments);
    if (!layouts) return fail(path + " has no layout " + arguments.layout);
    report.subjects.push_back(path);
    std::vector<lint::Finding> findings = lint::lint(planned, *layouts, *options);
    std::move(findings.begin(), findings.end(), std::back_inserter(report.findings));
  }
  report.rules = lint::rule_texts(report.findings, *options);
  const size_t count = report.findings.size();
  const int status = tell(std::move(report), arguments.choice);
  const bool is_for_people =
      !arguments.choice.as_json && arguments.choice.sarif_path != "-" && arguments.choice.junit_path != "-";
  if (is_for_people)
    std::cout << counted(arguments.paths.size(), "model", "models") << ", "
              << console::painted(counted(count, "finding", "findings"),
                                  count == 0    ? console::Paint::kGood
                                  : status == 0 ? console::Paint::kDoubt
                                                : console::Paint::kWrong,
                                  standard_terminal().look.has_colour)
              << "\n";
  return status;
}

int run_lint(const LintArguments& arguments) {
  if (arguments.lists) return arguments.choice.as_json ? list_as_json() : list_rules();
  if (!arguments.explained.empty()) return explain_rule(arguments.explained);
  return lint_files(arguments);
}

}  // namespace

void add_lint_command(CLI::App& model, int& status) {
  auto arguments = std::make_shared<LintArguments>();
  CLI::App& command = *model.add_subcommand("lint", "Find anti-patterns in model files");
  command.add_option("FILE", arguments->paths, "Model files (- is the standard input)");
  CLI::Option* const layout =
      command.add_option("--layout", arguments->layout, "Which layout (default: default)");
  command.add_flag("--all-layouts", arguments->all_layouts, "All layouts")->excludes(layout);
  add_lint_options(command, arguments->choice);
  command.add_flag("--fix", arguments->fixes,
                   "Mend in the files what can be mended safely, then tell the rest");
  command.add_flag("--list", arguments->lists, "List rules and limits; with --json as JSON");
  command.add_option("--explain", arguments->explained, "Explain a rule")->type_name("RULE");
  command.callback([arguments, &status] { status = run_lint(*arguments); });
}

}  // namespace sheaf::cmd

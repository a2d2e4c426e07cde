#include "cmd/lint_options.h"

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "base/try.h"
#include "cmd/chosen_model.h"
#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"

namespace sheaf::cmd {
namespace {

bool write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return true;
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  return static_cast<bool>(file.flush());
}

}  // namespace

void add_lint_options(CLI::App& command, LintChoice& choice) {
  CLI::Option* const json = command.add_flag("--json", choice.as_json, "Tell findings as JSON");
  CLI::Option* const sarif = command.add_option("--sarif", choice.sarif_path,
                                                "Write them as SARIF 2.1.0, for code scanning (- prints it)");
  CLI::Option* const junit = command.add_option("--junit", choice.junit_path,
                                                "Write them as JUnit's XML, for build servers (- prints it)");
  json->excludes(sarif)->excludes(junit);
  sarif->excludes(junit);
  command
      .add_option("--severity", choice.severities, "RULE=off, note, warning or error (again for each rule)")
      ->type_name("RULE=SEVERITY")
      ->allow_extra_args(false);
  command
      .add_option("--limit", choice.limits,
                  "Where a rule draws its line (sheaf model lint --list has them; again for each)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--rules", choice.rules_path, "JSON with \"severities\" and \"limits\"")
      ->type_name("FILE");
  command
      .add_option("--fail-on", choice.fail_on,
                  "What ends with status 1: note, warning or error and what is graver")
      ->check(CLI::IsMember({"note", "warning", "error"}))
      ->capture_default_str();
}

Result<lint::Options> lint_options(const LintChoice& choice) {
  lint::Options options;
  if (!choice.rules_path.empty()) {
    const std::string text = TRY(read_file(choice.rules_path));
    const Result<void> read = lint::read_options(options, text);
    if (!read.ok()) return Error{Code::kInvalid, choice.rules_path + ": " + read.error().message};
  }
  for (const std::string& each : choice.severities) TRY(lint::set_severity(options, each));
  for (const std::string& each : choice.limits) TRY(lint::set_limit(options, each));
  return options;
}

int tell(lint::Report report, const LintChoice& choice) {
  report.fail_on = lint::severity_named(choice.fail_on).value_or(lint::Severity::kWarning);
  report.version = SHEAF_VERSION;
  const int status = report.fails() ? kWrongModel : 0;
  if (choice.as_json) {
    std::cout << lint::to_json(report);
  } else if (!choice.sarif_path.empty()) {
    if (!write_file(choice.sarif_path, lint::to_sarif(report)))
      return fail("cannot write " + choice.sarif_path);
  } else if (!choice.junit_path.empty()) {
    if (!write_file(choice.junit_path, lint::to_junit(report)))
      return fail("cannot write " + choice.junit_path);
  } else {
    std::cout << console::painted_findings(lint::to_text(report), standard_terminal().look.has_colour);
  }
  return status;
}

}  // namespace sheaf::cmd

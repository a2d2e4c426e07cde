// What commands that lint have in common: limits and severities, and the form of what they tell.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sheaf/result.h"

#include "lint/options.h"
#include "lint/report.h"

namespace CLI {
class App;
}

namespace sheaf::cmd {

// As the command line has it.
struct LintChoice {
  bool as_json = false;
  std::string sarif_path;
  std::string junit_path;
  std::vector<std::string> severities;
  std::vector<std::string> limits;
  std::string rules_path;
  std::string fail_on = "warning";
};

// `choice` must live until the command line was read.
void add_lint_options(CLI::App& command, LintChoice& choice);

// From the file first, then from the command line.
Result<lint::Options> lint_options(const LintChoice& choice);

// Prints or writes the report, and returns the exit status: 1 if it fails, 2 if a file cannot be written.
int tell(lint::Report report, const LintChoice& choice);

}  // namespace sheaf::cmd

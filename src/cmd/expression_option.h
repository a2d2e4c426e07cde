// --value and --name: what expressions of a command may refer to.
#pragma once

#include <string>
#include <vector>

#include "sheaf/result.h"

#include "console/written_expression.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sheaf::cmd {

struct ExpressionChoice {
  std::vector<std::string> values;
  std::vector<std::string> names;
};
void add_expression_options(CLI::App& command, ExpressionChoice& choice);

// Empty ones, with what was given.
Result<console::WrittenExpressions> written_of(const ExpressionChoice& choice);

// An option that can be given again and again, with one value each time.
CLI::Option& add_repeated_option(CLI::App& command, const char* name, std::vector<std::string>& values,
                                 const char* meaning);

}  // namespace sheaf::cmd

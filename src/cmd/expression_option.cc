#include "cmd/expression_option.h"

#include <CLI/CLI.hpp>

#include "base/try.h"
#include "cmd/command_line.h"

namespace sheaf::cmd {

CLI::Option& add_repeated_option(CLI::App& command, const char* name, std::vector<std::string>& values,
                                 const char* meaning) {
  return *add_words_option(command, name, values, meaning).allow_extra_args(false);
}

void add_expression_options(CLI::App& command, ExpressionChoice& choice) {
  add_repeated_option(
      command, "--value", choice.values,
      "A value that expressions name, as in :min=10: JSON, or else a text; expressions may also "
      "have values in their midst: total > 10 AND status = 'OPEN'")
      .group("Expressions");
  add_repeated_option(command, "--name", choice.names,
                      "A name that expressions have another for, as in #s=status")
      .group("Expressions");
}

Result<console::WrittenExpressions> written_of(const ExpressionChoice& choice) {
  Names names;
  Item values;
  for (const std::string& text : choice.values) TRY(console::add_given_value(values, text));
  for (const std::string& text : choice.names) TRY(console::add_given_name(names, text));
  return console::WrittenExpressions(std::move(names), std::move(values));
}

}  // namespace sheaf::cmd

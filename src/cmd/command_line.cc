#include "cmd/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <optional>

#include "cmd/chosen_model.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "language/diagnostic.h"

namespace sheaf::cmd {
namespace {

// Where several values are allowed, CLI11 takes "[a,b]" apart: the key [a] would be that of another item. A
// word that ends like that gets this behind it until its option has it; so does one that ends with this.
constexpr char kMark = '\x1f';

std::string with_mark(std::string word) {
  if (word.ends_with(']') || word.ends_with(kMark)) word += kMark;
  return word;
}

std::string without_mark(std::string word) {
  if (word.ends_with(kMark)) word.pop_back();
  return word;
}

bool is_any(const CLI::App*) { return true; }

// "1 to 64" of "INT in [1 - 64]"
std::optional<std::string> range_text(const std::string& description) {
  constexpr std::string_view kBegin = " in [";
  constexpr std::string_view kBetween = " - ";
  const size_t begin = description.find(kBegin);
  const size_t between = description.find(kBetween, begin);
  if (begin == std::string::npos || between == std::string::npos || !description.ends_with(']'))
    return std::nullopt;
  const size_t low = begin + kBegin.size();
  const size_t high = between + kBetween.size();
  return description.substr(low, between - low) + " to " +
         description.substr(high, description.size() - high - 1);
}

// CLI11 tells "UINT:INT in [1 - 64]", and of a number that must be above 0 all digits of the largest there
// is.
void make_range_readable(CLI::Option& option) {
  const std::string type = option.get_type_name();
  const bool is_positive = type.ends_with(":POSITIVE");
  if (!is_positive && type.find(" in [") == std::string::npos) return;
  CLI::Validator& check = *option.get_validator(0);
  const std::optional<std::string> range = range_text(check.get_description());
  if (!is_positive && !range) return;
  const std::string meant = range ? "a number from " + *range : "a number above 0";
  check = CLI::Validator(
      [before = check, meant](std::string& value) {
        return before(value).empty() ? std::string() : value + " is not " + meant;
      },
      "");
  if (range) option.description(option.get_description() + " (" + *range + ")");
}

// What a command was given and does not take.
std::vector<std::string> further_words(const CLI::App& command) {
  std::vector<std::string> words = command.remaining();
  for (std::string& word : words) word = without_mark(std::move(word));
  return words;
}

// What to say of a word that stands where a command should, and is none; nothing if there is no such word.
std::optional<std::string> unknown_command(const CLI::App& app) {
  const CLI::App* at = &app;
  std::string path;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    path += at->get_name() + " ";
  }
  std::vector<std::string_view> known;
  for (const CLI::App* const below : at->get_subcommands(is_any)) {
    if (below->get_name().empty() || below->get_group().empty()) continue;
    known.push_back(below->get_name());
    known.insert(known.end(), below->get_aliases().begin(), below->get_aliases().end());
  }
  const std::vector<std::string> rest = further_words(*at);
  if (known.empty() || rest.empty() || rest.front().starts_with('-')) return std::nullopt;
  const std::string program = app.get_name().empty() ? "" : app.get_name() + " ";
  return no_such_command(path, rest.front(), known, program + path + "--help tells what there is");
}

std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string text = console::painted("sheaf:", console::Paint::kWrong, errors_have_colour()) + " " +
                     CLI::FailureMessage::simple(app, error);
  std::erase(text, kMark);
  return text;
}

}  // namespace

void finish_commands(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    make_range_readable(*option);
    option->transform(without_mark);
  }
  // Those of groups, too: they are applications without a name.
  for (CLI::App* const below : app.get_subcommands([](CLI::App*) { return true; })) finish_commands(*below);
}

int run_command_line(CLI::App& app, const std::vector<std::string>& words, const int& status) {
  std::vector<std::string> reversed;
  for (const std::string& word : words) reversed.insert(reversed.begin(), with_mark(word));
  app.failure_message(failure_text);
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    const bool is_wrong = error.get_exit_code() != 0;
    const std::optional<std::string> unknown = is_wrong ? unknown_command(app) : std::nullopt;
    if (unknown) return fail(*unknown);
    // Help is no error; of what else CLI11 tells apart with a status of its own, all is wrong use.
    return app.exit(error) == 0 ? 0 : kWrongUse;
  } catch (const std::exception& error) {
    return fail(error.what());
  }
  return status;
}

CLI::Option& add_words_option(CLI::App& command, const char* name, std::vector<std::string>& values,
                              const char* meaning) {
  const auto take = [&values](const CLI::results_t& results) {
    values = results;
    return true;
  };
  CLI::Option* const option = command.add_option(name, CLI::callback_t(take), meaning);
  return *option->type_name("TEXT")->expected(CLI::detail::expected_max_vector_size);
}

std::string no_such_command(const std::string& path, const std::string& name,
                            const std::vector<std::string_view>& commands, const std::string& otherwise) {
  const std::string_view meant = language::nearest(name, commands);
  return "there is no command " + path + name + "; " +
         (meant.empty() ? otherwise : "did you mean " + path + std::string(meant) + "?");
}

}  // namespace sheaf::cmd

#include "cmd/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace sheaf::cmd {
namespace {

// "TEXT:{table,list}" has two.
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> choices;
  const size_t begin = type.find('{');
  const size_t end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return choices;
  for (size_t at = begin + 1; at < end;) {
    const size_t comma = std::min(type.find(',', at), end);
    choices.push_back(type.substr(at, comma - at));
    at = comma + 1;
  }
  return choices;
}

console::OptionShape shape_of(const CLI::Option& option) {
  console::OptionShape shape;
  for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
  const bool is_argument = shape.names.empty();
  if (is_argument) shape.names.push_back(option.get_name(true));
  shape.help = option.get_description();
  shape.group = option.get_group();
  shape.is_required = option.get_required();
  shape.is_repeated = option.get_expected_max() > 1 || option.get_items_expected_max() > 1;
  if (option.get_expected_max() == 0) return shape;
  shape.value = option.get_type_name();
  shape.choices = choices_of(shape.value);
  const size_t colon = shape.value.find(':');
  if (!shape.choices.empty() && colon != std::string::npos) shape.value.erase(colon);
  if (shape.value.empty()) shape.value = "TEXT";
  return shape;
}

void add_options_of(const CLI::App& app, console::CommandShape& shape) {
  for (const CLI::Option* const option : app.get_options()) {
    // A group has --help of its command once more.
    const bool is_group_help = app.get_name().empty() && app.get_parent() != nullptr &&
                               (option == app.get_help_ptr() || option == app.get_help_all_ptr());
    if (option->get_group().empty() || is_group_help) continue;
    console::OptionShape one = shape_of(*option);
    const bool is_group_of_its_own = app.get_name().empty() && one.group == "Options";
    if (is_group_of_its_own)
      one.group = app.get_description().empty() ? app.get_group() : app.get_description();
    (option->get_positional() ? shape.arguments : shape.options).push_back(std::move(one));
  }
  // Groups of options are applications without a name.
  for (const CLI::App* const below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (below->get_name().empty()) add_options_of(*below, shape);
  }
}

}  // namespace

console::CommandShape shape_of(const CLI::App& app) {
  console::CommandShape shape{
      .name = app.get_name(), .aliases = app.get_aliases(), .help = app.get_description()};
  shape.more = app.get_footer();
  add_options_of(app, shape);
  for (const CLI::App* const below : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!below->get_name().empty() && !below->get_group().empty()) shape.commands.push_back(shape_of(*below));
  }
  return shape;
}

}  // namespace sheaf::cmd

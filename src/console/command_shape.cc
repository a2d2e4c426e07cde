#include "console/command_shape.h"

#include <algorithm>

namespace sheaf::console {
namespace {

void add_paths(const CommandPath& path, std::vector<CommandPath>& all) {
  all.push_back(path);
  for (const CommandShape& each : path.commands.back()->commands) {
    CommandPath below = path;
    below.commands.push_back(&each);
    add_paths(below, all);
  }
}

}  // namespace

bool OptionShape::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const CommandShape* CommandShape::find(std::string_view command) const {
  for (const CommandShape& each : commands) {
    if (each.name == command ||
        std::find(each.aliases.begin(), each.aliases.end(), command) != each.aliases.end())
      return &each;
  }
  return nullptr;
}

const OptionShape* CommandShape::find_option(std::string_view option) const {
  const auto found =
      std::find_if(options.begin(), options.end(), [&](const OptionShape& each) { return each.has(option); });
  return found == options.end() ? nullptr : &*found;
}

std::string CommandPath::joined(std::string_view between) const {
  std::string all;
  for (const CommandShape* each : commands) {
    if (!all.empty()) all += between;
    all += each->name;
  }
  return all;
}

std::vector<CommandPath> all_paths(const CommandShape& program) {
  std::vector<CommandPath> all;
  add_paths(CommandPath{.commands = {&program}}, all);
  return all;
}

}  // namespace sheaf::console

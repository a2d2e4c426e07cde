// A tree of commands as data: what completion, manual pages and the shell are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::console {

struct OptionShape {
  std::vector<std::string> names;    // "--limit", "-l"; of an argument "TABLE"
  std::string value;                 // what it takes, as help names it: "UINT"; empty: nothing
  std::vector<std::string> choices;  // if it takes one of these
  std::string help;
  std::string group;  // the heading below which help has it
  bool is_required = false;
  bool is_repeated = false;

  bool has(std::string_view name) const;
};

struct CommandShape {
  std::string name;
  std::vector<std::string> aliases;
  std::string help;
  std::string more;  // behind the options: examples
  std::vector<OptionShape> options;
  std::vector<OptionShape> arguments;
  std::vector<CommandShape> commands;

  // The command of that name or alias; null if there is none.
  const CommandShape* find(std::string_view command) const;
  const OptionShape* find_option(std::string_view option) const;
};

// A word with which completion goes on to a command: "table", and for each of its aliases the command it is.
struct CommandPath {
  std::vector<const CommandShape*> commands;  // from the program on

  // "sheaf table create", "sheaf-table-create"
  std::string joined(std::string_view between) const;
};
// All of a tree, the program itself first. Borrows it.
std::vector<CommandPath> all_paths(const CommandShape& program);

}  // namespace sheaf::console

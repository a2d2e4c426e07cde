#include "cmd/manual_command.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/command_session.h"
#include "cmd/command_tree.h"
#include "console/completion_script.h"
#include "console/man_page.h"

namespace sheaf::cmd {
namespace {

struct ManualArguments {
  std::vector<std::string> command;
  std::string directory;
};

int write_pages(const console::CommandShape& program, const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  for (const console::CommandPath& path : console::all_paths(program)) {
    const std::string name = directory + "/" + console::man_page_name(path);
    std::ofstream file(name, std::ios::binary | std::ios::trunc);
    file << console::man_page(path, SHEAF_VERSION);
    file.close();
    if (!file) return fail(name + " cannot be written");
  }
  return 0;
}

int run_manual(const CLI::App& app, const ManualArguments& arguments) {
  const console::CommandShape program = shape_of(app);
  if (!arguments.directory.empty()) return write_pages(program, arguments.directory);
  console::CommandPath path{.commands = {&program}};
  for (const std::string& name : arguments.command) {
    const console::CommandShape* const below = path.commands.back()->find(name);
    if (below == nullptr) return fail(path.joined(" ") + " has no command " + name);
    path.commands.push_back(below);
  }
  std::cout << console::man_page(path, SHEAF_VERSION);
  return 0;
}

// Commands by name alone: what may stand behind `man`.
std::vector<console::CommandShape> names_of(const std::vector<console::CommandShape>& commands) {
  std::vector<console::CommandShape> names;
  for (const console::CommandShape& each : commands)
    names.push_back({.name = each.name, .help = each.help, .commands = names_of(each.commands)});
  return names;
}

// For completion, those are commands below it.
void complete_manual(console::CommandShape& program) {
  const std::vector<console::CommandShape> names = names_of(program.commands);
  for (console::CommandShape& each : program.commands)
    if (each.name == "man") each.commands = names;
}

}  // namespace

void add_manual_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<ManualArguments>();
  CLI::App& command =
      *app.add_subcommand("man", "The manual page of the program or of a command, for man -l -");
  CLI::Option* const which =
      command.add_option("COMMAND", arguments->command, "Of which one, as in: table create");
  command.add_option("--all", arguments->directory, "Write those of all commands into this directory")
      ->excludes(which);
  command.callback([arguments, &app, &session] { session.status = run_manual(app, *arguments); });
  command.footer("sheaf man item update | man -l -");
}

void add_completion_command(CLI::App& app, CommandSession& session) {
  auto shell = std::make_shared<std::string>();
  CLI::App& command =
      *app.add_subcommand("completion", "Completion of commands and options, for a shell to read");
  command.add_option("SHELL", *shell, "For which shell")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command.callback([shell, &app, &session] {
    console::CommandShape program = shape_of(app);
    complete_manual(program);
    std::cout << (*shell == "bash" ? console::bash_completion(program) : console::zsh_completion(program));
    session.status = 0;
  });
  command.footer("source <(sheaf completion bash)\nsheaf completion zsh > ~/.zfunc/_sheaf");
}

}  // namespace sheaf::cmd

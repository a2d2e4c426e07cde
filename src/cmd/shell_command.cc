#include "cmd/shell_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/command_session.h"
#include "cmd/line_editor.h"
#include "cmd/shell.h"
#include "cmd/until_told.h"

namespace sheaf::cmd {
namespace {

struct ShellArguments {
  SessionDatabase database;
  std::string table;
};

// At a terminal: until it is left. Errors are told, and the next line is read.
int talk(Shell& shell) {
  LineEditor editor([&shell](std::string_view line) { return console::completions_of(line, shell.known()); },
                    usual_history_path());
  shell.end_when(UntilTold::is_told);
  std::cout << "sheaf " << SHEAF_VERSION << "; \\help for help, \\quit or Ctrl-D to leave\n";
  while (!shell.is_left()) {
    const std::optional<LineEditor::Line> line = editor.read(shell.prompt());
    if (!line) {
      std::cout << "\n";
      break;
    }
    if (line->is_cancelled) {
      shell.forget();
      continue;
    }
    // Ctrl-C ends the command, and not the shell; pressed again, for one that does not hear, the shell.
    const UntilTold until_told;
    shell.take(line->text, [&editor](const std::string& whole) { editor.remember(whole); });
  }
  return 0;
}

// Of a file or a program: up to the first error.
int run_input(Shell& shell) {
  for (std::string line; !shell.is_left() && std::getline(std::cin, line);) {
    const int status = shell.take(line, [](const std::string&) {});
    if (status != 0) return status;
  }
  return shell.is_left() ? 0 : shell.finish();
}

int run_shell(const CommandSession& session, ShellArguments& arguments) {
  const Result<Database*> database = arguments.database.open(session);
  if (!database.ok()) return fail(database.error().message);
  Shell shell(**database);
  if (const Result<void> seen = shell.look_around(); !seen.ok()) return fail(seen.error().message);
  if (!arguments.table.empty()) {
    const Result<void> used = shell.use(arguments.table);
    if (!used.ok()) return fail(used.error().message);
  }
  const bool is_terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  return is_terminal ? talk(shell) : run_input(shell);
}

}  // namespace

void add_shell_command(CLI::App& app, CommandSession& session) {
  auto arguments = std::make_shared<ShellArguments>();
  CLI::App& command = *app.add_subcommand(
      "shell",
      "Commands and PartiQL, one after the other; without a terminal those of the standard input, up to the "
      "first error");
  command.add_option("TABLE", arguments->table, "Use this table: commands then do not name it");
  arguments->database.add_options(command, session);
  command.footer(
      "sheaf shell app --data ./data\n"
      "echo 'query app ORG#acme' | sheaf shell --endpoint http://127.0.0.1:8000");
  command.callback([arguments, &session] { session.status = run_shell(session, *arguments); });
}

}  // namespace sheaf::cmd

// How words become commands: CLI11's parser, without what it does to words and says in its own language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sheaf::cmd {

// Once, when all commands were added: every option takes a word in brackets as it is, and tells its range so
// that it can be read.
void finish_commands(CLI::App& app);

// Runs the command that `words` name, after finish_commands. What is wrong with them is told. `status` is
// what the command sets; returns it, or that of wrong use.
int run_command_line(CLI::App& app, const std::vector<std::string>& words, const int& status);

// An argument or option with any number of values, each as it was typed: CLI11 takes {} for no value at all.
CLI::Option& add_words_option(CLI::App& command, const char* name, std::vector<std::string>& values,
                              const char* meaning);

// "there is no command item gte; did you mean item get?", or else `otherwise`. `path` is "item ", or empty.
std::string no_such_command(const std::string& path, const std::string& name,
                            const std::vector<std::string_view>& commands, const std::string& otherwise);

}  // namespace sheaf::cmd

#include "workbench/command_check.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/try.h"

namespace sheaf::workbench {
namespace {

constexpr std::string_view kModelCommands[] = {"advise",   "apply",   "audit",  "check",   "claims", "client",
                                               "cost",     "draw",    "errors", "explain", "export", "fmt",
                                               "generate", "import",  "infer",  "json",    "lint",   "load",
                                               "measure",  "migrate", "plan",   "run",     "test"};
constexpr std::string_view kCommands[] = {"lint-table", "watch"};
// Places that are not the command's own.
constexpr std::string_view kForeign[] = {"--credentials", "--profile", "--ca-file"};
constexpr std::string_view kServer = "@server";

template <typename List>
bool is_among(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// A name in the command's own directory.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
         });
}

std::string_view option_of(std::string_view word) { return word.substr(0, word.find('=')); }

bool is_elsewhere(std::string_view path) {
  return path.starts_with('/') || path.starts_with('~') || path == ".." || path.starts_with("../") ||
         path.ends_with("/..") || path.find("/../") != std::string_view::npos;
}

// Also one of several that stand in a word: a command line may be read as if "[a,[b]]" were a and b, and some
// options take a,b. Which do is not asked: what has a path elsewhere in it is no name here.
bool leaves_directory(std::string_view word) {
  const size_t equals = word.find('=');
  if (word.starts_with("--") && equals != std::string_view::npos) word.remove_prefix(equals + 1);
  if (is_elsewhere(word)) return true;
  while (!word.empty()) {
    std::string_view part = word.substr(0, word.find(','));
    word.remove_prefix(std::min(part.size() + 1, word.size()));
    part.remove_prefix(std::min(part.find_first_not_of('['), part.size()));
    part = part.substr(0, part.find_last_not_of(']') + 1);
    if (is_elsewhere(part)) return true;
  }
  return false;
}

Result<void> check_sizes(const Command& command) {
  size_t bytes = 0;
  for (const std::string& word : command.arguments) bytes += word.size();
  if (bytes > kArgumentBytesMax)
    return Error{Code::kTooLarge,
                 "the arguments of a command have " + std::to_string(kArgumentBytesMax) + " bytes at most"};
  if (command.files.size() > kGivenFilesMax)
    return Error{Code::kTooLarge, "a command is given " + std::to_string(kGivenFilesMax) + " files at most"};
  return {};
}

}  // namespace

Result<void> check_command(const Command& command) {
  const auto refused = [](const std::string& why) { return Error{Code::kInvalid, why}; };
  const std::vector<std::string>& words = command.arguments;
  TRY(check_sizes(command));
  if (words.empty() || words.size() > kArgumentsMax) return refused("that is no command");
  const bool is_model = words[0] == "model";
  if (is_model ? words.size() < 2 || !is_among(kModelCommands, words[1]) : !is_among(kCommands, words[0]))
    return refused("sheaf " + words[0] + (words.size() > 1 ? " " + words[1] : "") +
                   " cannot be run from a page; use a terminal");
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view option = option_of(words[i]);
    if (is_among(kForeign, option) || leaves_directory(words[i]))
      return refused("a page has no files but those that it sends: " + words[i]);
    if (option == "--endpoint" && (words[i] != option || i + 1 == words.size() || words[i + 1] != kServer))
      return refused("a page asks its own server alone: --endpoint @server");
    if (words[i].find('\0') != std::string::npos) return refused("an argument has a zero byte in it");
  }
  for (const auto& [name, text] : command.files) {
    if (!is_plain_name(name)) return refused("a file cannot be called " + name);
  }
  return {};
}

bool keeps_busy(const Command& command) {
  const std::vector<std::string>& words = command.arguments;
  if (words.size() < 2 || words[0] != "model") return false;
  return words[1] == "measure" || words[1] == "claims" ||
         std::any_of(words.begin() + 2, words.end(),
                     [](const std::string& word) { return option_of(word) == "--measure"; });
}

bool asks_server(const Command& command) { return is_among(command.arguments, kServer); }

}  // namespace sheaf::workbench

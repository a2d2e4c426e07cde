#include "console/man_page.h"

#include <algorithm>

namespace sheaf::console {
namespace {

// Text that means nothing to roff.
std::string roff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char letter : text) {
    if (begins_line && (letter == '.' || letter == '\'')) out += "\\&";
    begins_line = letter == '\n';
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else if (letter == '\'') {
      out += "\\(aq";
    } else if (letter == '"') {
      out += "\\(dq";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string slanted(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string value_of(const OptionShape& option) {
  if (option.choices.empty()) return slanted(option.value);
  std::string all;
  for (const std::string& choice : option.choices) all += (all.empty() ? "" : "|") + bold(choice);
  return all;
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string synopsis(const CommandPath& path) {
  const CommandShape& command = *path.commands.back();
  std::string out = bold(path.joined(" "));
  if (!command.options.empty()) out += " [" + slanted("OPTION") + "...]";
  if (!command.commands.empty()) return out + " " + slanted("COMMAND") + " ...";
  for (const OptionShape& argument : command.arguments) {
    const std::string name = slanted(argument.names.front()) + (argument.is_repeated ? "..." : "");
    out += argument.is_required ? " " + name : " [" + name + "]";
  }
  return out;
}

void append_option(const OptionShape& option, std::string& out) {
  out += ".TP\n";
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) names += " " + value_of(option);
  out += names + "\n" + roff(option.help);
  if (option.is_required) out += " (must be given)";
  if (option.is_repeated) out += " (may be given several times)";
  out += "\n";
}

// In the order in which help has the groups: as they appear.
void append_options(const CommandShape& command, std::string& out) {
  if (command.options.empty()) return;
  out += ".SH OPTIONS\n";
  std::vector<std::string> groups{"Options"};
  for (const OptionShape& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    const bool is_there = std::any_of(command.options.begin(), command.options.end(),
                                      [&](const OptionShape& option) { return option.group == group; });
    if (!is_there) continue;
    if (group != "Options") out += ".SS " + roff(group) + "\n";
    for (const OptionShape& option : command.options)
      if (option.group == group) append_option(option, out);
  }
}

}  // namespace

std::string man_page_name(const CommandPath& path) { return path.joined("-") + ".1"; }

std::string man_page(const CommandPath& path, std::string_view version) {
  const CommandShape& command = *path.commands.back();
  const std::string program = path.commands.front()->name;
  std::string out = ".TH " + roff(capitals(path.joined("-"))) + " 1 \"\" \"" + roff(program) + " " +
                    roff(version) + "\" \"" + roff(program) + "\"\n";
  out += ".SH NAME\n" + roff(path.joined("-")) + " \\- " + roff(command.help) + "\n";
  out += ".SH SYNOPSIS\n" + synopsis(path) + "\n";
  if (!command.aliases.empty()) {
    out += ".PP\nAnother name of it is";
    for (const std::string& alias : command.aliases) out += " " + bold(alias);
    out += ".\n";
  }
  if (!command.commands.empty()) {
    out += ".SH COMMANDS\n";
    for (const CommandShape& below : command.commands) {
      out += ".TP\n" + bold(below.name) + "\n" + roff(below.help) + " (see " +
             bold(path.joined("-") + "-" + below.name) + "(1))\n";
    }
  }
  if (!command.arguments.empty()) {
    out += ".SH ARGUMENTS\n";
    for (const OptionShape& argument : command.arguments) {
      out += ".TP\n" + slanted(argument.names.front()) + (argument.is_repeated ? "..." : "") + "\n" +
             roff(argument.help) + "\n";
    }
  }
  append_options(command, out);
  if (!command.more.empty()) out += ".SH EXAMPLES\n.nf\n" + roff(command.more) + "\n.fi\n";
  out +=
      ".SH EXIT STATUS\n0 if it was done, 1 if something was found or failed in the data, 2 for wrong use or "
      "an "
      "error.\n";
  if (command.find_option("--data") != nullptr) {
    out += ".SH ENVIRONMENT\n.TP\n" + bold("SHEAF_DATA") + ", " + bold("SHEAF_ENDPOINT") + "\nWhat " +
           bold("--data") + " or " + bold("--endpoint") +
           " has, where one of them must be given and is not\n"
           ".TP\n" +
           bold("NO_COLOR") + "\nIf it is set, nothing has colours\n";
  }
  if (path.commands.size() > 1) {
    CommandPath above = path;
    above.commands.pop_back();
    out += ".SH SEE ALSO\n" + bold(above.joined("-")) + "(1)\n";
  }
  return out;
}

}  // namespace sheaf::console

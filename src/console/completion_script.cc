#include "console/completion_script.h"

#include <algorithm>

namespace sheaf::console {
namespace {

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char letter : text) out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return out + "'";
}

// In descriptions of zsh these would end something.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') out += '\\';
    out += letter == '\n' ? ' ' : letter;
  }
  return out;
}

std::string spaced(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

bool is_directory(const OptionShape& option) { return option.has("--data"); }

// --- bash

void append_bash_steps(const std::vector<CommandPath>& paths, std::string& out) {
  for (const CommandPath& path : paths) {
    const CommandShape& command = *path.commands.back();
    for (const CommandShape& below : command.commands) {
      std::string words = single_quoted(path.joined(" ") + " " + below.name);
      for (const std::string& alias : below.aliases)
        words += "|" + single_quoted(path.joined(" ") + " " + alias);
      out += "      " + words + ") path=" + single_quoted(path.joined(" ") + " " + below.name) + " ;;\n";
    }
  }
}

void append_bash_values(const std::vector<CommandPath>& paths, std::string& out) {
  for (const CommandPath& path : paths) {
    for (const OptionShape& option : path.commands.back()->options) {
      if (option.value.empty()) continue;
      std::string words;
      for (const std::string& name : option.names)
        words += (words.empty() ? "" : "|") + single_quoted(path.joined(" ") + " " + name);
      std::string offer = "return ;;";
      if (is_directory(option)) offer = "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;";
      if (!option.choices.empty()) {
        offer = "mapfile -t COMPREPLY < <(compgen -W " + single_quoted(spaced(option.choices)) +
                " -- \"$word\"); return ;;";
      }
      out += "    " + words + ") " + offer + "\n";
    }
  }
}

void append_bash_words(const std::vector<CommandPath>& paths, std::string& out) {
  for (const CommandPath& path : paths) {
    const CommandShape& command = *path.commands.back();
    std::vector<std::string> commands, options, choices;
    for (const CommandShape& below : command.commands) commands.push_back(below.name);
    for (const OptionShape& option : command.options)
      options.insert(options.end(), option.names.begin(), option.names.end());
    for (const OptionShape& argument : command.arguments)
      choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
    commands.insert(commands.end(), choices.begin(), choices.end());
    out += "    " + single_quoted(path.joined(" ")) + ")\n";
    out += "      commands=" + single_quoted(spaced(commands)) + "\n";
    out += "      options=" + single_quoted(spaced(options)) + " ;;\n";
  }
}

// --- zsh

std::string zsh_function(const CommandPath& path) {
  std::string name = "_" + path.joined("_");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string zsh_value(const OptionShape& option) {
  if (!option.choices.empty()) return "(" + spaced(option.choices) + ")";
  return is_directory(option) ? "_files -/" : "_files";
}

// '*--value[help]:TEXT:_files', one for each of its names.
void append_zsh_option(const OptionShape& option, std::string& out) {
  for (const std::string& name : option.names) {
    std::string spec = option.is_repeated ? "*" : "";
    if (!option.is_repeated && option.names.size() > 1) spec = "(" + spaced(option.names) + ")";
    spec += name + "[" + zsh_text(option.help) + "]";
    if (!option.value.empty()) spec += ":" + zsh_text(option.value) + ":" + zsh_value(option);
    out += " \\\n    " + single_quoted(spec);
  }
}

void append_zsh_command(const CommandPath& path, std::string& out) {
  const CommandShape& command = *path.commands.back();
  out += zsh_function(path) + "() {\n";
  if (command.commands.empty()) {
    out += "  _arguments -S";
    for (const OptionShape& option : command.options) append_zsh_option(option, out);
    for (const OptionShape& argument : command.arguments) {
      const std::string place = argument.is_repeated ? "*" : argument.is_required ? "" : ":";
      out += " \\\n    " +
             single_quoted(place + ":" + zsh_text(argument.names.front()) + ":" + zsh_value(argument));
    }
    out += "\n}\n\n";
    return;
  }
  out += "  local context state state_descr line\n  local -A opt_args\n  local -a commands\n  commands=(\n";
  for (const CommandShape& below : command.commands)
    out += "    " + single_quoted(below.name + ":" + zsh_text(below.help)) + "\n";
  out += "  )\n  _arguments -C -S";
  for (const OptionShape& option : command.options) append_zsh_option(option, out);
  out += " \\\n    ': :->command' \\\n    '*:: :->rest' && return\n";
  out +=
      "  case $state in\n    command) _describe -t commands command commands ;;\n    rest)\n      case "
      "$words[1] in\n";
  for (const CommandShape& below : command.commands) {
    CommandPath next = path;
    next.commands.push_back(&below);
    std::string names = below.name;
    for (const std::string& alias : below.aliases) names += "|" + alias;
    out += "        " + names + ") " + zsh_function(next) + " ;;\n";
  }
  out += "      esac ;;\n  esac\n}\n\n";
}

}  // namespace

std::string bash_completion(const CommandShape& program) {
  const std::vector<CommandPath> paths = all_paths(program);
  const std::string function = "_" + program.name;
  std::string out =
      "# Completion of " + program.name + " for bash, made by: " + program.name + " completion bash\n";
  out += function + "() {\n";
  out += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path=" + program.name +
         " commands='' options='' i\n";
  out += "  COMPREPLY=()\n  for ((i = 1; i < COMP_CWORD; ++i)); do\n    case \"$path ${COMP_WORDS[i]}\" in\n";
  append_bash_steps(paths, out);
  out += "    esac\n  done\n  case \"$path $before\" in\n";
  append_bash_values(paths, out);
  out += "  esac\n  case \"$path\" in\n";
  append_bash_words(paths, out);
  out +=
      "  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$commands\" -- \"$word\")\n"
      "  fi\n"
      "}\n";
  return out + "complete -o default -F " + function + " " + program.name + "\n";
}

std::string zsh_completion(const CommandShape& program) {
  std::string out = "#compdef " + program.name + "\n# Completion of " + program.name +
                    " for zsh, made by: " + program.name + " completion zsh\n\n";
  for (const CommandPath& path : all_paths(program)) append_zsh_command(path, out);
  // Kept in a file of that name it is the function; read with source it has to be made known.
  out += "if [[ $funcstack[1] == _" + program.name + " ]]; then\n  _" + program.name +
         " \"$@\"\nelse\n  compdef _" + program.name + " " + program.name + "\nfi\n";
  return out;
}

}  // namespace sheaf::console

// What a word in the shell could become.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "console/command_shape.h"

namespace sheaf::console {

// What is known when the key is pressed. Nothing is asked for then: a database can be far away.
struct ShellKnown {
  CommandShape commands;                 // of the shell
  std::vector<std::string> backslashes;  // "\\help", ...
  std::set<std::string> tables;
  std::map<std::string, std::set<std::string>> indexes;  // by table
  std::set<std::string> attributes;                      // that were seen
  std::string table;                                     // in use; then commands do not name one
};

struct Completions {
  size_t begin = 0;                // where in the line what is completed begins
  std::vector<std::string> words;  // in order, each once; all begin with what is there
};
// `line` ends at the cursor.
Completions completions_of(std::string_view line, const ShellKnown& known);

// What all of them begin with.
std::string common_beginning(const std::vector<std::string>& words);

}  // namespace sheaf::console

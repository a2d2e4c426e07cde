// Completion for other shells, made of the tree of commands.
#pragma once

#include <string>

#include "console/command_shape.h"

namespace sheaf::console {

// To be read by bash with `source`, or kept in its folder for completions. Where nothing is known, files are
// offered.
std::string bash_completion(const CommandShape& program);

// To be kept as _NAME in a folder of zsh's fpath, or read with `source` after compinit.
std::string zsh_completion(const CommandShape& program);

}  // namespace sheaf::console

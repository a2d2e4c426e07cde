// Model files, as commands are given them.
#pragma once

#include <string>

#include "sheaf/result.h"

namespace sheaf::cmd {

// All of a file; of the standard input if `path` is -.
Result<std::string> read_file(const std::string& path);

// The text of a model file; of its JSON form, what it says in the language.
Result<std::string> read_model(const std::string& path);

}  // namespace sheaf::cmd

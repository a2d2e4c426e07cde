// Model files, as commands are given them.
#pragma once

#include <string>
#include <vector>

#include "sheaf/result.h"

#include "service/served_model.h"

namespace sheaf::cmd {

// All of a file; of the standard input if `path` is -.
Result<std::string> read_file(const std::string& path);

// The same of a model file, which is not empty if it comes from the standard input.
Result<std::string> read_model_file(const std::string& path);

// The text of a model; of its JSON form, what it says in the language. `path` is for errors.
Result<std::string> in_the_language(const std::string& path, std::string text);

// Both: a model file, in the language.
Result<std::string> read_model(const std::string& path);

// Models as `sheaf serve` is given them: FILE, FILE:LAYOUT, or a directory, which stands for all files in it
// and below it that end with .sheaf, in the order of their names.
Result<std::vector<service::ModelSource>> read_models(const std::vector<std::string>& named);

}  // namespace sheaf::cmd

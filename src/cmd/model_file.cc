#include "cmd/model_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/try.h"
#include "language/syntax_json.h"
#include "language/syntax_text.h"

namespace sheaf::cmd {

Result<std::string> read_file(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  // It can be opened, and then reads as if it were empty.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{Code::kIo, path + " is a directory, no file"};
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Code::kIo, "cannot read " + path};
  text << file.rdbuf();
  return text.str();
}

Result<std::string> read_model_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{Code::kIo, path + " is a directory: name a model file in it"};
  Result<std::string> text = read_file(path);
  if (text.ok() && text->empty() && path == "-")
    return Error{Code::kInvalid, "nothing was read: the standard input is empty, where a model is expected"};
  return text;
}

Result<std::string> in_the_language(const std::string& path, std::string text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '{') return text;
  const Result<language::Model> model = language::model_from_json(text);
  if (!model.ok()) return Error{model.error().code, path + ": " + model.error().message};
  return language::to_text(*model);
}

Result<std::string> read_model(const std::string& path) {
  return in_the_language(path, TRY(read_model_file(path)));
}

namespace {

Result<std::vector<std::string>> models_below(const std::string& directory) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (std::filesystem::recursive_directory_iterator each(directory, failed), end; !failed && each != end;
       each.increment(failed)) {
    if (each->path().extension() == ".sheaf" && each->is_regular_file(failed))
      paths.push_back(each->path().string());
  }
  if (failed) return Error{Code::kIo, "cannot read " + directory + ": " + failed.message()};
  if (paths.empty()) return Error{Code::kNotFound, "there is no .sheaf file in " + directory};
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Result<std::vector<service::ModelSource>> read_models(const std::vector<std::string>& named) {
  std::vector<service::ModelSource> sources;
  const auto add = [&](const std::string& path, const std::string& layout) -> Result<void> {
    std::string text = TRY(read_model(path));
    sources.push_back({.path = path, .text = std::move(text), .layout = layout});
    return {};
  };
  for (const std::string& name : named) {
    std::error_code ignored;
    const size_t colon = name.rfind(':');
    if (std::filesystem::is_directory(name, ignored)) {
      const std::vector<std::string> paths = TRY(models_below(name));
      for (const std::string& path : paths) TRY(add(path, std::string(model::kDefaultLayout)));
    } else if (std::filesystem::exists(name, ignored) || colon == std::string::npos) {
      TRY(add(name, std::string(model::kDefaultLayout)));
    } else {
      TRY(add(name.substr(0, colon), name.substr(colon + 1)));
    }
  }
  return sources;
}

}  // namespace sheaf::cmd

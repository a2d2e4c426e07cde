#include "cmd/model_file.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include "language/syntax_json.h"
#include "language/syntax_text.h"

namespace sheaf::cmd {

Result<std::string> read_file(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Code::kIo, "cannot read " + path};
  text << file.rdbuf();
  return text.str();
}

Result<std::string> read_model(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text;
  const size_t begin = text->find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || (*text)[begin] != '{') return text;
  const Result<language::Model> model = language::model_from_json(*text);
  if (!model.ok()) return Error{model.error().code, path + ": " + model.error().message};
  return language::to_text(*model);
}

}  // namespace sheaf::cmd

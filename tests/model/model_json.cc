// Shows what the program makes of models as JSON, for tests in other languages.
//   model_json examples         the JSON of the example models, in an array
//   model_json read < MODEL     the JSON of this one
//   model_json check < LINES    for each line, a JSON text: "ok" or what is wrong with it
#include <iostream>
#include <iterator>
#include <string>

#include "language/example_models.h"
#include "language/parser.h"
#include "language/syntax_json.h"

namespace {

using namespace sheaf::language;

// Empty if there are mistakes.
std::string json_of(std::string text) {
  const SourceText source("model.sheaf", std::move(text));
  Diagnostics diagnostics;
  const Model model = parse(source, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) std::cerr << render(source, diagnostic);
  return diagnostics.has_errors() ? "" : to_json(model);
}

int print_examples() {
  std::string out;
  for (const std::string_view text : kExampleModels) {
    const std::string json = json_of(std::string(text));
    if (json.empty()) return 1;
    out += (out.empty() ? "" : ",") + json;
  }
  std::cout << "[" << out << "]\n";
  return 0;
}

int print_model() {
  const std::string json = json_of({std::istreambuf_iterator<char>(std::cin), {}});
  std::cout << json;
  return json.empty() ? 1 : 0;
}

int check_lines() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const sheaf::Result<Model> read = model_from_json(line);
    std::cout << (read.ok() ? "ok" : read.error().message) << '\n';
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc == 2 ? argv[1] : "";
  if (command == "examples") return print_examples();
  if (command == "read") return print_model();
  if (command == "check") return check_lines();
  std::cerr << "usage: model_json examples | read | check\n";
  return 2;
}

#include "cmd/draw_command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "cmd/chosen_model.h"
#include "cmd/model_file.h"
#include "cmd/terminal.h"
#include "console/painted_text.h"
#include "draw/drawing.h"
#include "model/compiled_model.h"
#include "run/data_file.h"

namespace sheaf::cmd {
namespace {

constexpr size_t kColumnsMin = 40;
constexpr size_t kColumnsMax = 10000;

const std::map<std::string, draw::Form> kForms = {
    {"markdown", draw::Form::kMarkdown}, {"svg", draw::Form::kSvg}, {"text", draw::Form::kText}};
const std::map<std::string, draw::Kind> kKinds = {{"relations", draw::Kind::kRelations},
                                                  {"chart", draw::Kind::kChart},
                                                  {"attributes", draw::Kind::kAttributes},
                                                  {"collections", draw::Kind::kCollections},
                                                  {"side-by-side", draw::Kind::kSideBySide}};

struct DrawArguments {
  std::string path;
  std::string layout{model::kDefaultLayout};
  std::string data;
  std::string output;
  std::string index;
  std::string form = "text";
  std::vector<std::string> kinds;
  size_t columns = 0;  // of text; 0: nobody said
  draw::Options options;
};

// Drawings on a terminal are as wide as it is; elsewhere they are the same everywhere.
size_t terminal_columns(size_t otherwise) {
  winsize size{};
  const bool is_told = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_told && size.ws_col >= kColumnsMin ? size.ws_col : otherwise;
}

int write(const std::string& drawing, const std::string& path) {
  if (path.empty()) {
    std::cout << drawing;
    return 0;
  }
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << drawing;
  return file.flush() ? 0 : fail("cannot write " + path);
}

int run(DrawArguments& arguments) {
  const Result<std::string> text = read_model(arguments.path);
  if (!text.ok()) return fail(text.error().message);
  const model::CompiledModel compiled = model::compile(arguments.path, *text);
  if (!compiled.ok()) {
    std::cerr << console::painted_findings(compiled.rendered(), errors_have_colour());
    return kWrongModel;
  }
  const model::Layout* const layout = compiled.find_layout(arguments.layout);
  if (layout == nullptr) return fail(arguments.path + " has no layout " + arguments.layout);

  std::unique_ptr<run::Data> data;
  if (!arguments.data.empty()) {
    const Result<std::string> json = read_file(arguments.data);
    if (!json.ok()) return fail(json.error().message);
    Result<run::Data> read = run::read_data(compiled.model, *layout, *json);
    if (!read.ok()) return fail(arguments.data + ": " + read.error().message);
    data = std::make_unique<run::Data>(std::move(*read));
  }
  if (!arguments.index.empty()) arguments.options.index = arguments.index;
  arguments.options.form = kForms.at(arguments.form);
  for (const std::string& kind : arguments.kinds) arguments.options.kinds.push_back(kKinds.at(kind));
  if (arguments.columns > 0) {
    arguments.options.text_columns = arguments.columns;
  } else if (arguments.output.empty()) {
    arguments.options.text_columns = terminal_columns(arguments.options.text_columns);
  }
  const Result<std::string> drawing = draw::draw(compiled.model, *layout, data.get(), arguments.options);
  if (!drawing.ok()) return fail(drawing.error().message);
  return write(*drawing, arguments.output);
}

}  // namespace

void add_draw_command(CLI::App& model, int& status) {
  const auto arguments = std::make_shared<DrawArguments>();
  CLI::App* const drawing = model.add_subcommand(
      "draw",
      "Draw a model: relations, chart, attributes, and with sample data collections and side-by-side");
  drawing
      ->add_option("FILE", arguments->path,
                   "Model file, in the language or as JSON (- is the standard input)")
      ->required();
  drawing->add_option("KIND", arguments->kinds, "What to draw; all that can be, if nothing is said")
      ->check(CLI::IsMember(kKinds));
  drawing->add_option("--layout", arguments->layout, "Which layout")->capture_default_str();
  drawing->add_option("--data", arguments->data, "Sample data: entities and links, as JSON");
  drawing->add_option("--as", arguments->form, "In which form")
      ->check(CLI::IsMember(kForms))
      ->capture_default_str();
  drawing->add_option("--columns", arguments->columns, "How wide text may be; else as the terminal, or 120")
      ->check(CLI::Range(kColumnsMin, kColumnsMax));
  drawing->add_option("--output,--out", arguments->output, "Write it there; else to the standard output");
  drawing->add_option("--index", arguments->index, "Of collections and side-by-side: this index only");
  drawing->add_flag("--all", arguments->options.shows_all, "System attributes and guards, too");
  drawing->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace sheaf::cmd

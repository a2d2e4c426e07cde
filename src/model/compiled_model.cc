#include "model/compiled_model.h"

#include "language/parser.h"
#include "model/layout_resolver.h"
#include "model/resolver.h"

namespace sheaf::model {

const Layout* CompiledModel::find_layout(std::string_view name) const {
  for (const Layout& layout : layouts) {
    if (layout.name == name) return &layout;
  }
  return nullptr;
}

std::string CompiledModel::rendered() const {
  std::string out;
  for (const language::Diagnostic& diagnostic : diagnostics.all())
    out += language::render(source, diagnostic);
  return out;
}

CompiledModel compile(std::string name, std::string text) {
  language::SourceText source(std::move(name), std::move(text));
  language::Diagnostics diagnostics;
  language::Model syntax = language::parse(source, diagnostics);
  const bool is_readable = !diagnostics.has_errors();
  Model model = is_readable ? resolve(std::move(syntax), diagnostics) : Model(std::move(syntax));
  std::vector<Layout> layouts;
  if (!diagnostics.has_errors()) layouts = resolve_layouts(model, diagnostics);
  diagnostics.sort();
  return {.source = std::move(source),
          .model = std::move(model),
          .layouts = std::move(layouts),
          .diagnostics = std::move(diagnostics)};
}

}  // namespace sheaf::model

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
  Resolved resolved = resolve(language::parse(source, diagnostics), diagnostics);
  std::vector<Layout> layouts;
  if (resolved.is_sound) layouts = resolve_layouts(resolved.model, diagnostics);
  diagnostics.sort();
  return {.source = std::move(source),
          .model = std::move(resolved.model),
          .layouts = std::move(layouts),
          .diagnostics = std::move(diagnostics)};
}

}  // namespace sheaf::model

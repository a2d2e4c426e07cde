// A model file, read and checked from end to end.
#pragma once

#include <string>
#include <vector>

#include "language/diagnostic.h"
#include "language/source_text.h"
#include "model/layout.h"
#include "model/model.h"

namespace sheaf::model {

struct CompiledModel {
  language::SourceText source;
  Model model;
  std::vector<Layout> layouts;  // `default` first; empty if entities or relations have mistakes
  language::Diagnostics diagnostics;

  bool ok() const { return !diagnostics.has_errors(); }
  const Layout* find_layout(std::string_view name) const;
  // All that is wrong, as a terminal shows it.
  std::string rendered() const;
};

// `name` is shown in messages.
CompiledModel compile(std::string name, std::string text);

}  // namespace sheaf::model

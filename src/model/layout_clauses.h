// The physical clauses of a layout, put together: those in the bodies form `default`, and a layout replaces
// those of the one that it extends, clause by clause.
#pragma once

#include <string>
#include <vector>

#include "language/syntax.h"
#include "model/mistakes.h"
#include "model/model.h"

namespace sheaf::model {

struct LayoutClauses {
  std::string name;
  std::vector<const language::Table*> tables;
  std::vector<language::Physical> entities;             // one an entity of the model
  std::vector<std::optional<language::Via>> relations;  // one a relation of the model
  bool is_sound = true;                                 // no mistakes in names were told
};

// `default` first, then the others as they are declared. Mistakes in names are told once.
std::vector<LayoutClauses> layout_clauses(const Model& model, Mistakes& mistakes);

}  // namespace sheaf::model

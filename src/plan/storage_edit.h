// One change of how a model is stored, as somebody would write it. Several that have nothing to do with each
// other can be made together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/syntax.h"

namespace sheaf::plan {

struct EntityKeys {
  std::string entity;
  std::optional<language::Keys> key;  // none: as it is
  std::vector<language::IndexKeys> indexes;
};

struct IndexName {
  std::string table;
  std::string index;
};

struct RelationVia {
  size_t relation = 0;  // its place in the syntax
  language::Via via;
};

struct StorageEdit {
  std::vector<language::Table> tables;  // in place of those of these names
  std::optional<EntityKeys> keys;
  std::optional<IndexName> full_index;  // it holds all attributes
  std::optional<RelationVia> via;
};

void apply(const StorageEdit& edit, language::Model& model);

// Whether both write the same thing: then the second would undo the first.
bool collide(const StorageEdit& first, const StorageEdit& second);

}  // namespace sheaf::plan

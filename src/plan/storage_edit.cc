#include "plan/storage_edit.h"

#include <algorithm>

namespace sheaf::plan {
namespace {

bool writes_table(const StorageEdit& edit, const std::string& name) {
  return std::any_of(edit.tables.begin(), edit.tables.end(),
                     [&](const language::Table& table) { return table.name.text == name; });
}

// Of one in the other's.
bool writes_tables(const StorageEdit& edit, const StorageEdit& other) {
  if (other.full_index && writes_table(edit, other.full_index->table)) return true;
  return std::any_of(other.tables.begin(), other.tables.end(),
                     [&](const language::Table& table) { return writes_table(edit, table.name.text); });
}

}  // namespace

void apply(const StorageEdit& edit, language::Model& model) {
  for (const language::Table& each : edit.tables) {
    std::erase_if(model.tables, [&](const language::Table& old) { return old.name.text == each.name.text; });
    model.tables.push_back(each);
  }
  for (language::Entity& entity : model.entities) {
    if (!edit.keys || entity.name.text != edit.keys->entity) continue;
    if (edit.keys->key) entity.physical.key = edit.keys->key;
    entity.physical.indexes = edit.keys->indexes;
  }
  for (language::Table& table : model.tables) {
    if (!edit.full_index || table.name.text != edit.full_index->table) continue;
    for (language::Gsi& gsi : table.indexes) {
      if (gsi.name.text != edit.full_index->index) continue;
      gsi.projection = language::Gsi::Projection::kAll;
      gsi.included.clear();
    }
  }
  if (edit.via) model.relations[edit.via->relation].via = edit.via->via;
}

bool collide(const StorageEdit& first, const StorageEdit& second) {
  const bool is_one_index = first.full_index && second.full_index &&
                            first.full_index->table == second.full_index->table &&
                            first.full_index->index == second.full_index->index;
  return is_one_index || writes_tables(first, second) || writes_tables(second, first) ||
         (first.keys && second.keys && first.keys->entity == second.keys->entity) ||
         (first.via && second.via && first.via->relation == second.via->relation);
}

}  // namespace sheaf::plan

#include "plan/entry_units.h"

#include <algorithm>

#include "plan/item_bytes.h"
#include "plan/units.h"

namespace sheaf::plan {
namespace {

bool holds_some(const model::Index& index, const std::vector<std::string>& attributes) {
  if (index.projection == language::Gsi::Projection::kAll) return true;
  return std::any_of(attributes.begin(), attributes.end(), [&](const std::string& attribute) {
    return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
  });
}

}  // namespace

double entry_units(const model::Model& model, const model::Layout& layout, size_t item_kind,
                   PlannedAction::Kind done, const EntityChange& change,
                   const std::vector<std::string>& attributes) {
  const auto of_one = [&](const View& view, const model::IndexEntry* entry) {
    const double bytes = item_bytes(model, layout, item_kind, view);
    switch (done) {
      case PlannedAction::Kind::kPut:
        return index_units({.after = own_bytes(model, layout, item_kind, view)}, EntryChange::kMoves);
      case PlannedAction::Kind::kDelete:
        return index_units({.before = bytes}, EntryChange::kMoves);
      case PlannedAction::Kind::kUpdate: {
        const bool is_moved = entry != nullptr && moves_entry(change, *entry);
        const bool is_held = holds_some(layout.tables[view.table].indexes[*view.index], attributes);
        return index_units({.before = bytes, .after = bytes}, is_moved  ? EntryChange::kMoves
                                                              : is_held ? EntryChange::kInPlace
                                                                        : EntryChange::kNone);
      }
      case PlannedAction::Kind::kCheck:
        break;
    }
    return 0.0;
  };
  const model::ItemKind& kind = layout.item_kinds[item_kind];
  const std::vector<model::Index>& indexes = layout.tables[kind.table].indexes;
  double units = 0;
  for (const model::IndexEntry& entry : kind.entries)
    units += of_one({.table = kind.table, .index = entry.index}, &entry);
  // These hold every item, and need no line.
  for (size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].is_over_table_keys) units += of_one({.table = kind.table, .index = i}, nullptr);
  }
  return units;
}

}  // namespace sheaf::plan

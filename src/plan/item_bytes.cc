#include "plan/item_bytes.h"

#include <algorithm>

#include "model/strategies/entry_bounds.h"
#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

bool holds(const model::Layout& layout, const View& view, const std::string& attribute) {
  if (!view.index) return true;
  const model::Index& index = layout.tables[view.table].indexes[*view.index];
  return index.projection == language::Gsi::Projection::kAll ||
         std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
}

// What one that the end leads to takes in the item of its holder.
int64_t bytes_of_one(const model::Model& model, const model::Layout& layout, model::EndId end) {
  switch (layout.storage(end)) {
    case model::EndStorage::kEmbeds:
      return model::embedded_bytes(model.entities[model.end(end).target]);
    case model::EndStorage::kEntries:
      return model::entry_bytes(model, layout.relations[end.relation], end.side);
    case model::EndStorage::kIds:
      return model::kIdBytes;
    case model::EndStorage::kEdge:
    case model::EndStorage::kEmbedded:
    case model::EndStorage::kOther:
    case model::EndStorage::kReference:
      break;
  }
  return 0;
}

}  // namespace

double item_bytes(const model::Model& model, const model::Layout& layout, size_t item_kind,
                  const View& view) {
  const model::ItemKind& kind = layout.item_kinds[item_kind];
  double bytes = kItemBytes;
  if (!kind.entity || kind.is_by_field()) return bytes;
  for (const model::EndId end : model.entities[*kind.entity].ends) {
    if (holds(layout, view, model.end(end).name))
      bytes += declared_count(model.end(end)) * static_cast<double>(bytes_of_one(model, layout, end));
  }
  return bytes;
}

}  // namespace sheaf::plan

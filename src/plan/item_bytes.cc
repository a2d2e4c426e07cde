#include "plan/item_bytes.h"

#include <algorithm>

#include "model/strategies/entry_bounds.h"
#include "plan/document_tree.h"

namespace sheaf::plan {
namespace {

bool holds(const model::Layout& layout, const View& view, const std::string& attribute) {
  if (!view.index) return true;
  const model::Table& table = layout.tables[view.table];
  const model::Index& index = table.indexes[*view.index];
  return index.projection == language::Gsi::Projection::kAll ||
         std::find(index.included.begin(), index.included.end(), attribute) != index.included.end() ||
         attribute == table.pk.name || (table.sk && attribute == table.sk->name) ||
         attribute == index.pk.name || (index.sk && attribute == index.sk->name);
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

// Of a field that does not say how long it is.
constexpr double kFieldBytes = 40;

double field_bytes(const std::string& attribute, const model::Field& field) {
  const bool has_max = field.syntax != nullptr && field.syntax->max;
  return static_cast<double>(attribute.size()) +
         (has_max ? static_cast<double>(field.syntax->max->value) : kFieldBytes);
}

double mean_of_fields(const model::Entity& entity) {
  double sum = 0, count = 0;
  for (const model::Field& field : entity.fields) {
    if (field.is_id) continue;
    sum += std::max(kItemBytes, field_bytes(std::string(model::kValueAttribute), field));
    ++count;
  }
  return count == 0 ? kItemBytes : sum / count;
}

// What an item keeps of the one that an end of it leads to.
double copied_bytes(const model::Model& model, const model::Layout& layout, model::EndId end,
                    const View& view) {
  double bytes = 0;
  for (const model::CopiedFields& copied : layout.relations[end.relation].copies) {
    if (copied.side != end.side) continue;
    for (const model::FieldId id : copied.fields) {
      const model::Field& field = model.entities[model.end(end).target].fields[id];
      const std::string attribute = model.end(end).name + "_" + field.name;
      if (holds(layout, view, attribute)) bytes += field_bytes(attribute, field);
    }
  }
  return bytes;
}

}  // namespace

double own_bytes(const model::Model& model, const model::Layout& layout, size_t item_kind, const View& view) {
  const model::ItemKind& kind = layout.item_kinds[item_kind];
  if (kind.is_by_field()) return mean_of_fields(model.entities[*kind.entity]);
  const std::vector<model::Field>& fields =
      kind.entity ? model.entities[*kind.entity].fields : model.relations[*kind.relation].edge_fields;
  double bytes = 0;
  for (const model::Field& field : fields) {
    if (holds(layout, view, field.attribute)) bytes += field_bytes(field.attribute, field);
  }
  if (kind.entity) {
    for (const model::EndId end : model.entities[*kind.entity].ends) {
      if (layout.storage(end) == model::EndStorage::kReference)
        bytes += copied_bytes(model, layout, end, view);
    }
  } else {
    for (const int side : {0, 1}) {
      if (kind.holds_copies(side))
        bytes += copied_bytes(model, layout, {.relation = *kind.relation, .side = side}, view);
    }
  }
  return std::max(bytes, kItemBytes);
}

double item_bytes(const model::Model& model, const model::Layout& layout, size_t item_kind,
                  const View& view) {
  const model::ItemKind& kind = layout.item_kinds[item_kind];
  double bytes = own_bytes(model, layout, item_kind, view);
  if (!kind.entity || kind.is_by_field()) return bytes;
  for (const model::EndId end : model.entities[*kind.entity].ends) {
    if (holds(layout, view, model.end(end).name))
      bytes += declared_count(model.end(end)) * static_cast<double>(bytes_of_one(model, layout, end));
  }
  return bytes;
}

}  // namespace sheaf::plan

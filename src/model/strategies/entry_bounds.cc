#include "model/strategies/entry_bounds.h"

#include <algorithm>

namespace sheaf::model {
namespace {

constexpr int64_t kItemBytesMax = 400 * 1024;
constexpr int64_t kEmbeddedBytesMin = 400;
// Of a field that does not say how long it is.
constexpr int64_t kFieldBytes = 40;

int64_t bytes_of(const std::string& attribute, const Field& field) {
  const bool has_max = field.syntax != nullptr && field.syntax->max;
  return static_cast<int64_t>(attribute.size()) + (has_max ? field.syntax->max->value : kFieldBytes);
}

}  // namespace

int64_t embedded_bytes(const Entity& child) {
  int64_t bytes = 0;
  for (const Field& field : child.fields) bytes += bytes_of(field.attribute, field);
  return std::max(bytes, kEmbeddedBytesMin);
}

int64_t entry_bytes(const Model& model, const StoredRelation& stored, int side) {
  const Relation& relation = model.relations[stored.relation];
  const End& end = relation.ends[side];
  int64_t bytes = kIdBytes;
  for (const Field& field : relation.edge_fields) bytes += bytes_of(field.attribute, field);
  for (const CopiedFields& copied : stored.copies) {
    if (copied.side != side) continue;
    for (const FieldId id : copied.fields) {
      const Field& source = model.entities[end.target].fields[id];
      bytes += bytes_of(end.name + "_" + source.name, source);
    }
  }
  return bytes;
}

void check_entries(LayoutDraft& draft, const StoredRelation& stored, const End& end, const Entries& entries) {
  if (!end.leads_to_many) return;
  if (!end.max) {
    draft.mistakes.tell("unbounded-list", entries.span,
                        entries.what + " without bound does not fit an item of 400 KB", entries.bounded_by);
  } else if (*end.max > kItemBytesMax / entries.bytes) {
    draft.mistakes.tell("item-too-large", stored.span,
                        std::to_string(*end.max) + " " + end.name + " of " + std::to_string(entries.bytes) +
                            " bytes do not fit an item of 400 KB",
                        "lower size max, or use a strategy with an item for each of them");
  }
}

}  // namespace sheaf::model

#include "generate/key_needs.h"

#include <algorithm>

namespace sheaf::generate {
namespace {

using Root = model::HoleSource::Root;
using Format = language::Hole::Format;

class NeedsReader {
 public:
  explicit NeedsReader(const model::Model& model) : model_(model) {
    for (const model::Entity& entity : model.entities) {
      needs_.entities.emplace_back(entity.fields.size());
      for (size_t i = 0; i < entity.fields.size(); ++i)
        needs_.entities.back()[i].is_in_key = entity.fields[i].is_id || entity.fields[i].syntax->is_unique;
    }
    for (const model::Relation& relation : model.relations) {
      needs_.relations.emplace_back(relation.edge_fields.size());
      for (size_t i = 0; i < relation.edge_fields.size(); ++i)
        needs_.relations.back()[i].is_in_key = relation.edge_fields[i].is_id;
    }
  }

  void read(const model::Layout& layout) {
    for (const model::ItemKind& kind : layout.item_kinds) {
      read(kind, kind.pk);
      if (kind.sk) read(kind, *kind.sk);
      for (const model::IndexEntry& entry : kind.entries) {
        read(kind, entry.pk);
        if (entry.sk) read(kind, *entry.sk);
      }
    }
  }

  ModelNeeds take() { return std::move(needs_); }

 private:
  void read(const model::ItemKind& kind, const model::KeyTemplate& key) {
    const auto& pieces = key.pieces();
    for (size_t i = 0; i < pieces.size(); ++i) {
      const auto* const hole = std::get_if<model::Hole>(&pieces[i]);
      if (hole == nullptr || hole->is_attribute()) continue;
      KeyNeeds& needs = needs_of(kind, hole->source);
      needs.is_in_key = true;
      if (hole->format == Format::kDigits)
        needs.digits_max = std::min(needs.digits_max.value_or(hole->count), hole->count);
      if (hole->format != Format::kRaw || key.bare_hole() != nullptr) continue;
      const auto* const next = i + 1 < pieces.size() ? std::get_if<std::string>(&pieces[i + 1]) : nullptr;
      for (char c = ' '; c <= '%'; ++c) needs.forbidden += c;
      if (next != nullptr) needs.forbidden += next->front();
    }
  }

  KeyNeeds& needs_of(const model::ItemKind& kind, const model::HoleSource& source) {
    if (source.root == Root::kEdgeField) return needs_.relations[*kind.relation][source.path.field];
    model::EntityId entity = source.root == Root::kEdgeEnd
                                 ? model_.relations[*kind.relation].ends[source.side].target
                                 : *kind.entity;
    for (const model::EndId end : source.path.ends) entity = model_.end(end).target;
    return needs_.entities[entity][source.path.field];
  }

  const model::Model& model_;
  ModelNeeds needs_;
};

}  // namespace

ModelNeeds key_needs(const model::CompiledModel& compiled) {
  NeedsReader reader(compiled.model);
  for (const model::Layout& layout : compiled.layouts) reader.read(layout);
  return reader.take();
}

}  // namespace sheaf::generate

#include "plan/write_refusals.h"

#include <algorithm>
#include <set>

#include "base/article.h"
#include "plan/related.h"
#include "plan/write_needs.h"

namespace sheaf::plan {
namespace {

using model::EndId;
using model::EntityId;

std::string no_key(const model::Model& model, EndId end, const std::string& why) {
  return "no key leads from " + with_article(model.entities[model.end(end).holder].name) + " to its " +
         model.end(end).name + ", " + why;
}

bool is_found(const model::Model& model, const model::Layout& layout, EntityId entity) {
  return has_known_key(model, layout, entity) || lookup_plan(model, layout, entity).has_value();
}

class Deletion {
 public:
  Deletion(const model::Model& model, const model::Layout& layout) : model_(model), layout_(layout) {}

  std::optional<std::string> refusal(EntityId entity) {
    if (!seen_.insert(entity).second) return std::nullopt;
    for (const EndId end : model_.entities[entity].ends) {
      const bool is_listed = layout_.storage(end) == model::EndStorage::kOther &&
                             layout_.storage(end.other()) == model::EndStorage::kIds;
      if (is_listed) return no_key(model_, end, "which keep its id in a list");
      const bool keeps_list =
          layout_.storage(end) == model::EndStorage::kIds && end.side == 0 && !is_many_to_many(end);
      const auto& on_delete = model_.relations[end.relation].on_delete;
      if (keeps_list && on_delete && *on_delete != language::OnDelete::kUnlink)
        return "a list of ids does not say who its " + model_.end(end).name +
               " are, and they depend on it: they cannot go with it, nor keep it";
    }
    for (const EndId end : dependant_ends(model_, layout_, entity)) {
      if (!layout_.is_mutual(end) && !related_plan(model_, layout_, end))
        return no_key(model_, end, "which its deletion must find");
      const EntityId other = model_.end(end).target;
      if (!layout_.has_items(other)) continue;
      const model::Relation& relation = model_.relations[end.relation];
      const bool is_parent = end.side == 0 && !is_many_to_many(end);
      if (is_parent && relation.on_delete == language::OnDelete::kRestrict) continue;
      if (!is_found(model_, layout_, other))
        return "the id of " + with_article(model_.entities[other].name) + ", which it leads to by " +
               model_.end(end).name + ", does not tell its key";
      if (is_parent && relation.on_delete == language::OnDelete::kCascade) {
        if (auto why = refusal(other)) return why;
      }
    }
    return std::nullopt;
  }

 private:
  bool is_many_to_many(EndId end) const {
    return model_.relations[end.relation].cardinality == language::Cardinality::kManyToMany;
  }

  const model::Model& model_;
  const model::Layout& layout_;
  std::set<EntityId> seen_;
};

}  // namespace

std::optional<std::string> why_undeletable(const model::Model& model, const model::Layout& layout,
                                           EntityId entity) {
  return Deletion(model, layout).refusal(entity);
}

std::optional<std::string> why_unchangeable(const model::Model& model, const model::Layout& layout,
                                            EntityId entity, model::FieldId field) {
  bool is_copied = false;
  std::optional<std::string> why;  // one job brings all copies of an entity in step
  for (const model::StoredRelation& stored : layout.relations) {
    for (const model::CopiedFields& copied : stored.copies) {
      const EndId to_source{.relation = stored.relation, .side = copied.side};
      if (model.end(to_source).target != entity) continue;
      is_copied =
          is_copied || std::find(copied.fields.begin(), copied.fields.end(), field) != copied.fields.end();
      if (!layout.is_mutual(to_source) && !related_plan(model, layout, model.back(to_source)))
        why = no_key(model, model.back(to_source), "which have copies of its fields");
    }
  }
  return is_copied ? why : std::nullopt;
}

std::optional<std::string> why_unmovable(const model::Model& model, const model::Layout& layout, EndId end) {
  if (layout.storage(end) != model::EndStorage::kOther) return std::nullopt;
  const model::End& other = model.end(end.other());
  if (layout.storage(end.other()) == model::EndStorage::kIds)
    return no_key(model, end, "which keeps its id in a list");
  return "where " + model.end(end).name + " leads is kept on the other side: its " + other.name +
         " is what can be set or removed";
}

}  // namespace sheaf::plan

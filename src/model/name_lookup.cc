#include "model/name_lookup.h"

namespace sheaf::model {

using language::Name;

std::vector<std::string_view> NameLookup::entity_names() const {
  std::vector<std::string_view> names;
  for (const Entity& entity : model_.entities) names.push_back(entity.name);
  return names;
}

std::vector<std::string_view> NameLookup::end_names(EntityId entity) const {
  std::vector<std::string_view> names;
  for (const EndId end : model_.entities[entity].ends) names.push_back(model_.end(end).name);
  return names;
}

std::vector<std::string_view> NameLookup::field_names(EntityId entity) const {
  std::vector<std::string_view> names;
  for (const Field& field : model_.entities[entity].fields) names.push_back(field.name);
  return names;
}

std::optional<EntityId> NameLookup::entity(const Name& name) {
  const auto found = model_.find_entity(name.text);
  if (found) return found;
  if (model_.syntax().damage.has_lost_entity) {
    mistakes_.pass_over();
  } else {
    mistakes_.tell_unknown("unknown-entity", "entity", name, entity_names());
  }
  return std::nullopt;
}

std::optional<EndId> NameLookup::end(EntityId entity, const Name& name) {
  const auto found = model_.find_end(entity, name.text);
  if (found) return found;
  const std::string& holder = model_.entities[entity].name;
  if (model_.find_field(entity, name.text)) {
    mistakes_.tell("unknown-end", name.span, name.text + " is a field of " + holder + ", not an end",
                   "name an end, which leads to other entities");
  } else if (model_.entities[entity].is_incomplete) {
    mistakes_.pass_over();
  } else {
    mistakes_.tell_unknown("unknown-end", "end of " + holder, name, end_names(entity));
  }
  return std::nullopt;
}

std::optional<int> NameLookup::side(const Relation& relation, const Name& name,
                                    const std::vector<std::string_view>& words) {
  for (const int side : {0, 1}) {
    if (relation.ends[side].name == name.text) return side;
  }
  std::vector<std::string_view> names = {relation.ends[0].name};
  if (!relation.is_symmetric) names.push_back(relation.ends[1].name);
  names.insert(names.end(), words.begin(), words.end());
  mistakes_.tell_unknown("unknown-end", "end of this relation", name, names);
  return std::nullopt;
}

void NameLookup::tell_unknown_member(EntityId entity, const Name& name) {
  if (model_.entities[entity].is_incomplete) return mistakes_.pass_over();
  std::vector<std::string_view> names = field_names(entity);
  for (const std::string_view end : end_names(entity)) names.push_back(end);
  mistakes_.tell_unknown("unknown-field", "field or end of " + model_.entities[entity].name, name, names);
}

void NameLookup::tell_unknown_field(EntityId entity, const Name& name) {
  if (model_.entities[entity].is_incomplete) return mistakes_.pass_over();
  mistakes_.tell_unknown("unknown-field", "field of " + model_.entities[entity].name, name,
                         field_names(entity));
}

}  // namespace sheaf::model

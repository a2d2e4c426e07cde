#include "model/model.h"

#include <algorithm>

namespace sheaf::model {
namespace {

template <typename T>
std::optional<size_t> find_named(const std::vector<T>& list, std::string_view name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& each) { return each.name == name; });
  if (found == list.end()) return std::nullopt;
  return static_cast<size_t>(found - list.begin());
}

}  // namespace

const Field& Model::field(EntityId entity, const FieldPath& path) const {
  for (const EndId step : path.ends) entity = end(step).target;
  return entities[entity].fields[path.field];
}

std::optional<EntityId> Model::find_entity(std::string_view name) const { return find_named(entities, name); }

std::optional<FieldId> Model::find_field(EntityId entity, std::string_view name) const {
  return find_named(entities[entity].fields, name);
}

std::optional<EndId> Model::find_end(EntityId entity, std::string_view name) const {
  for (const EndId id : entities[entity].ends) {
    if (end(id).name == name) return id;
  }
  return std::nullopt;
}

const Pattern* Model::find_pattern(std::string_view name) const {
  const std::optional<size_t> found = find_named(patterns, name);
  return found ? &patterns[*found] : nullptr;
}

const Operation* Model::find_operation(std::string_view name) const {
  const std::optional<size_t> found = find_named(operations, name);
  return found ? &operations[*found] : nullptr;
}

std::string Model::text(EntityId entity, const FieldPath& path) const {
  std::string out;
  for (const EndId step : path.ends) {
    out += end(step).name + ".";
    entity = end(step).target;
  }
  return out + entities[entity].fields[path.field].name;
}

bool Relation::has_parallel_edges() const {
  return std::any_of(edge_fields.begin(), edge_fields.end(), [](const Field& field) { return field.is_id; });
}

std::string_view Relation::edge_end_name(int side) const {
  if (!is_symmetric) return ends[side].name;
  return side == 0 ? "to" : "from";
}

bool Node::shows(const Entity& shown, FieldId field) const {
  return all_fields || shown.fields[field].is_id ||
         std::find(fields.begin(), fields.end(), field) != fields.end();
}

}  // namespace sheaf::model

#include "reference/schema.h"

#include <algorithm>

namespace sheaf::reference {
namespace {

using language::Cardinality;

Field field_of(const language::Field& syntax) {
  return {.syntax = &syntax,
          .name = syntax.name.text,
          .type = syntax.type.value_or(language::Type{}),
          .is_id = syntax.is_id,
          .is_optional = syntax.is_optional,
          .is_immutable = syntax.is_immutable,
          .is_unique = syntax.is_unique};
}

Relation relation_of(const language::Relation& syntax, size_t from, size_t to) {
  Relation relation{.syntax = &syntax, .is_symmetric = !syntax.backward};
  relation.ends[0] = {.name = syntax.forward.text,
                      .holder = from,
                      .target = to,
                      .is_many = syntax.cardinality != Cardinality::kOneToOne};
  relation.ends[1] = {.name = syntax.backward.value_or(syntax.forward).text,
                      .holder = to,
                      .target = from,
                      .is_many = syntax.cardinality == Cardinality::kManyToMany};
  for (const language::Required& required : syntax.required) {
    const bool is_first = required.end && required.end->text == syntax.forward.text;
    relation.ends[is_first ? 0 : 1].is_required = true;
  }
  for (const language::Field& field : syntax.edge_fields) relation.edge_fields.push_back(field_of(field));
  return relation;
}

}  // namespace

bool Relation::has_parallel_links() const {
  return std::any_of(edge_fields.begin(), edge_fields.end(), [](const Field& field) { return field.is_id; });
}

Schema::Schema(const language::Model& model) : model_(model) {
  for (const language::Entity& syntax : model.entities) {
    Entity entity{
        .name = syntax.name.text, .has_version = syntax.versioned, .has_timestamps = syntax.timestamps};
    for (const language::Field& field : syntax.fields) entity.fields.push_back(field_of(field));
    const auto add = [&](const char* name, language::Type::Kind kind, Field::Kept kept) {
      entity.fields.push_back({.name = name, .type = {.kind = kind}, .kept = kept});
    };
    if (syntax.timestamps) {
      add("created_at", language::Type::Kind::kTime, Field::Kept::kCreated);
      add("updated_at", language::Type::Kind::kTime, Field::Kept::kUpdated);
    }
    if (syntax.versioned) add("version", language::Type::Kind::kInt, Field::Kept::kVersion);
    entities.push_back(std::move(entity));
  }
  for (const language::Relation& syntax : model.relations) {
    const size_t from = *find_entity(syntax.from.front().text), to = *find_entity(syntax.to.front().text);
    entities[from].ends.push_back({.relation = relations.size(), .side = 0});
    if (syntax.backward) entities[to].ends.push_back({.relation = relations.size(), .side = 1});
    relations.push_back(relation_of(syntax, from, to));
  }
  for (size_t id = 0; id < entities.size(); ++id) {
    if (const auto& within = model.entities[id].within) {
      entities[id].within = find_end(id, within->text);
      relations[entities[id].within->relation].ends[entities[id].within->side].is_required = true;
    }
    for (Field& field : entities[id].fields) {
      if (field.syntax == nullptr || !field.syntax->count_of) continue;
      field.kept = Field::Kept::kCount;
      field.counted = *find_end(id, field.syntax->count_of->text);
    }
  }
}

std::optional<size_t> Schema::find_entity(std::string_view name) const {
  for (size_t id = 0; id < entities.size(); ++id) {
    if (entities[id].name == name) return id;
  }
  return std::nullopt;
}

const Field* Schema::find_field(size_t entity, std::string_view name) const {
  for (const Field& field : entities[entity].fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::optional<EndRef> Schema::find_end(size_t entity, std::string_view name) const {
  for (const EndRef ref : entities[entity].ends) {
    if (end(ref).name == name) return ref;
  }
  return std::nullopt;
}

std::vector<IdentityPart> Schema::identity(size_t entity) const {
  std::vector<IdentityPart> parts;
  if (const auto& within = entities[entity].within) {
    parts = identity(end(*within).target);
    for (IdentityPart& part : parts) part.ends.insert(part.ends.begin(), *within);
  }
  for (const Field& field : entities[entity].fields) {
    if (field.is_id) parts.push_back({.field = field.name, .type = field.type});
  }
  return parts;
}

}  // namespace sheaf::reference

// The logical half of a model, with its names looked up: entities, relations and the fields of both. Made
// from the syntax tree alone, so that the reference shares no rule with the code that it checks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax.h"

namespace sheaf::reference {

// One end of a relation. Side 0 is the end named first; the entity on the left has it, and it leads right.
struct EndRef {
  size_t relation = 0;
  int side = 0;

  bool operator==(const EndRef&) const = default;
  auto operator<=>(const EndRef&) const = default;
  EndRef other() const { return {.relation = relation, .side = 1 - side}; }
};

struct Field {
  enum class Kept : uint8_t { kNo, kCreated, kUpdated, kVersion, kCount };
  const language::Field* syntax = nullptr;  // none of the fields that timestamps and versioned add
  std::string name;
  language::Type type;
  bool is_id = false;
  bool is_optional = false;
  bool is_immutable = false;
  bool is_unique = false;
  Kept kept = Kept::kNo;
  EndRef counted;  // kCount
};

struct End {
  std::string name;
  size_t holder = 0;  // the entity that has the end
  size_t target = 0;  // the entity that it leads to
  bool is_many = false;
  bool is_required = false;
};

struct Relation {
  const language::Relation* syntax = nullptr;
  End ends[2];
  bool is_symmetric = false;
  std::vector<Field> edge_fields;

  bool has_parallel_links() const;
};

struct Entity {
  std::string name;
  std::vector<Field> fields;
  std::vector<EndRef> ends;
  std::optional<EndRef> within;
  bool has_version = false;
  bool has_timestamps = false;
};

// A part of an identity: a field, reached over the ends that `within` follows.
struct IdentityPart {
  std::vector<EndRef> ends;
  std::string field;
  language::Type type;
};

class Schema {
 public:
  // `model` has no mistakes, and outlives the schema.
  explicit Schema(const language::Model& model);

  const language::Model& model() const { return model_; }
  const End& end(EndRef ref) const { return relations[ref.relation].ends[ref.side]; }
  // The end by which a target sees the link.
  EndRef back(EndRef ref) const { return relations[ref.relation].is_symmetric ? ref : ref.other(); }
  std::optional<size_t> find_entity(std::string_view name) const;
  const Field* find_field(size_t entity, std::string_view name) const;
  std::optional<EndRef> find_end(size_t entity, std::string_view name) const;
  std::vector<IdentityPart> identity(size_t entity) const;

  std::vector<Entity> entities;
  std::vector<Relation> relations;

 private:
  const language::Model& model_;
};

}  // namespace sheaf::reference

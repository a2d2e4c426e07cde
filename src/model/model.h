// A model whose names are looked up: what there is, how it relates, and how it is read and written, whatever
// the storage. A Layout (model/layout.h) says how it is stored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language/source_text.h"
#include "language/syntax.h"

namespace sheaf::model {

// Indexes into the lists of a Model, so that parts can name each other.
using EntityId = size_t;
using RelationId = size_t;
using FieldId = size_t;  // of one entity, or of one relation's edge
inline constexpr FieldId kNoField = ~FieldId{0};

// One of the two ends of a relation: a member of `holder` that leads to `target`. The first is the one that
// is declared first (`as FIRST / SECOND`); a symmetric relation has two with one name.
struct EndId {
  RelationId relation = 0;
  int side = 0;  // 0: the first

  bool operator==(const EndId&) const = default;
  EndId other() const { return {.relation = relation, .side = 1 - side}; }
};

// Fields that operations fill themselves: timestamps and versions.
enum class Kept : uint8_t { kNo, kCreated, kUpdated, kVersion };

struct Field {
  const language::Field* syntax = nullptr;
  std::string name;
  std::string attribute;  // under which it is stored
  language::Type type;
  bool is_id = false;
  bool is_optional = false;
  std::optional<EndId> count_of;
  Kept kept = Kept::kNo;

  // Every entity has one: with it, it is there.
  bool tells_presence() const { return !is_id && !is_optional && kept == Kept::kNo && !count_of; }
  bool is_generated() const {
    return type.kind == language::Type::Kind::kUlid || type.kind == language::Type::Kind::kUuid;
  }
};

// A field reached over ends, from some entity: org.name. On an edge, the first end is one of the edge's own,
// or there is none and it is an edge field.
struct FieldPath {
  std::vector<EndId> ends;
  FieldId field = 0;

  bool operator==(const FieldPath&) const = default;
};

struct Entity {
  const language::Entity* syntax = nullptr;
  std::string name;
  std::vector<Field> fields;
  std::optional<EndId> within;
  // What a reference to it holds: the parent's identity first.
  std::vector<FieldPath> identity;
  std::vector<EndId> ends;  // its members
  // Some of its fields or ends may be missing, because of mistakes that are told.
  bool is_incomplete = false;
};

struct End {
  std::string name;
  EntityId holder = 0;
  EntityId target = 0;
  bool leads_to_many = false;
  bool is_required = false;        // of a to-one end: every holder has one
  std::optional<int64_t> average;  // how many it leads to
  std::optional<int64_t> max;      // none: unbounded, or nobody said
  bool is_unbounded = false;
};

struct Relation {
  const language::Relation* syntax = nullptr;
  language::Cardinality cardinality = language::Cardinality::kOneToMany;
  End ends[2];
  bool is_symmetric = false;
  std::vector<Field> edge_fields;
  std::optional<language::OnDelete> on_delete;

  // Whether there can be several edges between two: those that an edge field of their id tells apart.
  bool has_parallel_edges() const;
  // How edges call what an end leads to: by its name, or, if both have one, `to` and `from`.
  std::string_view edge_end_name(int side) const;
};

struct Parameter {
  const language::Parameter* syntax = nullptr;
  std::string name;
  std::optional<EntityId> entity;
  language::Type type;  // if it is no entity
  bool is_optional = false;
  bool is_unknown = false;  // its type could not be found
};

// What a path in a pattern or operation leads to.
struct Place {
  enum class Kind : uint8_t { kField, kEdgeField, kEntity, kParameter, kInside };
  Kind kind = Kind::kField;
  std::vector<EndId> ends;  // walked first
  FieldId field = 0;        // kField, kInside: of the entity that the ends lead to; kEdgeField: of the edge
  std::vector<std::string> inside;  // kInside, and perhaps kEdgeField: names inside the field's value
  language::Type type;              // of what is there; not for kEntity
};

// A literal, a parameter, or what a path from a parameter that is an entity leads to.
struct Operand {
  const language::Operand* syntax = nullptr;
  std::optional<size_t> parameter;  // none: a literal
  std::optional<Place> place;       // from the entity that the parameter is
};

struct Condition {
  const language::Condition* syntax = nullptr;
  Place place;
  // One an operand: the parameter, if it is one.
  std::vector<std::optional<size_t>> parameters;
  std::vector<Operand> operands;  // the same ones, with their places
};

struct Node;

struct Nested {
  const language::Selection* syntax = nullptr;
  EndId end;
  int64_t depth = 1;
  std::unique_ptr<Node> node;
};

struct AggregateField {
  const language::Selection* syntax = nullptr;
  std::string name;
  EndId over;                   // the end whose entities are counted or summed
  std::vector<Place> operands;  // of the expression, in order; from the entity that `over` leads to
};

// Entities of one kind in a document, and what of them is wanted.
struct Node {
  EntityId entity = 0;
  std::optional<EndId> reached_by;  // if edge fields can be wanted
  bool all_fields = false;
  std::vector<FieldId> fields;
  std::vector<Nested> nested;
  std::vector<AggregateField> aggregates;
  std::vector<Condition> where;
  std::vector<Condition> filter;
  std::optional<std::pair<Place, language::Direction>> order;
  std::optional<int64_t> limit;
  std::optional<int64_t> page;

  // Whether documents show a field of the entity; ids always are.
  bool shows(const Entity& shown, FieldId field) const;
};

struct Pattern {
  const language::Pattern* syntax = nullptr;
  std::string name;
  std::vector<Parameter> parameters;
  bool one = false;
  std::optional<size_t> start;  // the parameter; none: all entities of the kind that `where` finds
  std::vector<std::pair<EndId, int64_t>> steps;  // with their depth
  Node node;
};

struct Write {
  const language::Write* syntax = nullptr;
  size_t parameter = 0;       // whose entity is written
  std::vector<Place> places;  // set, add, remove: what; link, unlink: the end
  // set, add: of the expression that each place gets, in order; empty for ends.
  std::vector<std::vector<Operand>> expressions;
  std::vector<Operand> edge_values;   // link: one a value, in the order of the syntax
  std::vector<size_t> linked;         // link, unlink, set of an end: the parameter
  std::vector<Condition> conditions;  // check
};

struct Operation {
  const language::Operation* syntax = nullptr;
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Write> writes;
};

class Model {
 public:
  explicit Model(language::Model syntax) : syntax_(std::make_unique<language::Model>(std::move(syntax))) {}

  // What it was made from; everything else points into it.
  const language::Model& syntax() const { return *syntax_; }
  const std::string& name() const { return syntax_->name.text; }

  const End& end(EndId id) const { return relations[id.relation].ends[id.side]; }
  // That leads back from what an end leads to: the other one, or, of a symmetric relation, the only one.
  EndId back(EndId end) const {
    return relations[end.relation].is_symmetric ? EndId{.relation = end.relation} : end.other();
  }
  const Field& field(EntityId entity, const FieldPath& path) const;
  std::optional<EntityId> find_entity(std::string_view name) const;
  std::optional<FieldId> find_field(EntityId entity, std::string_view name) const;
  std::optional<EndId> find_end(EntityId entity, std::string_view name) const;
  const Pattern* find_pattern(std::string_view name) const;
  const Operation* find_operation(std::string_view name) const;
  // As people write it: org.name.
  std::string text(EntityId entity, const FieldPath& path) const;

  std::vector<Entity> entities;
  std::vector<Relation> relations;
  std::vector<Pattern> patterns;
  std::vector<Operation> operations;
  std::vector<std::string> refused;  // patterns with mistakes, by name

 private:
  std::unique_ptr<language::Model> syntax_;
};

}  // namespace sheaf::model

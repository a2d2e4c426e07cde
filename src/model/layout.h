// How a model is stored: tables, indexes, and for each entity and relation which items there are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax.h"
#include "model/key_template.h"
#include "model/model.h"

namespace sheaf::model {

struct KeyAttribute {
  std::string name;
  language::Type::Kind type = language::Type::Kind::kString;  // or kNumber, kBinary
};

struct Index {
  std::string name;
  KeyAttribute pk;
  std::optional<KeyAttribute> sk;
  language::Gsi::Projection projection = language::Gsi::Projection::kAll;
  std::vector<std::string> included;
  // Its keys are the table's own, the other way round: it holds every item, and needs no index lines.
  bool is_over_table_keys = false;
  bool is_allocated = false;  // nobody wrote it down
};

struct Table {
  std::string name;
  KeyAttribute pk;
  std::optional<KeyAttribute> sk;
  std::optional<std::string> tag;
  std::optional<std::string> ttl;
  std::vector<Index> indexes;
  bool is_allocated = false;
  language::Span span;  // of its name, if it is written down

  std::optional<size_t> find_index(std::string_view name) const;
};

struct IndexEntry {
  size_t index = 0;  // of the table
  KeyTemplate pk;
  std::optional<KeyTemplate> sk;
  std::vector<Condition> when;
  language::Span span;
};

inline constexpr std::string_view kValueAttribute = "value";

// One kind of item: an entity's, or a relation's edges.
struct ItemKind {
  std::optional<EntityId> entity;
  std::optional<RelationId> relation;
  std::string name;  // for people: the entity, or Entity.end
  size_t table = 0;
  std::string tag;
  language::Store store = language::Store::kItem;
  KeyTemplate pk;
  std::optional<KeyTemplate> sk;
  std::vector<IndexEntry> entries;
  // Of edges with two items a pair: the end along which these are read. They hold copies of what it leads to.
  std::optional<int> leads;
  // Of an entity that is stored field by field: the field that is never missing, whose item tells that it is
  // there.
  std::optional<FieldId> anchor;
  bool is_allocated = false;  // its key
  language::Span span;        // of its key, or of its name

  // An item for each field, which holds its value as kValueAttribute.
  bool is_by_field() const { return store == language::Store::kEav; }
  // Whether edges have room for copies of what an end leads to.
  bool holds_copies(int side) const { return !leads || *leads == side; }
  // Whether the primary key holds the value, so that it is not stored again.
  bool holds_in_key(const HoleSource& source) const;
};

struct CopiedFields {
  int side = 0;  // the end that leads to the source
  std::vector<FieldId> fields;
  language::Span span;
};

// Where it is written down that two entities are related, as the holder of one of the ends sees it.
enum class EndStorage : uint8_t {
  kReference,  // the holder's item has the id of the one that it leads to
  kIds,        // the holder's item has a list of ids
  kOther,      // the items that it leads to name the holder
  kEdge,       // an item of its own
  kEmbeds,     // what it leads to lies in the holder's item
  kEmbedded,   // the holder lies in the item of the one that it leads to
  kEntries,    // the holder's item has an entry for each, with its id, copies and the fields of the edge
};

class Strategy;

struct StoredRelation {
  RelationId relation = 0;
  const Strategy* strategy = nullptr;
  bool is_chosen = false;  // by Sheaf: nobody said, or said auto
  std::string reason;      // why, if so
  language::Via::EmbedAs embed_as = language::Via::EmbedAs::kUnsaid;
  std::optional<size_t> index;      // kIndex: of the many entity's table
  std::optional<int> ids_side;      // kIds: the end whose holder keeps them
  bool both_directions = false;     // kEdges: a second item a pair
  std::optional<int> pk_side;       // kEdges: the end whose target is the partition
  std::optional<size_t> edge_kind;  // in item_kinds
  std::optional<size_t> twin_kind;  // both_directions: of those in the partition of the other end's target
  std::vector<CopiedFields> copies;
  language::Span span;
};

struct LayoutClauses;

struct Layout {
  std::string name;
  // What the conditions of its index lines point into. Shared: all layouts are read together, and can be
  // copied.
  std::shared_ptr<const std::vector<LayoutClauses>> clauses;
  std::vector<Table> tables;
  std::vector<ItemKind> item_kinds;
  std::vector<std::optional<size_t>> kind_of_entity;  // one an entity; none: it has no items (embedded)
  std::vector<StoredRelation> relations;              // one a relation
  bool is_sound = false;                              // nothing is wrong with it

  const ItemKind* kind(EntityId entity) const {
    return kind_of_entity[entity] ? &item_kinds[*kind_of_entity[entity]] : nullptr;
  }
  bool has_items(EntityId entity) const { return kind(entity) != nullptr; }
  bool is_by_field(EntityId entity) const { return has_items(entity) && kind(entity)->is_by_field(); }

  // The kind of the edges that lead along an end which is stored as edges.
  size_t edge_kind(EndId end) const;
  EndStorage storage(EndId end) const;
  bool is_edge(EndId end) const { return storage(end) == EndStorage::kEdge; }
  bool is_embedded(EndId end) const {
    return storage(end) == EndStorage::kEmbeds || storage(end) == EndStorage::kEmbedded;
  }
  // Whether the holder's own item says whom it leads to.
  bool is_named(EndId end) const {
    const EndStorage how = storage(end);
    return how == EndStorage::kReference || how == EndStorage::kIds || how == EndStorage::kEntries;
  }
  // Whether each of the two names the other.
  bool is_mutual(EndId end) const { return is_named(end) && is_named(end.other()); }
  // The end of a relation whose holder's item names the other.
  EndId naming_end(EndId end) const { return is_named(end) ? end : end.other(); }
  // The end by which an entity lies in its parent's item, seen from the parent; none if it does not.
  std::optional<EndId> embedding_end(const Model& model, EntityId entity) const;

  // Whether fields of an entity, or this one, are copied somewhere.
  bool is_copied(const Model& model, EntityId entity, std::optional<FieldId> field = std::nullopt) const;
  // An entity whose fields are copied has a version, too.
  bool has_version(const Model& model, EntityId entity) const;
};

inline constexpr std::string_view kDefaultLayout = "default";

}  // namespace sheaf::model

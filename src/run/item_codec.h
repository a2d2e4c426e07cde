// Entities and edges to items of a layout, and back.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/record.h"

namespace sheaf::run {

class ItemCodec {
 public:
  ItemCodec(const model::Model& model, const model::Layout& layout) : model_(model), layout_(layout) {}

  // The whole item: keys, index keys, tag, fields, references, copies. Of an edge in both directions: the one
  // that leads as it says.
  Result<Item> encode(const Record& record) const;
  Result<Item> encode(const Edge& edge) const;
  // What is stored of it: that item, or one for each field.
  Result<std::vector<Item>> items(const Record& record) const;
  // An edge as its items, or the entries on others' items, have it: once, or once for each direction.
  std::vector<Edge> directions(const Edge& edge) const;
  // Of which kind in the layout the item of one of these is.
  size_t item_kind(const Edge& edge) const;

  // What an item of this table is: the tag says so, or else the only key template that fits. Nothing if none
  // explains it: the item is foreign. `is_partial`: it comes from an index that may not hold the tag.
  std::optional<std::variant<Record, Edge>> decode(size_t table, ItemView item,
                                                   bool is_partial = false) const;

  // The keys of the indexes that a change of these fields and references touches, from what `record` has;
  // those of indexes that it leaves are `gone`.
  Result<void> encode_changed_keys(const Record& record, const std::set<model::FieldId>& fields,
                                   const std::set<model::EndId, EndOrder>& ends, Fields& attributes,
                                   std::set<std::string>& gone) const;
  // When it expires, as the table wants it.
  void encode_expiry(const Record& record, const model::Table& table, Fields& attributes) const;

  // The primary key of an entity whose identity gives it.
  Result<Item> key(model::EntityId entity, const Identity& identity) const;

 private:
  using Values = std::vector<std::string>;

  bool is_stored_so(const model::KeyTemplate& key, const model::KeyAttribute& attribute) const;
  Result<void> encode_keys(const model::ItemKind& kind, Fields& attributes,
                           const std::function<std::optional<std::string>(const model::Hole&)>& value,
                           const Record* record) const;
  // Under which attribute an edge has a part of the identity of one of the two.
  static std::string edge_reference(const model::Relation& relation, int side, const std::string& part);
  // Of an entity that is stored field by field.
  const model::Field& anchor(model::EntityId entity) const;
  void encode_embedded(const Record& record, Fields& attributes) const;
  std::optional<std::string> hole_value(const Record& record, const model::Hole& hole) const;
  std::optional<std::string> hole_value(const Edge& edge, const model::Hole& hole) const;
  std::optional<Record> decode_entity(const model::ItemKind& kind, ItemView item, bool is_partial) const;
  std::optional<Record> decode_field(const model::ItemKind& kind, ItemView item) const;
  std::optional<Edge> decode_edge(const model::ItemKind& kind, ItemView item, bool is_partial) const;
  std::optional<std::vector<std::pair<model::HoleSource, std::string>>> decode_keys(
      const model::ItemKind& kind, ItemView item, bool is_partial) const;

  const model::Model& model_;
  const model::Layout& layout_;
};

// An item of these attributes; its values may be nested deeper than what is stored.
Item item_of(const Fields& attributes);

// Documents hold items in lists in documents; their depth is bounded by what patterns nest.
inline constexpr int kDocumentNestingMax = 1000;
// kInvalid if a value is too deep for an item in which it lies below this many others.
Result<void> check_nesting(const Value& value, int levels_above);

}  // namespace sheaf::run

// Entities that are stored field by field. All else sees such an entity as one item, with the key of the
// field that is never missing, its anchor; here that item is taken apart, and put together again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/database.h"

#include "model/layout.h"
#include "model/model.h"
#include "run/item_change.h"

namespace sheaf::run {

// The key of one of its items, from that of any.
Item field_key(const model::Table& table, const model::ItemKind& kind, ItemView item,
               std::string_view attribute);
const model::Field* field_named(const model::Entity& entity, std::string_view attribute);
// Which attribute an item of it holds; nothing if the model has none of that name.
const model::Field* field_of(const model::Model& model, const model::Table& table,
                             const model::ItemKind& kind, ItemView item);

// The items that the whole consists of.
std::vector<Item> field_items(const model::Model& model, const model::Table& table,
                              const model::ItemKind& kind, ItemView whole);
// Adds an item to the whole. It is one when its anchor is there.
void join_field(const model::Model& model, const model::Table& table, const model::ItemKind& kind,
                ItemView item, Item& whole);
bool is_whole(const model::Model& model, const model::ItemKind& kind, ItemView item);

struct FieldChangeOptions {
  bool may_be_marked = false;  // its deletion may wait for others, and then its anchor says so
  bool is_first_try = true;
};

// What becomes of each of its items, from what becomes of the whole.
void change_fields(const model::Model& model, const model::Table& table, const model::ItemKind& kind,
                   const ItemChange& whole, const FieldChangeOptions& options, Transaction& transaction);

}  // namespace sheaf::run

// The items that sample data becomes in a layout, and the order in which a table or an index has them.
#pragma once

#include <string>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "draw/grid.h"
#include "model/layout.h"
#include "model/model.h"
#include "plan/plan.h"
#include "run/data_file.h"

namespace sheaf::draw {

struct StoredItem {
  size_t kind = 0;  // of the layout's item_kinds
  Item item;
};

// What is drawn. Borrows the model and the layout.
struct Subject {
  const model::Model& model;
  const model::Layout& layout;
  bool has_items = false;  // there is sample data
  std::vector<StoredItem> items;
  bool shows_all = false;    // system attributes, too
  std::vector<Item> guards;  // if all is shown
};

// Errors: what the data lacks for its keys.
Result<std::vector<StoredItem>> stored_items(const model::Model& model, const model::Layout& layout,
                                             const run::Data& data);

// Without what entries of lists keep for the system: where system attributes are not shown.
void hide_system_values(const model::Model& model, const model::Layout& layout,
                        std::vector<StoredItem>& items);

struct Partition {
  Value key;
  std::vector<size_t> items;  // of the subject, in the order of their sort keys
};

// The partitions of a table or an index. Those of entities come in the order in which the model declares
// these, then those that hold edges alone; beyond that they are sorted by their keys.
std::vector<Partition> partitions(const Subject& subject, const plan::View& view);

// The attributes by which a view is keyed; `sort` is null if it has no sort key.
struct ViewKeys {
  const model::KeyAttribute* partition = nullptr;
  const model::KeyAttribute* sort = nullptr;
};
ViewKeys keys_of(const model::Layout& layout, const plan::View& view);

// "table app", "index app.GSI1"
std::string name_of(const model::Layout& layout, const plan::View& view);

// All views of a layout: each table, followed by its indexes.
std::vector<plan::View> views(const model::Layout& layout);

// What the item shows in the view beside the view's own keys: names in the order of attribute_uses. Only what
// the index projects, and no system attributes unless all are asked for.
std::vector<std::string> shown_attributes(const Subject& subject, const StoredItem& item,
                                          const plan::View& view);

// A value for people: texts without quotes, others as JSON. Of very long ones the beginning.
std::string value_text(ValueView value);

// The colour of a kind of items; entities have their own even where they have no items.
Hue hue_of(const model::Model& model, const model::ItemKind& kind);

}  // namespace sheaf::draw

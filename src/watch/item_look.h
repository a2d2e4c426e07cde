// What one item tells of limits: of which kind it is, how large, how much lies in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

#include "watch/key_names.h"
#include "watch/watcher.h"

namespace sheaf::watch {

struct EmbeddedCount {
  std::string relation;  // Customer.addresses
  size_t count = 0;
};

// Ids or entries. How many are few is said of children: a list of ids may well be longer, and what it may be
// the model declares.
struct ListedCount {
  std::string relation;  // User.friends
  size_t count = 0;
  int64_t max = 0;  // that the model declares
};

struct ItemLook {
  Subject subject;  // of the item
  Item key;
  int64_t bytes = 0;
  int64_t sort_key_bytes = 0;           // 0: it has no sort key
  std::vector<EmbeddedCount> embedded;  // children in it, by relation
  std::vector<ListedCount> listed;      // of relations with a declared max
};

// `item` has all its attributes.
ItemLook look_at(const KeyNames& names, const TableDescription& table, ItemView item);

// The attributes of a key that `item` has.
Item key_of_item(const KeySchema& key, ItemView item);
Item partition_of_item(const KeySchema& key, ItemView item);
// Of the text or binary, or of the number as text; 0 if there is none.
int64_t sort_key_bytes(const KeySchema& key, ItemView item);

}  // namespace sheaf::watch

// Items for a terminal: as a table, as item collections, or one below the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheaf/table.h"
#include "sheaf/value.h"

namespace sheaf::console {

struct Look {
  size_t columns = 80;
  bool has_colour = false;
};

enum class ItemForm : uint8_t {
  kTable,        // a column for each attribute; of items that have the same ones
  kCollections,  // items of a partition beside each other's keys, each with its own attributes
  kList,         // attribute by attribute
};

// The table, if its columns are readable in that width and most of its cells are filled; else collections.
ItemForm fitting_form(const std::vector<Item>& items, const KeySchema& key, const Look& look);

// In the order given; items with the same partition key that follow each other show it once. No line is wider
// than the look, except where not even the narrowest columns fit, and in lists. Ends with a line's end.
std::string drawn(const std::vector<Item>& items, const KeySchema& key, ItemForm form, const Look& look);

// Rows of texts below heads, fitted to the width: longer ones end in …
struct DrawnColumn {
  std::string head;
  std::vector<std::string> cells;  // any bytes
  bool is_right = false;
  bool is_key = false;
};
std::string drawn_columns(std::vector<DrawnColumn> columns, const Look& look);

}  // namespace sheaf::console

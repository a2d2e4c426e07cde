#include "draw/side_by_side.h"

#include <algorithm>
#include <map>

#include "draw/attribute_uses.h"

namespace sheaf::draw {
namespace {

enum class AttributeColumns : uint8_t { kEach, kOne };

// One side of the pair.
class OneOrder {
 public:
  // `hidden`: attributes to leave out.
  OneOrder(const Subject& subject, const plan::View& view, const std::vector<std::string>& hidden)
      : subject_(subject), keys_(keys_of(subject.layout, view)) {
    partitions_ = partitions(subject, view);
    for (const Partition& partition : partitions_) {
      for (const size_t item : partition.items) {
        std::vector<std::string> names = shown_attributes(subject, subject.items[item], view);
        std::erase_if(names, [&](const std::string& name) {
          return std::find(hidden.begin(), hidden.end(), name) != hidden.end();
        });
        for (const std::string& name : names) {
          if (std::find(columns_.begin(), columns_.end(), name) == columns_.end()) columns_.push_back(name);
        }
        attributes_[item] = std::move(names);
      }
    }
  }

  const std::vector<Partition>& all_partitions() const { return partitions_; }

  // `numbers`: of the items. They stand where the other side is.
  Grid grid(const std::map<size_t, size_t>& numbers, AttributeColumns attributes, bool is_left) const {
    Grid grid;
    const size_t key_columns = keys_.sort == nullptr ? 1 : 2;
    const size_t attribute_columns = attributes == AttributeColumns::kEach ? columns_.size()
                                     : columns_.empty()                    ? 0
                                                                           : 1;
    const size_t first = is_left ? 0 : 1;
    const size_t number_column = is_left ? key_columns + attribute_columns : 0;
    grid.add(header_cell(0, number_column, "#"));
    grid.add(header_cell(0, first, keys_.partition->name));
    if (keys_.sort != nullptr) grid.add(header_cell(0, first + 1, keys_.sort->name));
    for (size_t i = 0; i < attribute_columns; ++i) {
      grid.add(header_cell(0, first + key_columns + i,
                           attributes == AttributeColumns::kEach ? columns_[i] : "Attributes"));
    }
    grid.header_rows = 1;
    for (const Partition& partition : partitions_) {
      const size_t first_row = grid.rows;
      for (const size_t item : partition.items) {
        const StoredItem& stored = subject_.items[item];
        const size_t row = grid.rows;
        grid.add({.row = row,
                  .column = number_column,
                  .role = Cell::Role::kMark,
                  .hue = hue_of(subject_.model, subject_.layout.item_kinds[stored.kind]),
                  .lines = {{.text = std::to_string(numbers.at(item)), .style = TextStyle::kStrong}}});
        if (keys_.sort != nullptr) grid.add(value_cell(row, first + 1, *stored.item.find(keys_.sort->name)));
        if (attribute_columns > 0) add_attributes(grid, row, first + key_columns, item, attributes);
      }
      grid.add({.row = first_row,
                .column = first,
                .rows = grid.rows - first_row,
                .role = Cell::Role::kPartition,
                .lines = {{.text = value_text(partition.key), .style = TextStyle::kCode}}});
    }
    return grid;
  }

 private:
  static Cell value_cell(size_t row, size_t column, ValueView value) {
    Cell cell = plain_cell(row, column, value_text(value), TextStyle::kCode);
    cell.role = Cell::Role::kValue;
    return cell;
  }

  void add_attributes(Grid& grid, size_t row, size_t column, size_t item, AttributeColumns attributes) const {
    const StoredItem& stored = subject_.items[item];
    const std::vector<std::string>& names = attributes_.at(item);
    if (attributes == AttributeColumns::kOne) {
      Cell cell{.row = row, .column = column, .role = Cell::Role::kValue};
      for (const std::string& name : names)
        cell.lines.push_back(
            {.text = name + ": " + value_text(*stored.item.find(name)), .style = TextStyle::kCode});
      return grid.add(std::move(cell));
    }
    for (const std::string& name : columns_) {
      const bool has_it = std::find(names.begin(), names.end(), name) != names.end();
      grid.add(has_it ? value_cell(row, column, *stored.item.find(name))
                      : Cell{.row = row, .column = column, .role = Cell::Role::kEmpty});
      ++column;
    }
  }

  const Subject& subject_;
  const ViewKeys keys_;
  std::vector<Partition> partitions_;
  std::vector<std::string> columns_;                       // all that any item has
  std::map<size_t, std::vector<std::string>> attributes_;  // by item
};

// What both sides leave out: keys, which the other side or another index has, unless they are fields as well.
std::vector<std::string> key_names(const Subject& subject, const plan::View& view) {
  std::vector<std::string> names;
  for (const ViewKeys& keys :
       {keys_of(subject.layout, {.table = view.table}), keys_of(subject.layout, view)}) {
    names.push_back(keys.partition->name);
    if (keys.sort != nullptr) names.push_back(keys.sort->name);
  }
  for (const model::ItemKind& kind : subject.layout.item_kinds) {
    for (const AttributeUse& use : attribute_uses(subject.model, subject.layout, kind)) {
      if (kind.table == view.table && use.kind == AttributeUse::Kind::kIndexKey)
        names.push_back(use.attribute);
    }
  }
  return names;
}

}  // namespace

Section side_by_side(const Subject& subject, const plan::View& view, const Fits& fits) {
  const plan::View base{.table = view.table};
  const std::vector<std::string> hidden = key_names(subject, view);
  const OneOrder table(subject, base, hidden);
  const OneOrder index(subject, view, hidden);
  std::map<size_t, size_t> numbers;
  for (const Partition& partition : table.all_partitions()) {
    for (const size_t item : partition.items) numbers.emplace(item, numbers.size() + 1);
  }
  GridPair pair;
  size_t right_row = 1;  // below the header
  for (const Partition& partition : index.all_partitions()) {
    for (const size_t item : partition.items) {
      pair.links.push_back(
          {.left_row = numbers.at(item),
           .right_row = right_row++,
           .hue = hue_of(subject.model, subject.layout.item_kinds[subject.items[item].kind])});
    }
  }
  for (const AttributeColumns attributes : {AttributeColumns::kEach, AttributeColumns::kOne}) {
    pair.left = table.grid(numbers, attributes, true);
    pair.right = index.grid(numbers, attributes, false);
    if (fits.pair(pair)) break;
  }
  Section section{.title = "Table " + subject.layout.tables[view.table].name + " beside its index " +
                           subject.layout.tables[view.table].indexes[*view.index].name,
                  .note = std::to_string(pair.links.size()) + " of " + std::to_string(numbers.size()) +
                          " items are in the index"};
  for (const model::ItemKind& kind : subject.layout.item_kinds) {
    const bool is_there = std::any_of(numbers.begin(), numbers.end(), [&](const auto& each) {
      return &subject.layout.item_kinds[subject.items[each.first].kind] == &kind;
    });
    if (is_there) section.legend.push_back({.name = kind.name, .hue = hue_of(subject.model, kind)});
  }
  section.body = std::move(pair);
  return section;
}

}  // namespace sheaf::draw

#include "draw/collections.h"

#include <algorithm>

namespace sheaf::draw {
namespace {

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

class CollectionGrid {
 public:
  CollectionGrid(const Subject& subject, const plan::View& view)
      : subject_(subject), view_(view), keys_(keys_of(subject.layout, view)) {
    partitions_ = partitions(subject, view);
    for (const Partition& partition : partitions_) {
      for (const size_t item : partition.items) {
        attributes_.push_back(shown_attributes(subject, subject.items[item], view));
        attributes_max_ = std::max(attributes_max_, attributes_.back().size());
      }
    }
  }

  size_t attributes_max() const { return attributes_max_; }
  size_t item_count() const { return attributes_.size(); }
  const std::vector<Partition>& all_partitions() const { return partitions_; }

  Grid grid(size_t across) const {
    Grid grid;
    const size_t key_columns = keys_.sort == nullptr ? 1 : 2;
    grid.add(header_cell(0, 0, view_.index ? "Index key" : "Primary key", key_columns));
    grid.add(header_cell(1, 0, keys_.partition->name));
    if (keys_.sort != nullptr) grid.add(header_cell(1, 1, keys_.sort->name));
    if (across > 0) {
      Cell cell = header_cell(0, key_columns, "Attributes", across);
      cell.rows = 2;
      grid.add(std::move(cell));
    }
    grid.header_rows = 2;
    size_t number = 0;
    for (const Partition& partition : partitions_) {
      const size_t first_row = grid.rows;
      for (const size_t item : partition.items)
        add_item(grid, subject_.items[item], attributes_[number++], across, key_columns);
      grid.add({.row = first_row,
                .rows = grid.rows - first_row,
                .role = Cell::Role::kPartition,
                .hue = keys_.sort == nullptr && partition.items.size() == 1
                           ? std::optional(hue(subject_.items[partition.items.front()]))
                           : std::nullopt,
                .lines = {{.text = value_text(partition.key), .style = TextStyle::kCode}}});
    }
    return grid;
  }

 private:
  Hue hue(const StoredItem& item) const {
    return hue_of(subject_.model, subject_.layout.item_kinds[item.kind]);
  }

  void add_item(Grid& grid, const StoredItem& item, const std::vector<std::string>& names, size_t across,
                size_t key_columns) const {
    const size_t first_row = grid.rows;
    const size_t rows = across == 0 ? 1 : std::max<size_t>(1, (names.size() + across - 1) / across);
    for (size_t i = 0; i < names.size(); ++i) {
      grid.add({.row = first_row + i / across,
                .column = key_columns + i % across,
                .role = Cell::Role::kAttribute,
                .hue = hue(item),
                .lines = {{.text = names[i], .style = TextStyle::kName},
                          {.text = value_text(*item.item.find(names[i])), .style = TextStyle::kCode}}});
    }
    if (rows * across > names.size()) {
      const size_t used = across - (rows * across - names.size());
      grid.add({.row = first_row + rows - 1,
                .column = key_columns + used,
                .columns = across - used,
                .role = Cell::Role::kEmpty});
    }
    if (keys_.sort == nullptr) {
      grid.rows = std::max(grid.rows, first_row + rows);
      return;
    }
    grid.add({.row = first_row,
              .column = 1,
              .rows = rows,
              .role = Cell::Role::kMark,
              .hue = hue(item),
              .lines = {{.text = value_text(*item.item.find(keys_.sort->name)), .style = TextStyle::kCode}}});
  }

  const Subject& subject_;
  const plan::View view_;
  const ViewKeys keys_;
  std::vector<Partition> partitions_;
  std::vector<std::vector<std::string>> attributes_;  // one an item, in the order in which they are drawn
  size_t attributes_max_ = 0;
};

std::string note(const Subject& subject, const plan::View& view, const CollectionGrid& grid) {
  const std::string here = counted(grid.all_partitions().size(), "partition", "partitions") + ", " +
                           counted(grid.item_count(), "item", "items");
  if (!view.index) return here;
  const size_t in_table = static_cast<size_t>(std::count_if(
      subject.items.begin(), subject.items.end(),
      [&](const StoredItem& item) { return subject.layout.item_kinds[item.kind].table == view.table; }));
  if (in_table == grid.item_count()) return here + ": all that the table has";
  return here + " of the table's " + std::to_string(in_table) + ": the others have no index key";
}

std::vector<LegendEntry> legend(const Subject& subject, const CollectionGrid& grid) {
  std::vector<bool> is_there(subject.layout.item_kinds.size(), false);
  for (const Partition& partition : grid.all_partitions()) {
    for (const size_t item : partition.items) is_there[subject.items[item].kind] = true;
  }
  std::vector<LegendEntry> entries;
  for (size_t kind = 0; kind < is_there.size(); ++kind) {
    if (!is_there[kind]) continue;
    entries.push_back({.name = subject.layout.item_kinds[kind].name,
                       .hue = hue_of(subject.model, subject.layout.item_kinds[kind])});
  }
  return entries;
}

}  // namespace

Section collections(const Subject& subject, const plan::View& view, const Fits& fits) {
  const CollectionGrid collection(subject, view);
  Section section{.title = "Item collections of " + name_of(subject.layout, view),
                  .note = note(subject, view, collection),
                  .legend = legend(subject, collection)};
  for (size_t across = collection.attributes_max();; --across) {
    Grid grid = collection.grid(across);
    if (across > 1 && !fits.grid(grid)) continue;
    section.body = std::move(grid);
    return section;
  }
}

}  // namespace sheaf::draw

#include "lint/item_shapes.h"

#include <algorithm>

namespace sheaf::lint {
namespace {

constexpr size_t kLargestItems = 5;
// Names of attributes may be values, one for each item.
constexpr size_t kListNamesMax = 1000;

void take_most(MostOf& most, const std::string& what, const std::string& key, int64_t amount) {
  if (amount > most.amount) most = {.what = what, .key = key, .amount = amount};
}

bool has_more(const MostOf& one, const MostOf& other) { return one.amount > other.amount; }

}  // namespace

ItemShapes::ItemShapes(std::vector<IndexShape> indexes) {
  for (IndexShape& each : indexes) indexes_.push_back({.figures = {.shape = std::move(each)}});
}

void ItemShapes::add(const ItemShape& item) {
  if (largest_.size() < kLargestItems || item.bytes > largest_.back().amount) {
    largest_.push_back({.key = item.key, .amount = item.bytes});
    std::stable_sort(largest_.begin(), largest_.end(), has_more);
    if (largest_.size() > kLargestItems) largest_.pop_back();
  }
  take_most(longest_sort_, "", item.key, item.sort_bytes);
  for (const ItemShape::List& list : item.lists) {
    if (lists_.size() < kListNamesMax || lists_.contains(list.attribute))
      take_most(lists_[list.attribute], list.attribute, item.key, list.entries);
  }
  for (const ItemShape::IndexKey& each : item.indexes) {
    Index& index = indexes_[each.index];
    ++index.figures.items;
    if (static_cast<int64_t>(index.partitions.size()) < kIndexKeysMax)
      index.partitions.insert(each.partition);
    if (index.figures.example.empty()) index.figures.example = each.partition;
    take_most(index.figures.longest_sort, index.figures.shape.name, item.key, each.sort_bytes);
    for (const ItemShape::IndexKey& other : item.indexes) {
      if (other.index != each.index) index.figures.beside.insert(other.index);
    }
  }
}

ShapeFigures ItemShapes::figures() const {
  ShapeFigures out{.largest_items = largest_, .longest_sort = longest_sort_};
  for (const auto& [name, most] : lists_) out.longest_lists.push_back(most);
  std::stable_sort(out.longest_lists.begin(), out.longest_lists.end(), has_more);
  for (const Index& each : indexes_) {
    out.indexes.push_back(each.figures);
    out.indexes.back().partitions = static_cast<int64_t>(each.partitions.size());
  }
  return out;
}

}  // namespace sheaf::lint

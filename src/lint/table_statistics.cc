#include "lint/table_statistics.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace sheaf::lint {
namespace {

constexpr size_t kLargestMax = 10;
// More would be no kinds any more.
constexpr size_t kKindsMax = 50;

// Of all attributes that one of the two has, those that both have.
double likeness(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::vector<std::string> both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  const size_t all = one.size() + other.size() - both.size();
  return all == 0 ? 1 : static_cast<double>(both.size()) / static_cast<double>(all);
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr size_t kShown = 3;
  std::string out;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.empty()) return "items without attributes";
  return "items with " + out + (names.size() > kShown ? ", .." : "");
}

}  // namespace

bool has_type_prefix(std::string_view sort_key) {
  constexpr std::string_view kSeparators = "#:|/~";
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  // #ORDER#..: what sorts before others.
  while (!sort_key.empty() && kSeparators.find(sort_key.front()) != std::string_view::npos)
    sort_key.remove_prefix(1);
  size_t end = 0;
  while (end < sort_key.size() && (is_letter(sort_key[end]) || sort_key[end] == '_' || sort_key[end] == '-'))
    ++end;
  if (end == 0 || !is_letter(sort_key.front())) return false;
  if (end < sort_key.size()) return kSeparators.find(sort_key[end]) != std::string_view::npos;
  // A word alone is a type if it is written as one: METADATA, __root__.
  return std::none_of(sort_key.begin(), sort_key.end(),
                      [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; });
}

bool LargestPartitions::has_room_for(int64_t items, int64_t bytes) const {
  return by_bytes_.size() < kLargestMax || bytes > by_bytes_.back().bytes || items > by_items_.back().items;
}

void LargestPartitions::add(const PartitionFigures& partition) {
  const auto insert = [&](std::vector<PartitionFigures>& sorted, auto larger) {
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), partition, larger), partition);
    if (sorted.size() > kLargestMax) sorted.pop_back();
  };
  insert(by_bytes_, [](const auto& one, const auto& other) { return one.bytes > other.bytes; });
  insert(by_items_, [](const auto& one, const auto& other) { return one.items > other.items; });
}

std::vector<PartitionFigures> LargestPartitions::all() const {
  std::vector<PartitionFigures> all = by_bytes_;
  for (const PartitionFigures& each : by_items_) {
    const auto is_it = [&](const PartitionFigures& other) { return other.key == each.key; };
    if (std::none_of(by_bytes_.begin(), by_bytes_.end(), is_it)) all.push_back(each);
  }
  return all;
}

double TableStatistics::percent_read() const {
  if (is_whole) return 100;
  if (items_of_table <= 0) return 0;
  return std::min(100.0, 100 * static_cast<double>(items) / static_cast<double>(items_of_table));
}

size_t TableSample::kind_of(const ItemFigures& item) {
  for (size_t i = 0; i < kinds_.size(); ++i) {
    const bool is_alike = item.type.empty() && kinds_[i].type.empty()
                              ? likeness(kinds_[i].attributes, item.attributes) >= 0.5
                              : kinds_[i].type == item.type;
    if (is_alike) return i;
  }
  if (kinds_.size() == kKindsMax) return kKindsMax - 1;
  kinds_.push_back({.figures = {.name = item.type.empty() ? names_text(item.attributes) : item.type},
                    .type = item.type,
                    .attributes = item.attributes});
  return kinds_.size() - 1;
}

void TableSample::add(const ItemFigures& item) {
  ++items_;
  bytes_ += item.bytes;
  const size_t kind = kind_of(item);
  Partition& partition = partitions_[item.partition];
  ++partition.items;
  partition.bytes += item.bytes;
  ++partition.kinds[kind];
  KindFigures& figures = kinds_[kind].figures;
  ++figures.items;
  if (!item.sort || has_type_prefix(*item.sort)) return;
  ++figures.unprefixed;
  if (figures.example.empty()) figures.example = *item.sort;
}

TableStatistics TableSample::statistics() const {
  TableStatistics out{
      .items = items_, .bytes = bytes_, .partitions = static_cast<int64_t>(partitions_.size())};
  for (const Kind& kind : kinds_) out.kinds.push_back(kind.figures);
  LargestPartitions largest;
  for (const auto& [key, partition] : partitions_) {
    largest.add({.key = key, .items = partition.items, .bytes = partition.bytes});
    if (partition.kinds.size() < 2) continue;
    for (const auto& [kind, items] : partition.kinds) out.kinds[kind].beside += items;
  }
  out.largest = largest.all();
  return out;
}

}  // namespace sheaf::lint

// Where rules draw their lines.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sheaf::lint {

struct Limits {
  int64_t item_bytes = 400 * 1024;
  int64_t few = 20;
  int64_t collection_bytes = int64_t{1} << 30;
  int64_t collection_items = 10'000;
  int64_t indexes = 20;
  int64_t relation_indexes = 2;
  int64_t levels = 3;
  int64_t copies = 1000;
  int64_t copied_changes_per_day = 100;
  int64_t edge_changes_per_day = 100;
  int64_t sort_key_bytes = 1024;
  int64_t partition_values = 100;
  int64_t dropped_percent = 50;
  int64_t near_percent = 80;
  int64_t share_percent = 10;
  int64_t list_entries = 100;

  // So much of a limit that others enforce is worth a word.
  double near(int64_t limit) const { return static_cast<double>(limit * near_percent) / 100; }
};

struct LimitName {
  std::string_view name;  // collection-items
  std::string_view meaning;
  int64_t Limits::*value;
};
std::span<const LimitName> limit_names();

}  // namespace sheaf::lint

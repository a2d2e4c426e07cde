// The last commit of every key, by the hash of the key, in a table of fixed size: what guards are checked
// against, without reading the disk. Two keys that share a slot share their last commit: a guard may then
// fail for nothing, which costs its owner a retry, and never holds for nothing.
#pragma once

#include <xxhash.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace sheaf::store {

// Not thread-safe: it belongs to whoever commits.
class VersionTable {
 public:
  // No version below `first` holds: it was read in an earlier life of the store.
  explicit VersionTable(Stamp first) : slots_(kCatalogSlots + kSlots, first) {}

  bool holds(std::string_view key, Version seen) const { return slot(key) <= static_cast<Stamp>(seen); }
  void record(std::string_view key, Stamp stamp) { slots_[index(key)] = stamp; }

 private:
  // Every batch guards its table's catalog row, so these have slots of their own: a busy item that shared one
  // would make all writers of a table reload it again and again.
  static constexpr uint64_t kCatalogSlots = 1 << 12;
  static constexpr uint64_t kSlots = 1 << 18;

  static uint64_t index(std::string_view key) {
    const uint64_t hash = XXH3_64bits(key.data(), key.size());
    const bool catalog = key.front() == static_cast<char>(Space::kCatalog);
    return catalog ? hash % kCatalogSlots : kCatalogSlots + hash % kSlots;
  }
  Stamp slot(std::string_view key) const { return slots_[index(key)]; }

  std::vector<Stamp> slots_;
};

}  // namespace sheaf::store

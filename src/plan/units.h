// DynamoDB's capacity units: one arithmetic, which plans apply to declared sizes and which holds for the real
// sizes of the items that a run touches.
#pragma once

#include <cstdint>
#include <optional>

namespace sheaf::plan {

inline constexpr double kPageBytes = 1 << 20;  // of a Query
inline constexpr double kBatchKeys = 100;      // of a BatchGetItem

enum class ReadKind : uint8_t { kEventual, kStrong, kTransactional };

// Of one item, or of all items, or index entries, of a Query's page together. What is not there costs as much
// as the smallest item.
double read_units(double bytes, ReadKind kind);

// The bytes of an item, or of its entry in an index, before and after a write; none: it is not there.
struct Images {
  std::optional<double> before;
  std::optional<double> after;
};

// Of the table: the larger image counts. A condition that fails, or is only checked, costs what was there. In
// a transaction double.
double write_units(const Images& images, bool is_transactional);

// How an entry in an index changes with its item.
enum class EntryChange : uint8_t {
  kNone,     // the same attributes, or none before and after
  kInPlace,  // others under the same key
  kMoves,    // it comes, goes, or has another key
};

// Of an index, in a transaction or not: an entry that moves is deleted and put.
double index_units(const Images& images, EntryChange change);

}  // namespace sheaf::plan

// Ranges of sort keys: what conditions leave of a partition, and what a Query that has one of them reads.
// Pure.
#pragma once

#include <optional>
#include <span>

#include "sheaf/value.h"

#include "expr/key_condition.h"

namespace sheaf::partiql {

// A condition on the sort key.
struct SortClause {
  expr::KeyOperator op;
  Value value;
  Value upper = {};  // of kBetween
};

struct SortBound {
  Value value;
  bool is_inclusive = true;
};

struct SortRange {
  std::optional<SortBound> low, high;
};

// Values of different types have no order: those of all clauses and ranges must have one type, and
// kBeginsWith needs strings or binaries.

bool is_less(const Value& a, const Value& b);

// The keys for which all clauses hold.
SortRange range_of(std::span<const SortClause> clauses);

bool is_empty(const SortRange& range);
bool overlap(const SortRange& a, const SortRange& b);
bool contains(const SortRange& outer, const SortRange& inner);

// The smallest range that contains both.
SortRange hull(const SortRange& a, const SortRange& b);

// The one condition of a Query that reads all of the range and the least besides: BETWEEN includes both ends.
// Nothing if it is the whole partition.
std::optional<SortClause> clause_over(const SortRange& range);

}  // namespace sheaf::partiql

// What a WHERE asks of a key: which item collections, and which parts of them, hold everything that it can
// find. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "expr/key_condition.h"
#include "partiql/statement.h"

namespace sheaf::partiql {

inline constexpr size_t kKeyReadsMax = 50;

// The key of the table or index that is read.
struct ReadKey {
  std::string partition;
  Type partition_type = Type::kString;
  std::optional<std::string> sort;
  Type sort_type = Type::kString;
};

struct KeyReads {
  bool is_scan = true;                    // or else:
  std::vector<expr::KeyCondition> reads;  // one after the other, disjoint
  bool is_descending = false;
  // The attributes that each alternative of the WHERE mentions, the alternatives in the order of their
  // partitions.
  std::vector<std::vector<std::string>> mentioned;
};

// `where` and `order` of a SELECT, with folded literals. Reading all of it and keeping what the WHERE holds
// for gives the answer. Errors, in AWS's words: values of other types than the key's, reads that overlap, too
// many of them, and what cannot be ordered.
Result<KeyReads> key_reads(const std::optional<Expression>& where, const std::vector<Select::Order>& order,
                           const ReadKey& key);

// The values that the WHERE of a statement on one item gives to attributes by equality; those without one are
// left out. Errors: two values for one.
Result<Item> key_equalities(const Expression& where, const std::vector<std::string>& names);

// The key of a WHERE that asks for nothing else: equalities, or an IN of one. Nothing if it asks for more.
std::optional<Item> only_key(const Expression& where, const std::vector<std::string>& names);

}  // namespace sheaf::partiql

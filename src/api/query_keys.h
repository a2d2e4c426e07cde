// The keys that a Query or Scan names: the key condition against the schema, and the key to start after.
// DynamoDB checks a start key in two steps, with the key condition between them.
#pragma once

#include <vector>

#include "sheaf/value.h"

#include "engine/table.h"
#include "expr/key_condition.h"

namespace sheaf::api {

// The key of what is read: the table's, or the index's.
const KeySchema& key_of(const engine::Table& table, const engine::Index* index);

// The first step for a Query: the attributes of both keys and no others, each of its type.
Result<void> check_start_key(const engine::Table& table, const engine::Index* index, ItemView start_key);

// Errors: what the schema does not allow; values that no key can have.
Result<expr::KeyCondition> bind_key_condition(const KeySchema& key, std::vector<expr::KeyClause> clauses);

// The second step: a start key that `condition` would have found.
Result<void> check_start_within(const engine::Table& table, const engine::Index* index,
                                const expr::KeyCondition& condition, ItemView start_key);

// Both steps for a Scan, where any item of the table will do.
Result<void> check_scan_start_key(const engine::Table& table, const engine::Index* index, ItemView start_key);

}  // namespace sheaf::api

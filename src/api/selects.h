// SELECT: which keys it reads, and a page of what it finds there.
#pragma once

#include <string>

#include "sheaf/statement.h"

#include "api/bound_statement.h"
#include "engine/engine.h"
#include "engine/read_items.h"
#include "partiql/key_reads.h"

namespace sheaf::api {

// A SELECT against its table.
struct SelectPlan {
  engine::TableRef table;
  const engine::Index* index = nullptr;
  partiql::KeyReads keys;
  bool fetch_items = false;  // from the table, because a local index does not hold them
};

// Errors, in AWS's words: no such table or index, attributes that an index does not hold, and see key_reads.
Result<SelectPlan> plan_select(engine::Engine& engine, const BoundStatement& statement, bool consistent);

// Errors: kWouldBlock if `options` ask not to wait for the disk and it is needed; a token of another request.
Result<StatementDone> select(engine::Engine& engine, const BoundStatement& statement,
                             const ExecuteStatement& request, const engine::ReadOptions& options);

}  // namespace sheaf::api

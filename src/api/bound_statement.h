// A statement of PartiQL that is right by itself: read, with its parameters put in, and bound. The table has
// not been looked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/statement.h"

#include "base/function.h"
#include "engine/engine.h"
#include "engine/write_items.h"
#include "expr/condition.h"
#include "expr/path.h"
#include "expr/update.h"
#include "partiql/key_reads.h"
#include "partiql/statement.h"

namespace sheaf::api {

struct Column {
  expr::Path path;
  std::string name;
};

struct BoundStatement {
  partiql::Statement syntax;
  std::vector<Column> columns;               // of a SELECT; empty: all attributes
  std::optional<expr::Condition> condition;  // what WHERE says
  std::optional<expr::Update> update;
  Item item;  // of an INSERT

  bool is_read() const { return syntax.is_read(); }
  const partiql::Target& target() const;
  const std::optional<partiql::Expression>& where() const;
  partiql::Returning returning() const;
};

// Errors, in AWS's words: what is wrong with the text, its values, its functions, and what no table could do.
// `check_target` is asked when the text and its values are read: what is wrong with an index that there is
// comes before the rest.
Result<BoundStatement> bind_statement(const Statement& statement,
                                      FunctionRef<Result<void>(const partiql::Target&)> check_target);

// Error: an index with more than one attribute of a kind. What is not there is not complained of.
Result<void> check_index_key(engine::Engine& engine, const partiql::Target& target);

// What `columns` name of an item.
Item project_columns(const std::vector<Column>& columns, ItemView item);

std::vector<std::string> key_names(const KeySchema& key);
// What statements know as the key of a table or index. Error: more than one attribute of a kind.
Result<partiql::ReadKey> read_key(const KeySchema& key);

// Of a statement that changes or checks one item, against its table. Takes what it needs. Errors: no key, two
// keys, and what the schema does not allow.
Result<engine::ItemWrite> bind_change(const engine::TableRef& table, BoundStatement& statement);

}  // namespace sheaf::api

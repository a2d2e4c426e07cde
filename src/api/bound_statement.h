// A statement of PartiQL that is right by itself: read, with its parameters put in, and bound. The table has
// not been looked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/statement.h"

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
  std::vector<Column> columns;               // of a SELECT, by name; empty: all attributes
  std::optional<expr::Condition> condition;  // what WHERE says
  std::optional<expr::Update> update;
  Item item;  // of an INSERT

  bool is_read() const { return syntax.is_read(); }
  const partiql::Target& target() const;
  const std::optional<partiql::Expression>& where() const;
  partiql::Returning returning() const;
};

// Errors, in AWS's words: what is wrong with the text, its values, its functions, and what no table could do.
// What is wrong with an index, if there is one in `engine`, comes before most of that; null: it is not looked
// for.
Result<BoundStatement> bind_statement(const Statement& statement, engine::Engine* engine);

// What `columns` name of an item.
Item project_columns(const std::vector<Column>& columns, ItemView item);

std::vector<std::string> key_names(const KeySchema& key);
// What statements know as the key of a table or index. Error: more than one attribute of a kind.
Result<partiql::ReadKey> read_key(const KeySchema& key);

// Of a statement that changes or checks one item, against its table. Takes what it needs. Errors: no key, two
// keys, and what the schema does not allow.
Result<engine::ItemWrite> bind_change(const engine::TableRef& table, BoundStatement& statement);

}  // namespace sheaf::api

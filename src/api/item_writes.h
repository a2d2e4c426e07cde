// PutItem, UpdateItem, DeleteItem and a transaction's ConditionCheck: reading the request in two steps,
// because DynamoDB refuses what is wrong with a request by itself before it looks for the table.
#pragma once

#include <optional>
#include <string>

#include "sheaf/request.h"

#include "engine/engine.h"
#include "engine/write_items.h"

namespace sheaf::api {

// A request whose expressions are read; the table has not been looked for.
struct ReadWrite {
  engine::ItemWrite::Kind kind;
  const std::string* table;
  const Item* item;  // kPut: the item; others: its key
  std::optional<expr::Condition> condition;
  std::optional<expr::Update> update;
};

Result<ReadWrite> read_request(const PutItem& request);
Result<ReadWrite> read_request(const UpdateItem& request);
Result<ReadWrite> read_request(const DeleteItem& request);
Result<ReadWrite> read_request(const ConditionCheck& request);

// The second step: against the table's schema.
Result<engine::ItemWrite> bind_write(engine::TableRef table, ReadWrite read);

Result<Written> put_item(engine::Engine& engine, const PutItem& request);
Result<Written> update_item(engine::Engine& engine, const UpdateItem& request);
Result<Written> delete_item(engine::Engine& engine, const DeleteItem& request);

}  // namespace sheaf::api

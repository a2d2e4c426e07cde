// PutItem, UpdateItem, DeleteItem and a transaction's ConditionCheck: reading the request in two steps,
// because DynamoDB refuses what is wrong with a request by itself before it looks for the table.
#pragma once

#include <optional>
#include <string>

#include "sheaf/request.h"

#include "api/expressions.h"
#include "base/loop.h"
#include "engine/engine.h"
#include "engine/write_items.h"

namespace sheaf::api {

// A request whose expressions are read; the table has not been looked for.
struct ReadWrite {
  engine::ItemWrite::Kind kind;
  const std::string* table;  // in the request, like the item
  Item* item;                // kPut: the item; others: its key
  std::optional<expr::Condition> condition;
  std::optional<expr::Update> update;
};

// What is looked at before conditions and placeholders: ReturnValues, and the size of the item.
Result<void> check_write(const PutItem& request);
Result<void> check_write(const UpdateItem& request);
Result<void> check_write(const DeleteItem& request);

Result<ReadWrite> read_request(PutItem& request);
Result<ReadWrite> read_request(UpdateItem& request);
Result<ReadWrite> read_request(DeleteItem& request);
Result<ReadWrite> read_request(ConditionCheck& request);

// The second step: against the table's schema. Takes the request's item.
Result<engine::ItemWrite> bind_write(engine::TableRef table, ReadWrite read);

// What a write answers with.
std::optional<Item> returned(ReturnValues values, const engine::ItemWrite& write,
                             const engine::ItemWritten& written);

using WrittenDone = UniqueFunction<void(Result<Written>)>;

// `done` is called exactly once, on `loop`, which is never made to wait for the disk if it may not.
void put_item(engine::Engine& engine, PutItem request, LegacyExpressions legacy, Loop& loop,
              WrittenDone done);
void update_item(engine::Engine& engine, UpdateItem request, LegacyExpressions legacy, Loop& loop,
                 WrittenDone done);
void delete_item(engine::Engine& engine, DeleteItem request, LegacyExpressions legacy, Loop& loop,
                 WrittenDone done);

}  // namespace sheaf::api

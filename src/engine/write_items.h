// Writing items: one of them, or up to a hundred in a transaction. Put, update, delete and condition check
// are one operation with one way through the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/loop.h"
#include "engine/engine.h"
#include "engine/item_change.h"
#include "expr/condition.h"
#include "expr/update.h"

namespace sheaf::engine {

inline constexpr int64_t kTokenLifetimeUs = int64_t{10} * 60 * 1'000'000;

struct ItemWrite {
  enum class Kind : uint8_t { kPut, kUpdate, kDelete, kCheck };

  // The first takes the item to be put, the others the item's key. Errors: see place_of_item, place_of_key;
  // an item over the size limit.
  static Result<ItemWrite> put(TableRef table, Item item);
  static Result<ItemWrite> of_key(Kind kind, TableRef table, Item key);

  Kind kind;
  TableRef table;
  Item item;  // kPut: the item; others: its key
  ItemPlace place;
  std::optional<expr::Condition> condition;
  std::optional<expr::Update> update;  // kUpdate; without it the item is made if it is not there
  ChangeCause cause = ChangeCause::kRequest;
};

struct WriteRequest {
  std::vector<ItemWrite> writes;  // of different items
  // All or nothing, even if there is but one; metered double.
  bool transaction = false;
  // With a transaction: the same token again within ten minutes changes nothing more. `fingerprint` tells
  // whether it is the same request.
  struct Token {
    std::string text;
    std::string fingerprint;
  };
  std::optional<Token> token;
};

// What became of one write.
struct ItemWritten {
  bool condition_met = true;
  std::optional<Error> error;  // in a transaction: why this write cannot be done
  std::optional<StoredItem> before;
  std::optional<StoredItem> after;
  Consumed consumed;
  std::vector<EntryWrite> entries;  // of indexes, if the engine has a meter
  // Of a table with a local index: the item collection's size after the write.
  std::optional<int64_t> collection_bytes;
};

struct WriteAnswer {
  // False: a condition was not met, or (in a transaction) a write cannot be done or would exceed a
  // throughput, and nothing was changed.
  bool applied = true;
  // The token was seen before: nothing was changed now.
  bool replayed = false;
  std::vector<ItemWrite> writes;   // the request's, given back
  std::vector<ItemWritten> items;  // one for each write
};

using WriteDone = UniqueFunction<void(Result<WriteAnswer>)>;

// Runs `request`; `done` is called exactly once, on `loop`. Never waits for the disk if the loop may not.
// Errors: kInvalid (a write outside a transaction
// cannot be done), kNotFound (a table is gone), kTooLarge, kMismatch (the token came with another request),
// kConflict (others were faster again and again), kUnknown, kUnavailable, kIo, kCorrupt.
void write_items(Engine& engine, WriteRequest request, Loop& loop, WriteDone done);

// The same for a thread that waits.
Result<WriteAnswer> write_items(Engine& engine, WriteRequest request);

}  // namespace sheaf::engine

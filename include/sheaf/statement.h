// PartiQL: statements in a dialect of SQL, as DynamoDB understands it, with the same limits and messages.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/value.h"

namespace sheaf {

// {"SELECT * FROM \"app\" WHERE pk = ?", {"TEAM#1"}}
struct Statement {
  std::string text;
  std::vector<Value> parameters;  // one for each question mark
  bool consistent = false;        // of a SELECT
  bool return_item_on_failure = false;
};

struct ExecuteStatement {
  Statement statement;
  std::optional<uint32_t> limit;          // items to read, before the condition
  std::optional<std::string> next_token;  // of the page before
};

struct StatementDone {
  bool condition_met = true;
  std::optional<Item> item_on_failure;
  ItemList items;  // what was selected, or what RETURNING asked for
  std::optional<std::string> next_token;
  std::optional<Item> last_key;
  std::string table;
  Capacity capacity;
};

// Each for itself; at most 25, all of them reads of one item or all of them writes.
struct BatchExecuteStatement {
  std::vector<Statement> statements;
};

struct BatchStatementsDone {
  struct Member {
    std::optional<Error> error;
    bool condition_met = true;
    std::optional<Item> item_on_failure;  // if the condition was not met, and it was asked for
    std::optional<Item> item;
    std::string table;  // empty if it was refused before its item was looked for
  };
  std::vector<Member> members;
  std::map<std::string, Capacity> capacity;
};

// All or nothing; at most 100, all of them reads of one item or all of them writes and EXISTS.
struct ExecuteTransaction {
  std::vector<Statement> statements;
  std::string token;  // as in TransactWriteItems
};

struct TransactionDone {
  bool applied = true;
  bool replayed = false;
  bool is_read = false;
  std::vector<CancellationReason> reasons;  // if not applied: one for each statement
  std::vector<std::optional<Item>> items;   // of reads
  std::map<std::string, Capacity> capacity;
};

}  // namespace sheaf

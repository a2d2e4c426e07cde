// DynamoDB's operations by name, and how a request's text becomes an answer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/local_database.h"
#include "base/loop.h"
#include "wire/answer.h"
#include "wire/input.h"

namespace sheaf::wire {

// What is true of the whole server, and shows in its answers.
struct Account {
  std::string region = "us-east-1";
  std::string id = "000000000000";
  std::string endpoint = "localhost:8000";  // what DescribeEndpoints tells
};

// A request on its way: what it runs on and where its answer goes, exactly once, on `loop`.
struct Call {
  api::LocalDatabase& database;
  const Account& account;
  Loop& loop;
  AnswerDone done;
  // For what only a statement's text tells: whether the caller may perform "PartiQLUpdate". The refusal if it
  // may not; everything may be done if there is no such function. Borrowed until run() returns.
  std::optional<FunctionRef<std::optional<Answer>(std::string_view action)>> refuse = {};
  // As whom it writes, for tables that are locked: the models' names, with commas between them. Borrowed
  // until it is answered.
  std::string_view writer = {};
};

enum class Effect : uint8_t {
  kRead,   // items and streams
  kWrite,  // items
  kDescribe,
  kControl,  // tables, indexes, tags
};

struct Operation {
  std::string_view name;  // "PutItem"
  bool streams;           // of DynamoDBStreams_20120810, not of DynamoDB_20120810
  Effect effect;
  const Shape& shape;
  // `input` lives for the call only; what is needed later is moved out of it. May wait for the disk only if
  // the loop may: kDescribe and kControl run where it may.
  void (*run)(Call call, const Input& input);
};

// By the header's value, "DynamoDB_20120810.PutItem"; nullptr if there is none.
const Operation* find_operation(std::string_view target);

// Answers `body`. The bytes are read before it returns, and simdjson::SIMDJSON_PADDING bytes behind them.
// Never waits for the disk if the loop may not.
void run(const Operation& operation, std::string_view body, Call call);

}  // namespace sheaf::wire

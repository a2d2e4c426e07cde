// What an operation does, with its values: a list of these is one transaction.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/layout.h"
#include "model/model.h"
#include "run/item_change.h"
#include "run/record.h"
#include "run/requests.h"

namespace sheaf::run {

// One of the fields of the entity that is changed, or something inside it.
struct OwnField {
  model::FieldId field = 0;
  std::vector<std::string> inside;
};

// What a place leads to from an entity that the operation names, as it is before the operation.
struct StoredValue {
  model::EntityId entity = 0;
  Identity identity;
  model::Place place;
};

// A value that is known, or a stored one.
using ChangeOperand = std::variant<Value, OwnField, StoredValue>;

// A value, or a sum.
struct Assigned {
  OwnField to;
  ChangeOperand first;
  std::vector<std::pair<char, ChangeOperand>> rest;
};

struct Checked {
  const model::Place* place = nullptr;
  language::Condition::Test test = language::Condition::Test::kEqual;
  std::vector<ChangeOperand> operands;
  std::string text;  // as it is written
};

struct Change {
  using Kind = language::Write::Kind;
  Kind kind = Kind::kPut;
  model::EntityId entity = 0;
  Identity identity;
  Fields fields;                                                   // kPut, kUpsert: all of it
  std::map<model::EndId, std::vector<Fields>, EndOrder> embedded;  // likewise
  std::vector<std::pair<model::EndId, Identity>> ends;  // likewise; kSet: a move; kLink, kUnlink: one
  std::vector<Assigned> assigned;                       // kSet, kAdd
  std::vector<OwnField> removed;                        // kRemove
  std::vector<model::EndId> removed_ends;               // kRemove
  Fields edge_fields;                                   // kLink
  std::vector<std::pair<std::string, StoredValue>> edge_operands;  // kLink: those that are stored elsewhere
  std::vector<Checked> checks;                                     // kCheck
  std::optional<Item> as_read;                                     // kDelete: only while its item is this one
  // kPut, kUpsert: it is like this elsewhere. What operations keep is given, and so is how often it was
  // written; what never changes may.
  std::optional<int64_t> mirrored_version;
};

// Those of a declared operation. kInvalid if an argument does not fit.
Result<std::vector<Change>> changes_of(const model::Model& model, const model::Layout& layout,
                                       const model::Operation& operation,
                                       const std::vector<Argument>& arguments,
                                       std::chrono::system_clock::time_point now);

}  // namespace sheaf::run

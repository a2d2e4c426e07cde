// What an UpdateItem does to an item, bound and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "expr/path.h"
#include "expr/placeholders.h"
#include "expr/projection.h"

namespace sheaf::expr {

// The right-hand side of a SET: a value, a path, or such joined by + - if_not_exists list_append.
class SetValue {
 public:
  static SetValue of(ValueView literal);
  static SetValue of(Path path);
  static SetValue plus(SetValue left, SetValue right);
  static SetValue minus(SetValue left, SetValue right);
  static SetValue if_not_exists(Path path, SetValue otherwise);
  static SetValue list_append(SetValue front, SetValue back);

  enum class Kind : uint8_t { kLiteral, kPath, kPlus, kMinus, kIfNotExists, kListAppend };
  struct Node {
    Kind kind;
    uint32_t left = 0, right = 0;   // operands, before this one; kIfNotExists has only `right`
    std::optional<Path> path = {};  // of kPath and kIfNotExists
    Value literal = {};             // of kLiteral
  };
  // Operands before what joins them; the last one is the whole.
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static SetValue join(Kind kind, SetValue left, SetValue right);

  std::vector<Node> nodes_;
};

struct UpdateAction {
  enum class Kind : uint8_t { kSet, kRemove, kAdd, kDelete };

  static UpdateAction set(Path path, SetValue value) {
    return {Kind::kSet, std::move(path), std::move(value), {}};
  }
  static UpdateAction remove(Path path) { return {Kind::kRemove, std::move(path), {}, {}}; }
  // ADD: to a number or a set. DELETE: elements from a set.
  static UpdateAction add(Path path, Value value) {
    return {Kind::kAdd, std::move(path), {}, std::move(value)};
  }
  static UpdateAction take(Path path, Value elements) {
    return {Kind::kDelete, std::move(path), {}, std::move(elements)};
  }

  Kind kind;
  Path path;
  SetValue value;  // of kSet
  Value operand;   // of kAdd and kDelete
};

// The two ways to say an update differ in what ADD takes and in how they complain about types.
enum class UpdateDialect : uint8_t {
  kExpression,
  kAttributeUpdates  // the legacy parameter: ADD also appends to lists
};

// Immutable and self-contained; apply() and create() are thread-safe.
class Update {
 public:
  // Reads and checks an UpdateExpression. Errors carry AWS's messages. Marks the placeholders it uses.
  static Result<Update> parse(std::string_view text, Placeholders& placeholders);
  // The paths of `actions` must not clash (find_clash), and the operands must have types that AWS lets
  // through. No actions: an update that changes nothing.
  static Update of_actions(std::vector<UpdateAction> actions, UpdateDialect dialect);

  // The new item. All right-hand sides, and all list positions, are those of `old`. Errors, in AWS's words: a
  // path that is not there, an operand of the wrong type, a number out of range, nesting too deep. The item's
  // size is the caller's to check.
  Result<Item> apply(ItemView old) const { return run(old, true); }

  // The item that the update makes where there is none, of which only the key is known: as apply(key), but
  // removing something inside an attribute that is not there is no error. Ask creates_item() first: an update
  // that can only take away makes no item.
  Result<Item> create(ItemView key) const { return run(key, false); }
  bool creates_item() const { return creates_item_; }

  // The paths it writes, as a projection: of the old item it gives the answer to UPDATED_OLD, of the new one
  // to UPDATED_NEW. Its attributes() are the top-level attributes that the update writes, which must not be
  // key attributes.
  const Projection& touched() const { return touched_; }

  // Every path that it writes or reads.
  std::vector<const Path*> paths() const;

  // The type that `attribute` will have, if the text alone says so: for index keys, which AWS checks before
  // it reads the item. Nothing if the update does not write all of it, or what it writes depends on the item
  // alone.
  std::optional<Type> type_written(std::string_view attribute) const;

 private:
  struct Action {
    UpdateAction::Kind kind;
    SetValue value;
    Value operand;
  };
  class Run;

  Update(std::vector<Action> actions, Projection touched, UpdateDialect dialect);
  Result<Item> run(ItemView old, bool exists) const;

  std::vector<Action> actions_;  // one for each path of touched_
  Projection touched_;
  UpdateDialect dialect_;
  bool creates_item_;
};

}  // namespace sheaf::expr

// What an operation does to one item, and the transaction of all of them. DynamoDB lets a transaction name an
// item once: conditions and changes of one item are merged here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sheaf/database.h"

#include "language/syntax.h"
#include "run/reader.h"

namespace sheaf::run {

// An attribute, or a value inside one: {"addresses", "home", "street"}, {"lines", 2}.
using AttributePath = std::vector<std::variant<std::string, size_t>>;

std::optional<ValueView> value_at(ItemView item, const AttributePath& path);

// What must be true of an item for the change to happen.
struct Expected {
  enum class Kind : uint8_t {
    kExists,       // the item
    kAbsent,       // the item
    kMissing,      // the attribute
    kPresent,      // the attribute
    kEquals,       // the attribute and `values[0]`
    kContains,     // the attribute, a list, has `values[0]`
    kNotContains,  // or has not, or is not there
    kAtMost,       // the attribute, a number, or it is missing
    kTest,         // the attribute, by `test` with `operands`
  };
  Kind kind = Kind::kExists;
  AttributePath path;
  std::vector<Value> values;
  // kTest: values, or other attributes. The test is false if one of those is missing.
  std::vector<std::variant<Value, AttributePath>> operands;
  language::Condition::Test test = language::Condition::Test::kEqual;
  // What to say if it is not. Or, if it was read before and somebody changed it since: try again.
  Error error{Code::kInvalid, ""};
  bool is_race = false;

  bool holds(const std::optional<Item>& item) const;
};

// a + b - 3; what is missing may count as nothing.
struct Term {
  char mark = '+';
  std::variant<Value, AttributePath> operand;
  std::optional<Value> if_missing;
};
using Sum = std::vector<Term>;

// The list with one more element, also if it is not there yet.
struct Appended {
  Value element;
};

struct ItemChange {
  enum class Action : uint8_t { kCheck, kPut, kUpdate, kDelete };

  std::string table;
  Item key;
  std::string pk_name;
  Action action = Action::kCheck;
  Item item;  // kPut
  std::vector<std::pair<AttributePath, std::variant<Value, Sum, Appended>>> sets;
  std::vector<AttributePath> removes;
  std::vector<std::pair<std::string, Value>> adds;  // elements to a set
  std::vector<Expected> expected;

  void expect(Expected each);
  void set(std::string_view attribute, Value value);
  void remove(std::string_view attribute);
};

class Transaction {
 public:
  static constexpr size_t kActionsMax = 100;

  // The change of one item, made if it is not there.
  ItemChange& change(const std::string& table, const std::string& pk_name, const Item& key);
  ItemChange* find(const std::string& table, const Item& key) const;

  // Takes the changes of another in, which names none of these items. What it expects must hold, too; if not,
  // the whole is to be tried again.
  void join(Transaction other);

  enum class Outcome : uint8_t { kDone, kRace };
  // One request: a plain write if it is one item. An Error if something that was expected is not so; kRace if
  // somebody else was faster and the operation is to be tried again.
  Result<Outcome> commit(Database& database, Figures& figures);
  // Says what commit would say of what is expected, and writes nothing. `never` is a table's key that no item
  // has.
  Result<void> rehearse(Database& database, Figures& figures, const ItemChange& never);

  size_t size() const { return changes_.size(); }

 private:
  Result<Outcome> commit_one(Database& database, Figures& figures, const ItemChange& change) const;
  void drop_idle();
  // Why the transaction was cancelled.
  Result<Outcome> judge_all(const std::vector<CancellationReason>& reasons) const;

  std::vector<std::unique_ptr<ItemChange>> changes_;
};

}  // namespace sheaf::run

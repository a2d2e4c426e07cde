// A statement as it was written: the tree that the parser makes. Nothing is looked up yet, and parameters are
// still question marks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sheaf/value.h"

#include "partiql/tokens.h"

namespace sheaf::partiql {

// A value, a path, a condition, or a part of one.
struct Expression {
  enum class Kind : uint8_t {
    kLiteral,    // `value`
    kNumber,     // `text`: not looked at yet, with its sign
    kParameter,  // `number`: which one, from 0
    kMissing,
    kName,    // `text`
    kPath,    // `parts`: a kName, then a kName or the expression between brackets for each step
    kList,    // `parts`
    kBag,     // `parts`
    kStruct,  // `parts`: names and values in turn
    kCall,    // `text`: the function's name in lower case; `parts`: what it is given
    kSign,    // `text`: + or -
    kNot,
    kAnd,
    kOr,
    kBinary,   // `text`: + - * / % ||
    kCompare,  // `text`: = <> < <= > >= like
    kIn,       // two parts
    kBetween,  // three parts
    kIs,       // `text`: the type, in lower case
  };
  Kind kind = Kind::kLiteral;
  Place place;
  std::string text;
  bool is_negated = false;  // NOT IN, NOT BETWEEN, NOT LIKE, IS NOT
  bool is_index = false;    // of a step: between brackets
  uint32_t number = 0;
  Value value;
  std::vector<Expression> parts;
  uint32_t depth = 1;  // levels of expressions

  bool is(Kind wanted) const { return kind == wanted; }
};

// A table, and perhaps one of its indexes.
struct Target {
  std::string table;
  std::optional<std::string> index;
  Place place;
};

struct Select {
  struct Order {
    Expression by;
    bool is_descending = false;
  };
  std::vector<Expression> projected;  // empty: *
  Target from;
  std::optional<Expression> where;
  std::vector<Order> order;
};

enum class Returning : uint8_t { kNothing, kAllOld, kModifiedOld, kAllNew, kModifiedNew };

struct Insert {
  Target into;
  bool is_one = true;  // VALUE; without that word the grammar takes a bag of them
  Expression value;
};

struct UpdateStatement {
  struct Action {
    Expression path;
    std::optional<Expression> value;  // none: REMOVE
  };
  Target table;
  std::vector<Action> actions;
  std::optional<Expression> where;
  Returning returning = Returning::kNothing;
};

struct DeleteStatement {
  Target from;
  std::optional<Expression> where;
  Returning returning = Returning::kNothing;
};

// EXISTS(SELECT ...): a condition in a transaction.
struct Exists {
  Select select;
};

// An expression alone, which no operation knows what to do with.
struct Bare {
  Expression expression;
};

struct Statement {
  std::variant<Select, Insert, UpdateStatement, DeleteStatement, Exists, Bare> what;
  uint32_t parameters = 0;  // how many question marks

  bool is_read() const { return std::holds_alternative<Select>(what); }
};

}  // namespace sheaf::partiql

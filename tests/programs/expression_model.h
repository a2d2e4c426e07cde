// Conditions, updates and key conditions as plain trees. A random program makes them; the database gets them
// as text with placeholders, the reference database interprets them directly. So the way from text to meaning
// is checked as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/request.h"
#include "sheaf/value.h"

#include "programs/document.h"

namespace sheaf::programs {

struct Operand {
  enum class Kind : uint8_t { kPath, kValue, kSize };
  Kind kind = Kind::kPath;
  DocumentPath path;  // kPath, kSize
  Value value;        // kValue
};

struct Condition {
  enum class Kind : uint8_t {
    kAnd,
    kOr,
    kNot,
    kCompare,
    kBetween,
    kIn,
    kExists,
    kNotExists,
    kTypeIs,
    kBeginsWith,
    kContains
  };
  Kind kind = Kind::kExists;
  std::vector<Condition> parts;   // kAnd, kOr: two or more; kNot: one
  std::vector<Operand> operands;  // of the others
  std::string comparator;         // kCompare: = <> < <= > >=
  Type type = Type::kNull;        // kTypeIs
};

// What SET writes.
struct SetValue {
  enum class Kind : uint8_t { kOperand, kPlus, kMinus, kIfNotExists, kListAppend };
  Kind kind = Kind::kOperand;
  Operand operand;              // kOperand; kIfNotExists: its path
  std::vector<SetValue> parts;  // kIfNotExists: one; kPlus, kMinus, kListAppend: two
};

struct UpdateStep {
  enum class Kind : uint8_t { kSet, kRemove, kAdd, kDelete };
  Kind kind = Kind::kSet;
  DocumentPath path;
  SetValue value;  // kSet
  Value operand;   // kAdd, kDelete
};
// Steps of one kind stand together.
using Update = std::vector<UpdateStep>;

struct KeyClause {
  enum class Kind : uint8_t { kCompare, kBetween, kBeginsWith };
  std::string attribute;
  Kind kind = Kind::kCompare;
  std::string comparator = "=";  // kCompare: = < <= > >=
  Value value;
  Value upper;  // kBetween
};

using Projection = std::vector<DocumentPath>;

// The expressions of one request as text, and the placeholders that all of them use.
class ExpressionText {
 public:
  std::string operator()(const Condition& condition);
  std::string operator()(const Update& update);
  std::string operator()(const Projection& projection);
  std::string operator()(const std::vector<KeyClause>& clauses);

  Names names() const { return names_; }
  Item values() const { return values_; }

 private:
  std::string name(const std::string& name);
  std::string path(const DocumentPath& path);
  std::string value(const Value& value);
  std::string operand(const Operand& operand);
  std::string set_value(const SetValue& value);
  std::string joined(const std::vector<Condition>& parts, const std::string& word);
  std::string part(const Condition& condition);

  Names names_;
  Item values_;
  uint32_t value_count_ = 0;
  uint32_t name_uses_ = 0;
};

bool holds(const Condition& condition, ItemView item);

// Whether a value satisfies one clause; they are of one type.
bool holds(const KeyClause& clause, ValueView value);

// The item that `update` makes of `old`. `exists`: `old` was there; otherwise it is the key alone.
Result<Item> apply_update(const Update& update, ItemView old, bool exists);

// All paths that a condition or an update names.
void collect_paths(const Condition& condition, std::vector<DocumentPath>& paths);
void collect_paths(const Update& update, std::vector<DocumentPath>& paths);

}  // namespace sheaf::programs

// A condition or filter, bound and checked: a yes-or-no question about one item.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sheaf/result.h"
#include "sheaf/value.h"

#include "expr/expression_error.h"
#include "expr/path.h"
#include "expr/placeholders.h"

namespace sheaf::expr {

class SyntaxTree;

enum class Comparator : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };

// Immutable and self-contained: it owns its paths and literals, so it outlives the request. matches() is
// thread-safe.
class Condition {
 public:
  // Reads and checks the whole text before anything else happens. `kind` is kCondition or kFilter. Errors
  // carry AWS's messages. Marks the placeholders it uses.
  static Result<Condition> parse(std::string_view text, Placeholders& placeholders,
                                 ExpressionKind kind = ExpressionKind::kCondition);

  // The same from the syntax tree of a condition.
  static Result<Condition> bind(const SyntaxTree& tree, Placeholders& placeholders, ExpressionKind kind);

  // An item that does not exist is asked about as the empty item: ItemView().
  bool matches(ItemView item) const;

  // Every path that the condition reads, in the order of the text, repeated ones included. For what an engine
  // must refuse (a Query's filter on key attributes) and for what an index must hold.
  std::span<const Path> paths() const { return paths_; }

 private:
  friend class ConditionBuilder;

  struct Operand {
    enum class Kind : uint8_t { kPath, kLiteral, kSizeOfPath };
    Kind kind;
    uint32_t at;  // in paths_, or the offset in literals_
  };
  struct Node {
    enum class Kind : uint8_t {
      kCompare,
      kBetween,
      kIn,
      kExists,
      kNotExists,
      kTypeIs,
      kBeginsWith,
      kContains,
      kAllOf,
      kAnyOf,
      kNot
    };
    Kind kind;
    Comparator comparator;  // of kCompare
    Type type;              // of kTypeIs
    uint32_t first, count;  // in operands_, or, of the last three kinds, in children_
  };
  class Evaluation;

  std::vector<Node> nodes_;  // children before parents; the root is the last
  std::vector<uint32_t> children_;
  std::vector<Operand> operands_;
  std::vector<Path> paths_;
  std::string literals_;  // encoded values, one after the other
};

// Makes conditions without text: for the parser, and for the legacy parameters (Expected, QueryFilter,
// ScanFilter). Operands and nodes belong to the builder that made them. Build each node after its parts.
class ConditionBuilder {
 public:
  class Operand {
    friend class ConditionBuilder;
    explicit Operand(Condition::Operand operand) : operand_(operand) {}
    Condition::Operand operand_;
  };
  class Node {
    friend class ConditionBuilder;
    explicit Node(uint32_t at) : at_(at) {}
    uint32_t at_;
  };

  Operand path(Path path);
  Operand literal(ValueView value);
  // size(): of an attribute that is a number, a boolean or null it is as if the attribute were not there. A
  // value must be one that has a size.
  Operand size_of(Path path);
  Operand size_of(ValueView value);

  Node compare(Comparator comparator, Operand left, Operand right);
  Node between(Operand operand, Operand low, Operand high);
  Node in(Operand operand, std::span<const Operand> list);
  Node exists(Operand path);
  Node not_exists(Operand path);
  Node type_is(Operand operand, Type type);
  Node begins_with(Operand operand, Operand prefix);
  Node contains(Operand container, Operand element);
  // At least one part each.
  Node all_of(std::span<const Node> parts);
  Node any_of(std::span<const Node> parts);
  Node negate(Node part);

  // `root` must be the node made last.
  Condition build(Node root) &&;

 private:
  Operand add_path(Condition::Operand::Kind kind, Path path);
  Node add(Condition::Node node, std::initializer_list<Operand> operands);
  Node join(Condition::Node::Kind kind, std::span<const Node> parts);

  Condition condition_;
};

}  // namespace sheaf::expr

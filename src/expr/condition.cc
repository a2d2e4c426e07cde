#include "expr/condition.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/try.h"
#include "expr/bound_tree.h"
#include "expr/expression_parser.h"

namespace sheaf::expr {
namespace {

// size() of a string counts UTF-16 code units: those of Java, which AWS is written in.
int64_t utf16_length(std::string_view text) {
  int64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += ((byte & 0xc0) != 0x80) + (byte >= 0xf0);
  }
  return units;
}

std::optional<int64_t> size_in_units(ValueView value) {
  switch (value.type()) {
    case Type::kString:
      return utf16_length(value.bytes());
    case Type::kBinary:
      return value.bytes().size();
    case Type::kMap:
      return value.map().size();
    case Type::kList:
      return value.list().size();
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      return value.set().size();
    default:
      return std::nullopt;
  }
}

bool holds(Comparator comparator, std::strong_ordering order) {
  switch (comparator) {
    case Comparator::kLess:
      return order < 0;
    case Comparator::kLessEqual:
      return order <= 0;
    case Comparator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool contains_bytes(std::string_view whole, std::string_view part) {
  return part.empty() || memmem(whole.data(), whole.size(), part.data(), part.size()) != nullptr;
}

bool contains_element(ValueView container, ValueView element) {
  switch (container.type()) {
    case Type::kString:
    case Type::kBinary:
      return element.type() == container.type() && contains_bytes(container.bytes(), element.bytes());
    case Type::kStringSet:
      return element.type() == Type::kString && container.set().contains(element.bytes());
    case Type::kBinarySet:
      return element.type() == Type::kBinary && container.set().contains(element.bytes());
    case Type::kNumberSet:
      return element.type() == Type::kNumber && container.set().contains(element.number().encoded());
    case Type::kList: {
      const ListView list = container.list();
      return std::find(list.begin(), list.end(), element) != list.end();
    }
    default:
      return false;
  }
}

bool begins_with_bytes(ValueView value, ValueView prefix) {
  const bool has_prefix = value.type() == Type::kString || value.type() == Type::kBinary;
  return has_prefix && prefix.type() == value.type() && value.bytes().starts_with(prefix.bytes());
}

}  // namespace

// One question about one item.
class Condition::Evaluation {
 public:
  Evaluation(const Condition& condition, ItemView item) : condition_(condition), item_(item) {}

  // Recursion is bounded by the number of operators that an expression may have.
  bool answer(const Node& node) const {
    using Kind = Node::Kind;
    switch (node.kind) {
      case Kind::kAllOf:
        return std::ranges::all_of(children(node),
                                   [&](uint32_t child) { return answer(condition_.nodes_[child]); });
      case Kind::kAnyOf:
        return std::ranges::any_of(children(node),
                                   [&](uint32_t child) { return answer(condition_.nodes_[child]); });
      case Kind::kNot:
        return !answer(condition_.nodes_[children(node).front()]);
      case Kind::kExists:
        return Read(*this, node, 0).value.has_value();
      case Kind::kNotExists:
        return !Read(*this, node, 0).value.has_value();
      case Kind::kTypeIs: {
        const Read operand(*this, node, 0);
        return operand.value && operand.value->type() == node.type;
      }
      case Kind::kCompare:
        return compares(node.comparator, Read(*this, node, 0), Read(*this, node, 1));
      case Kind::kBetween: {
        const Read operand(*this, node, 0), low(*this, node, 1), high(*this, node, 2);
        return compares(Comparator::kGreaterEqual, operand, low) &&
               compares(Comparator::kLessEqual, operand, high);
      }
      case Kind::kIn: {
        const Read operand(*this, node, 0);
        for (uint32_t at = 1; operand.value && at < node.count; ++at) {
          if (compares(Comparator::kEqual, operand, Read(*this, node, at))) return true;
        }
        return false;
      }
      case Kind::kBeginsWith: {
        const Read operand(*this, node, 0), prefix(*this, node, 1);
        return operand.value && prefix.value && begins_with_bytes(*operand.value, *prefix.value);
      }
      case Kind::kContains: {
        const Read container(*this, node, 0), element(*this, node, 1);
        return container.value && element.value && contains_element(*container.value, *element.value);
      }
    }
    return false;
  }

 private:
  // An operand's value, if it has one. size() makes a value of its own, so a Read stays where it was made.
  struct Read {
    Read(const Evaluation& evaluation, const Node& node, uint32_t at) {
      const Condition& condition = evaluation.condition_;
      const Operand operand = condition.operands_[node.first + at];
      if (operand.kind == Operand::Kind::kLiteral) {
        value = ValueView::at(condition.literals_.data() + operand.at);
        return;
      }
      value = condition.paths_[operand.at].find(evaluation.item_);
      if (operand.kind == Operand::Kind::kPath || !value) return;
      if (const auto size = size_in_units(*value)) {
        made.emplace(*size);
        value = made->view();
      } else {
        value.reset();
      }
    }
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;

    std::optional<Value> made;
    std::optional<ValueView> value;
  };

  std::span<const uint32_t> children(const Node& node) const {
    return std::span(condition_.children_).subspan(node.first, node.count);
  }

  // What is not there is not equal to anything, and not ordered with anything.
  static bool compares(Comparator comparator, const Read& left, const Read& right) {
    const bool both = left.value && right.value;
    if (comparator == Comparator::kEqual) return both && *left.value == *right.value;
    if (comparator == Comparator::kNotEqual) return !both || !(*left.value == *right.value);
    if (!both) return false;
    const auto order = compare(*left.value, *right.value);
    return order && holds(comparator, *order);
  }

  const Condition& condition_;
  const ItemView item_;
};

bool Condition::matches(ItemView item) const { return Evaluation(*this, item).answer(nodes_.back()); }

ConditionBuilder::Operand ConditionBuilder::add_path(Condition::Operand::Kind kind, Path path) {
  condition_.paths_.push_back(std::move(path));
  return Operand({kind, static_cast<uint32_t>(condition_.paths_.size() - 1)});
}

ConditionBuilder::Operand ConditionBuilder::path(Path path) {
  return add_path(Condition::Operand::Kind::kPath, std::move(path));
}

ConditionBuilder::Operand ConditionBuilder::literal(ValueView value) {
  const auto at = static_cast<uint32_t>(condition_.literals_.size());
  condition_.literals_ += value.encoded();
  return Operand({Condition::Operand::Kind::kLiteral, at});
}

ConditionBuilder::Operand ConditionBuilder::size_of(Path path) {
  return add_path(Condition::Operand::Kind::kSizeOfPath, std::move(path));
}

ConditionBuilder::Operand ConditionBuilder::size_of(ValueView value) {
  const auto size = size_in_units(value);
  assert(size);
  return literal(Value(size.value_or(0)));
}

ConditionBuilder::Node ConditionBuilder::add(Condition::Node node, std::initializer_list<Operand> operands) {
  node.first = static_cast<uint32_t>(condition_.operands_.size());
  node.count = static_cast<uint32_t>(operands.size());
  for (const Operand& operand : operands) condition_.operands_.push_back(operand.operand_);
  condition_.nodes_.push_back(node);
  return Node(static_cast<uint32_t>(condition_.nodes_.size() - 1));
}

ConditionBuilder::Node ConditionBuilder::join(Condition::Node::Kind kind, std::span<const Node> parts) {
  assert(!parts.empty());
  const auto first = static_cast<uint32_t>(condition_.children_.size());
  for (const Node part : parts) condition_.children_.push_back(part.at_);
  condition_.nodes_.push_back({kind, {}, {}, first, static_cast<uint32_t>(parts.size())});
  return Node(static_cast<uint32_t>(condition_.nodes_.size() - 1));
}

ConditionBuilder::Node ConditionBuilder::compare(Comparator comparator, Operand left, Operand right) {
  return add({Condition::Node::Kind::kCompare, comparator, {}, 0, 0}, {left, right});
}

ConditionBuilder::Node ConditionBuilder::between(Operand operand, Operand low, Operand high) {
  return add({Condition::Node::Kind::kBetween, {}, {}, 0, 0}, {operand, low, high});
}

ConditionBuilder::Node ConditionBuilder::in(Operand operand, std::span<const Operand> list) {
  const Node node = add({Condition::Node::Kind::kIn, {}, {}, 0, 0}, {operand});
  for (const Operand& element : list) condition_.operands_.push_back(element.operand_);
  condition_.nodes_.back().count += static_cast<uint32_t>(list.size());
  return node;
}

ConditionBuilder::Node ConditionBuilder::exists(Operand path) {
  return add({Condition::Node::Kind::kExists, {}, {}, 0, 0}, {path});
}

ConditionBuilder::Node ConditionBuilder::not_exists(Operand path) {
  return add({Condition::Node::Kind::kNotExists, {}, {}, 0, 0}, {path});
}

ConditionBuilder::Node ConditionBuilder::type_is(Operand operand, Type type) {
  return add({Condition::Node::Kind::kTypeIs, {}, type, 0, 0}, {operand});
}

ConditionBuilder::Node ConditionBuilder::begins_with(Operand operand, Operand prefix) {
  return add({Condition::Node::Kind::kBeginsWith, {}, {}, 0, 0}, {operand, prefix});
}

ConditionBuilder::Node ConditionBuilder::contains(Operand container, Operand element) {
  return add({Condition::Node::Kind::kContains, {}, {}, 0, 0}, {container, element});
}

ConditionBuilder::Node ConditionBuilder::all_of(std::span<const Node> parts) {
  return join(Condition::Node::Kind::kAllOf, parts);
}

ConditionBuilder::Node ConditionBuilder::any_of(std::span<const Node> parts) {
  return join(Condition::Node::Kind::kAnyOf, parts);
}

ConditionBuilder::Node ConditionBuilder::negate(Node part) {
  return join(Condition::Node::Kind::kNot, {&part, 1});
}

Condition ConditionBuilder::build([[maybe_unused]] Node root) && {
  assert(root.at_ + 1 == condition_.nodes_.size());
  return std::move(condition_);
}

}  // namespace sheaf::expr

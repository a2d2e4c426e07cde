// An update at work on one item.
#include <algorithm>
#include <list>

#include "base/errors.h"
#include "base/try.h"
#include "expr/update.h"

namespace sheaf::expr {
namespace {

using ActionKind = UpdateAction::Kind;

Error missing_attribute() {
  return invalid("The provided expression refers to an attribute that does not exist in the item");
}
Error wrong_operand_type() {
  return invalid("An operand in the update expression has an incorrect data type");
}
Error wrong_path() {
  return invalid("The document path provided in the update expression is invalid for update");
}

// Whether the map or list that `path` leads into is there. At top level it is the item.
bool has_parent(const Path& path, ItemView item) {
  if (!path.is_nested()) return true;
  std::optional<ValueView> value = item.find(path.attribute());
  for (const PathElement& step : path.steps()) {
    if (!value || value->type() != (step.is_index() ? Type::kList : Type::kMap)) return false;
    if (&step == &path.steps().back()) return true;
    value = step.is_index() ? value->list().at(step.index()) : value->map().find(step.name());
  }
  return false;
}

bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

}  // namespace

class Update::Run {
 public:
  Run(const Update& update, ItemView old, bool exists)
      : update_(update), tree_(update.touched_.tree()), old_(old), exists_(exists) {}

  Result<Item> item() {
    TRY(decide());
    writer_.begin_item();
    rewrite(old_, tree_.roots());
    writer_.end_item();
    std::string encoded = TRY(writer_.finish());
    return Item::from_encoded(std::move(encoded));
  }

 private:
  // What becomes of the value at a path.
  struct Outcome {
    enum class Kind : uint8_t { kKeep, kErase, kWrite };
    Kind kind = Kind::kKeep;
    std::optional<ValueView> value = {};  // of kWrite
  };

  // Fills outcomes_. AWS computes what SET writes before it looks at where anything is written.
  Result<void> decide() {
    outcomes_.resize(update_.actions_.size());
    for (size_t at = 0; at < outcomes_.size(); ++at) {
      const Action& action = update_.actions_[at];
      if (action.kind != ActionKind::kSet) continue;
      outcomes_[at] = {Outcome::Kind::kWrite, TRY(evaluate(action.value, action.value.nodes().size() - 1))};
    }
    for (size_t at = 0; at < outcomes_.size(); ++at) {
      const Action& action = update_.actions_[at];
      const Path& path = tree_.paths()[at];
      const bool may_lack_parent = !exists_ && action.kind == ActionKind::kRemove;
      if (!may_lack_parent && !has_parent(path, old_)) return wrong_path();
      switch (action.kind) {
        case ActionKind::kSet:
          break;
        case ActionKind::kRemove:
          outcomes_[at] = {Outcome::Kind::kErase};
          break;
        case ActionKind::kAdd:
          outcomes_[at] = {Outcome::Kind::kWrite, TRY(add_to(path.find(old_), action.operand))};
          break;
        case ActionKind::kDelete:
          outcomes_[at] = TRY(take_from(path.find(old_), action.operand));
          break;
      }
    }
    return {};
  }

  // A new value, kept for as long as the run.
  ValueView keep(std::string encoded) { return ValueView::at(made_.emplace_back(std::move(encoded)).data()); }
  ValueView keep(const Number& number) { return keep(std::string(Value(number).view().encoded())); }

  // Recursion is bounded by the length of an expression.
  Result<ValueView> evaluate(const SetValue& value, size_t at) {
    const SetValue::Node& node = value.nodes()[at];
    switch (node.kind) {
      case SetValue::Kind::kLiteral:
        return node.literal.view();
      case SetValue::Kind::kPath:
        if (const auto found = node.path->find(old_)) return *found;
        return missing_attribute();
      case SetValue::Kind::kIfNotExists:
        if (const auto found = node.path->find(old_)) return *found;
        return evaluate(value, node.right);
      default:
        break;
    }
    const ValueView left = TRY(evaluate(value, node.left));
    const Type type = node.kind == SetValue::Kind::kListAppend ? Type::kList : Type::kNumber;
    if (left.type() != type) return wrong_operand_type();
    const ValueView right = TRY(evaluate(value, node.right));
    if (right.type() != type) return wrong_operand_type();
    if (node.kind == SetValue::Kind::kPlus) return keep(TRY(add(left.number(), right.number())));
    if (node.kind == SetValue::Kind::kMinus) return keep(TRY(subtract(left.number(), right.number())));
    return concatenate(left.list(), right.list());
  }

  Result<ValueView> concatenate(ListView front, ListView back) {
    writer_.begin_list();
    for (const ValueView element : front) writer_.copy(element);
    for (const ValueView element : back) writer_.copy(element);
    writer_.end_list();
    return keep(TRY(writer_.finish()));
  }

  Error wrong_type() const {
    if (update_.dialect_ == UpdateDialect::kExpression) return wrong_operand_type();
    return invalid("Type mismatch for attribute to update");
  }

  Result<ValueView> add_to(std::optional<ValueView> old, ValueView operand) {
    if (!old) return operand;
    if (old->type() != operand.type()) return wrong_type();
    if (operand.type() == Type::kNumber) return keep(TRY(add(old->number(), operand.number())));
    if (is_set(operand.type())) return combine(*old, operand, [](bool, bool) { return true; });
    if (operand.type() == Type::kList) return concatenate(old->list(), operand.list());
    return wrong_type();
  }

  Result<Outcome> take_from(std::optional<ValueView> old, ValueView operand) {
    if (!old) return Outcome{Outcome::Kind::kKeep};
    if (old->type() != operand.type() || !is_set(operand.type())) return wrong_type();
    const SetView elements = operand.set();
    const SetView before = old->set();
    const bool empties = std::all_of(before.begin(), before.end(),
                                     [&](std::string_view element) { return elements.contains(element); });
    if (empties) return Outcome{Outcome::Kind::kErase};
    return Outcome{
        Outcome::Kind::kWrite,
        TRY(combine(*old, operand, [](bool in_old, bool in_operand) { return in_old && !in_operand; }))};
  }

  // The elements for which `stays` holds, of two sets of one type, told where an element is. Both ascend.
  template <typename Stays>
  Result<ValueView> combine(ValueView old, ValueView operand, Stays stays) {
    const SetView left = old.set(), right = operand.set();
    writer_.begin_set(old.type());
    auto a = left.begin();
    auto b = right.begin();
    while (a != left.end() || b != right.end()) {
      const bool in_left = a != left.end() && (b == right.end() || *a <= *b);
      const bool in_right = b != right.end() && (a == left.end() || *b <= *a);
      if (stays(in_left, in_right)) writer_.element(in_left ? *a : *b);
      if (in_left) ++a;
      if (in_right) ++b;
    }
    writer_.end_set();
    return keep(TRY(writer_.finish()));
  }

  // Writes the members of a map, changed where `nodes` say so. Both ascend.
  void rewrite(ItemView map, std::span<const PathTree::Node> nodes) {
    auto node = nodes.begin();
    const auto write_new = [&] {
      if (const auto value = written(*node)) {
        writer_.key(tree_.name(*node));
        writer_.copy(*value);
      }
      ++node;
    };
    for (const auto [name, value] : map) {
      while (node != nodes.end() && tree_.name(*node) < name) write_new();
      if (node == nodes.end() || tree_.name(*node) != name) {
        writer_.key(name);
        writer_.copy(value);
        continue;
      }
      if (!is_erased(*node)) {
        writer_.key(name);
        rewrite(value, *node);
      }
      ++node;
    }
    while (node != nodes.end()) write_new();
  }

  // Likewise the elements of a list. Those beyond its end are appended in the order of their indexes.
  void rewrite(ListView list, std::span<const PathTree::Node> nodes) {
    auto node = nodes.begin();
    uint32_t index = 0;
    for (const ValueView value : list) {
      if (node == nodes.end() || tree_.index(*node) != index++) {
        writer_.copy(value);
        continue;
      }
      if (!is_erased(*node)) rewrite(value, *node);
      ++node;
    }
    for (; node != nodes.end(); ++node) {
      if (const auto value = written(*node)) writer_.copy(*value);
    }
  }

  void rewrite(ValueView value, const PathTree::Node& node) {
    if (tree_.is_leaf(node)) return writer_.copy(written(node).value_or(value));
    const auto children = tree_.children(node);
    const bool in_list = tree_.is_index(children.front());
    if (in_list && value.type() == Type::kList) {
      writer_.begin_list();
      rewrite(value.list(), children);
      writer_.end_list();
    } else if (!in_list && value.type() == Type::kMap) {
      writer_.begin_map();
      rewrite(value.map(), children);
      writer_.end_map();
    } else {
      writer_.copy(value);
    }
  }

  std::optional<ValueView> written(const PathTree::Node& node) const {
    return tree_.is_leaf(node) ? outcomes_[node.path].value : std::nullopt;
  }
  bool is_erased(const PathTree::Node& node) const {
    return tree_.is_leaf(node) && outcomes_[node.path].kind == Outcome::Kind::kErase;
  }

  const Update& update_;
  const PathTree& tree_;
  const ItemView old_;
  const bool exists_;
  std::vector<Outcome> outcomes_;  // one for each action
  std::list<std::string> made_;
  ValueWriter writer_;
};

Result<Item> Update::run(ItemView old, bool exists) const { return Run(*this, old, exists).item(); }

}  // namespace sheaf::expr

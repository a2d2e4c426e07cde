#include "expr/update.h"

#include <algorithm>
#include <utility>

namespace sheaf::expr {
namespace {

// The type of what a SET writes, as far as its text says: that of a value, or of what an operator gives.
std::optional<Type> type_of(const SetValue& value) {
  // An attribute's own value, if it has one, is taken to be of the type that replaces it.
  for (size_t at = value.nodes().size() - 1;;) {
    const SetValue::Node& node = value.nodes()[at];
    switch (node.kind) {
      case SetValue::Kind::kLiteral:
        return node.literal.type();
      case SetValue::Kind::kPath:
        return std::nullopt;
      case SetValue::Kind::kPlus:
      case SetValue::Kind::kMinus:
        return Type::kNumber;
      case SetValue::Kind::kListAppend:
        return Type::kList;
      case SetValue::Kind::kIfNotExists:
        at = node.right;
        break;
    }
  }
}

}  // namespace

SetValue SetValue::of(ValueView literal) {
  SetValue value;
  value.nodes_.push_back({.kind = Kind::kLiteral, .literal = Value(literal)});
  return value;
}

SetValue SetValue::of(Path path) {
  SetValue value;
  value.nodes_.push_back({.kind = Kind::kPath, .path = std::move(path)});
  return value;
}

SetValue SetValue::join(Kind kind, SetValue left, SetValue right) {
  const auto offset = static_cast<uint32_t>(left.nodes_.size());
  for (Node& node : right.nodes_) {
    node.left += offset;
    node.right += offset;
    left.nodes_.push_back(std::move(node));
  }
  left.nodes_.push_back(
      {.kind = kind, .left = offset - 1, .right = static_cast<uint32_t>(left.nodes_.size() - 1)});
  return left;
}

SetValue SetValue::plus(SetValue left, SetValue right) {
  return join(Kind::kPlus, std::move(left), std::move(right));
}

SetValue SetValue::minus(SetValue left, SetValue right) {
  return join(Kind::kMinus, std::move(left), std::move(right));
}

SetValue SetValue::list_append(SetValue front, SetValue back) {
  return join(Kind::kListAppend, std::move(front), std::move(back));
}

SetValue SetValue::if_not_exists(Path path, SetValue otherwise) {
  const auto right = static_cast<uint32_t>(otherwise.nodes_.size() - 1);
  otherwise.nodes_.push_back({.kind = Kind::kIfNotExists, .right = right, .path = std::move(path)});
  return otherwise;
}

Update::Update(std::vector<Action> actions, Projection touched, UpdateDialect dialect)
    : actions_(std::move(actions)), touched_(std::move(touched)), dialect_(dialect) {
  creates_item_ = actions_.empty() || std::ranges::any_of(actions_, [](const Action& action) {
                    return action.kind == UpdateAction::Kind::kSet || action.kind == UpdateAction::Kind::kAdd;
                  });
}

Update Update::of_actions(std::vector<UpdateAction> actions, UpdateDialect dialect) {
  std::vector<Action> bound;
  std::vector<Path> paths;
  bound.reserve(actions.size());
  paths.reserve(actions.size());
  for (UpdateAction& action : actions) {
    bound.push_back({action.kind, std::move(action.value), std::move(action.operand)});
    paths.push_back(std::move(action.path));
  }
  return Update(std::move(bound), Projection::of_paths(std::move(paths)), dialect);
}

std::vector<const Path*> Update::paths() const {
  std::vector<const Path*> paths;
  for (size_t at = 0; at < actions_.size(); ++at) {
    paths.push_back(&touched_.paths()[at]);
    for (const SetValue::Node& node : actions_[at].value.nodes()) {
      if (node.path) paths.push_back(&*node.path);
    }
  }
  return paths;
}

std::optional<Type> Update::type_written(std::string_view attribute) const {
  for (size_t at = 0; at < actions_.size(); ++at) {
    const Path& path = touched_.paths()[at];
    if (path.is_nested() || path.attribute() != attribute) continue;
    const Action& action = actions_[at];
    if (action.kind == UpdateAction::Kind::kRemove) return std::nullopt;
    return action.kind == UpdateAction::Kind::kSet ? type_of(action.value) : action.operand.type();
  }
  return std::nullopt;
}

}  // namespace sheaf::expr

#include "partiql/changes.h"

#include "base/errors.h"
#include "base/try.h"
#include "partiql/paths.h"

namespace sheaf::partiql {
namespace {

using Kind = Expression::Kind;
using expr::SetValue;
using expr::UpdateAction;

Error wrong_operand(std::string_view operation, Type type) {
  return invalid("Incorrect operand type for operator or function; operator or function: " +
                 std::string(operation) + ", operand type: " + std::string(type_name(type)));
}

// The operands of + and - that are known must be numbers, those of list_append lists.
Result<void> check_operand(const Expression& operand, std::string_view operation, Type wanted) {
  if (!operand.is(Kind::kLiteral) || operand.value.type() == wanted) return {};
  return wrong_operand(operation, operand.value.type());
}

Result<SetValue> to_value(const Expression& expression);

Result<SetValue> to_sum(const Expression& sum) {
  if (sum.text != "+" && sum.text != "-")
    return invalid("Unsupported operator in Update Expression. Operator: " + sum.text);
  for (const Expression& part : sum.parts) TRY(check_operand(part, sum.text, Type::kNumber));
  SetValue left = TRY(to_value(sum.parts[0]));
  SetValue right = TRY(to_value(sum.parts[1]));
  return sum.text == "+" ? SetValue::plus(std::move(left), std::move(right))
                         : SetValue::minus(std::move(left), std::move(right));
}

Result<SetValue> to_call(const Expression& call) {
  if (call.text != "list_append")
    return invalid("Unrecognized function: " + call.text + " at " + call.place.to_string());
  if (call.parts.size() != 2) {
    return invalid(
        "Incorrect number of operands for operator or function; operator or function: list_append, number of "
        "operands: " +
        std::to_string(call.parts.size()));
  }
  for (const Expression& part : call.parts) TRY(check_operand(part, call.text, Type::kList));
  SetValue front = TRY(to_value(call.parts[0]));
  SetValue back = TRY(to_value(call.parts[1]));
  return SetValue::list_append(std::move(front), std::move(back));
}

Result<SetValue> to_value(const Expression& expression) {
  if (is_path(expression)) return SetValue::of(TRY(to_path(expression)));
  switch (expression.kind) {
    case Kind::kLiteral:
      return SetValue::of(expression.value);
    case Kind::kBinary:
      return to_sum(expression);
    case Kind::kCall:
      return to_call(expression);
    default:
      return invalid("Unsupported value in an update at " + expression.place.to_string());
  }
}

bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

// SET p = set_add(p, <<...>>)
Result<UpdateAction> to_set_change(expr::Path path, const Expression& call) {
  const std::string name = call.text == "set_add" ? "SET_ADD" : "SET_DELETE";
  const std::string place = " at " + call.place.to_string();
  if (call.parts.size() != 2) return invalid(name + " must have exactly two arguments" + place);
  const bool is_same = is_path(call.parts[0]) && TRY(to_path(call.parts[0])) == path;
  if (!is_same) return invalid("The first argument to " + name + " must equal the assignment value" + place);
  const Expression& elements = call.parts[1];
  if (!elements.is(Kind::kLiteral) || !is_set(elements.value.type())) {
    return invalid("The second argument to " + name + " must be a value with type SET at " +
                   call.parts[0].place.to_string());
  }
  return call.text == "set_add" ? UpdateAction::add(std::move(path), elements.value)
                                : UpdateAction::take(std::move(path), elements.value);
}

Result<UpdateAction> to_action(const UpdateStatement::Action& action) {
  expr::Path path = TRY(to_path(action.path));
  if (!action.value) return UpdateAction::remove(std::move(path));
  const bool changes_set = action.value->is(Kind::kCall) &&
                           (action.value->text == "set_add" || action.value->text == "set_delete");
  if (changes_set) return to_set_change(std::move(path), *action.value);
  SetValue value = TRY(to_value(*action.value));
  return UpdateAction::set(std::move(path), std::move(value));
}

}  // namespace

Result<expr::Update> to_update(const std::vector<UpdateStatement::Action>& actions) {
  std::vector<UpdateAction> made;
  std::vector<expr::Path> paths;
  for (const UpdateStatement::Action& action : actions) {
    made.push_back(TRY(to_action(action)));
    paths.push_back(made.back().path);
  }
  if (std::optional<std::string> clash = expr::find_clash(paths)) return invalid(std::move(*clash));
  return expr::Update::of_actions(std::move(made), expr::UpdateDialect::kExpression);
}

}  // namespace sheaf::partiql

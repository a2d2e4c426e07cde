// Random conditions and updates: such as the database accepts, whatever they then mean for an item.
#include <algorithm>

#include "programs/value_generator.h"

namespace sheaf::programs {
namespace {

using std::string_literals::operator""s;

SetValue of_value(Value value) {
  return {.operand = {.kind = Operand::Kind::kValue, .value = std::move(value)}};
}
SetValue of_path(DocumentPath path) { return {.operand = {.path = std::move(path)}}; }

}  // namespace

Operand ValueGenerator::path_operand() {
  if (dice_.one_in(6)) return {.path = {dice_.one_in(2) ? "pk" : "sk", {}}};
  return {.path = path()};
}

Operand ValueGenerator::value_operand(Value value) {
  return {.kind = Operand::Kind::kValue, .value = std::move(value)};
}

Condition ValueGenerator::simple_condition() {
  static const std::vector<std::string> comparators = {"=", "<>", "<", "<=", ">", ">="};
  static const std::vector<Type> types = {Type::kNull,   Type::kBool,      Type::kNumber,
                                          Type::kString, Type::kBinary,    Type::kMap,
                                          Type::kList,   Type::kStringSet, Type::kNumberSet};
  using Kind = Condition::Kind;
  const auto ordered = [&] {
    return dice_.one_in(2) ? small_number() : dice_.one_in(2) ? text() : index_value(Type::kBinary);
  };
  Condition condition;
  const Operand first = path_operand();
  switch (dice_.below(10)) {
    case 0:
      condition = {.kind = Kind::kExists, .operands = {first}};
      break;
    case 1:
      condition = {.kind = Kind::kNotExists, .operands = {first}};
      break;
    case 2:
      condition = {.kind = Kind::kTypeIs, .operands = {first}, .type = dice_.pick(types)};
      break;
    case 3:
      condition = {.kind = Kind::kBeginsWith, .operands = {first, value_operand(text())}};
      break;
    case 4:
      condition = {.kind = Kind::kContains, .operands = {first, value_operand(value())}};
      break;
    case 5: {
      std::vector<Value> bounds = {small_number(), small_number()};
      if (dice_.one_in(2)) bounds = {text(), text()};
      if (*compare(bounds[0], bounds[1]) > 0) std::swap(bounds[0], bounds[1]);
      condition = {.kind = Kind::kBetween,
                   .operands = {first, value_operand(bounds[0]), value_operand(bounds[1])}};
      break;
    }
    case 6:
      condition = {.kind = Kind::kIn, .operands = {first}};
      for (uint64_t left = 1 + dice_.below(4); left > 0; --left)
        condition.operands.push_back(value_operand(value()));
      break;
    case 7:
      condition = {.kind = Kind::kCompare,
                   .operands = {{.kind = Operand::Kind::kSize, .path = first.path}, value_operand(Value(2))},
                   .comparator = dice_.pick(comparators)};
      break;
    default: {
      const std::string& comparator = dice_.pick(comparators);
      const bool equality = comparator == "=" || comparator == "<>";
      Operand second = value_operand(equality ? value() : ordered());
      if (dice_.one_in(6)) second = path_operand();
      if (second.kind == Operand::Kind::kPath && second.path == first.path)
        second = value_operand(small_number());
      condition = {.kind = Kind::kCompare, .operands = {first, second}, .comparator = comparator};
      if (dice_.one_in(6)) std::swap(condition.operands[0], condition.operands[1]);
    }
  }
  return condition;
}

Condition ValueGenerator::condition(int depth) {
  if (depth == 0 && dice_.one_in(4)) {
    // The two that everybody uses.
    return {.kind = dice_.one_in(2) ? Condition::Kind::kExists : Condition::Kind::kNotExists,
            .operands = {{.path = {"pk", {}}}}};
  }
  if (depth >= 3 || dice_.percent(60)) return simple_condition();
  if (dice_.one_in(4)) return {.kind = Condition::Kind::kNot, .parts = {condition(depth + 1)}};
  Condition joined{.kind = dice_.one_in(2) ? Condition::Kind::kAnd : Condition::Kind::kOr};
  for (uint64_t left = 2 + dice_.below(2); left > 0; --left) {
    Condition part = condition(depth + 1);
    joined.parts.push_back(std::move(part));
  }
  return joined;
}

SetValue ValueGenerator::set_value(const DocumentPath& target) {
  const auto number_or_path = [&] { return dice_.one_in(2) ? of_value(small_number()) : of_path(target); };
  const bool number = target.attribute == "v" && !target.is_nested();
  const bool list = target.attribute == "list0" && !target.is_nested();
  const uint64_t kind = dice_.one_in(8)   ? dice_.below(5)
                        : number          ? dice_.below(3)
                        : list            ? 4 + dice_.below(2) * 2
                        : dice_.one_in(4) ? 3
                                          : 6;
  switch (kind) {
    case 0:
      return {.kind = SetValue::Kind::kPlus, .parts = {of_path(target), of_value(small_number())}};
    case 1:
      return {.kind = SetValue::Kind::kMinus, .parts = {number_or_path(), of_value(small_number())}};
    case 2: {
      SetValue otherwise{.kind = SetValue::Kind::kIfNotExists, .operand = {.path = target}};
      otherwise.parts = {of_value(Value(0))};
      return {.kind = SetValue::Kind::kPlus, .parts = {std::move(otherwise), of_value(small_number())}};
    }
    case 3: {
      SetValue otherwise{.kind = SetValue::Kind::kIfNotExists, .operand = {.path = path()}};
      otherwise.parts = {of_value(value())};
      return otherwise;
    }
    case 4: {
      const SetValue literal = of_value(Value::list({small_number(), text()}));
      SetValue appended{.kind = SetValue::Kind::kListAppend, .parts = {of_path({"list0", {}}), literal}};
      if (dice_.one_in(3)) std::swap(appended.parts[0], appended.parts[1]);
      return appended;
    }
    case 5:
      return of_path(path());
    default:
      if (number) return of_value(small_number());
      if (list) return of_value(Value::list({value(), document(1), small_number()}));
      return of_value(dice_.one_in(4) ? document(0) : value());
  }
}

UpdateStep ValueGenerator::update_step(const KeySchema& schema) {
  using Kind = UpdateStep::Kind;
  UpdateStep step;
  step.path = path();
  if (step.path.is_nested() && dice_.one_in(2)) step.path = {"doc", {dice_.one_in(2) ? "x"s : "y"s}};
  if (dice_.one_in(120)) step.path = {schema.partition.front().name, {}};  // refused
  if (dice_.one_in(200)) step.path = {"gp", {"x"s}};                       // refused where it is a key
  const auto& attributes = index_attributes();
  const auto indexed = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& each) { return each.name == step.path.attribute; });
  switch (dice_.below(8)) {
    case 0:
    case 1:
      step.kind = Kind::kRemove;
      return step;
    case 2:
      step.kind = Kind::kAdd;
      step.operand = dice_.one_in(2) ? small_number() : set();
      if (dice_.percent(80)) step.path = {step.operand.type() == Type::kNumber ? "v" : "tags", {}};
      return step;
    case 3:
      step.kind = Kind::kDelete;
      if (dice_.percent(80)) step.path = {"tags", {}};
      step.operand = set();
      return step;
    default:
      break;
  }
  if (indexed != attributes.end() && !step.path.is_nested() && dice_.percent(85)) {
    step.value = of_value(dice_.one_in(60) ? odd_value(indexed->type, 1024) : index_value(indexed->type));
  } else if (step.path.attribute == "ttl") {
    step.value = of_value(expiry_time());
  } else if (dice_.one_in(25)) {
    step.path = {"pad", {}};
    step.value = of_value(padding());
  } else {
    // Numbers and lists where there mostly are such, or hardly any update would succeed.
    if (dice_.percent(50)) step.path = {dice_.percent(70) ? "v" : "list0", {}};
    step.value = set_value(step.path);
  }
  return step;
}

Update ValueGenerator::update(const KeySchema& schema) {
  Update update;
  for (uint64_t left = 1 + dice_.below(4); left > 0; --left) {
    UpdateStep step = update_step(schema);
    const bool clashes = std::any_of(update.begin(), update.end(), [&](const UpdateStep& each) {
      return paths_clash(each.path, step.path);
    });
    if (!clashes) update.push_back(std::move(step));
  }
  // Each kind is one section of the text; they may come in any order.
  const uint64_t turn = dice_.below(4);
  std::stable_sort(update.begin(), update.end(), [&](const UpdateStep& a, const UpdateStep& b) {
    const auto rank = [&](const UpdateStep& step) { return (static_cast<uint64_t>(step.kind) + turn) % 4; };
    return rank(a) < rank(b);
  });
  return update;
}

}  // namespace sheaf::programs

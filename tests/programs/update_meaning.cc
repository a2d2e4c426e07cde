// What an update means, read off its tree.
#include <algorithm>
#include <set>

#include "base/try.h"
#include "programs/expression_model.h"

namespace sheaf::programs {
namespace {

Error invalid(const char* message) { return {Code::kInvalid, message}; }
Error wrong_type() { return invalid("An operand in the update expression has an incorrect data type"); }

Value set_of(Type type, const std::set<std::string>& elements) {
  ValueWriter out;
  out.begin_set(type);
  for (const std::string& element : elements) out.element(element);
  out.end_set();
  return Value::decode(out.finish().value()).value();
}

std::set<std::string> elements_of(ValueView set) {
  std::set<std::string> elements;
  for (const std::string_view element : set.set()) elements.emplace(element);
  return elements;
}

Result<Value> evaluate(const SetValue& value, ItemView old) {
  if (value.kind == SetValue::Kind::kOperand) {
    if (value.operand.kind == Operand::Kind::kValue) return value.operand.value;
    if (const auto found = value_at(old, value.operand.path)) return Value(*found);
    return invalid("The provided expression refers to an attribute that does not exist in the item");
  }
  if (value.kind == SetValue::Kind::kIfNotExists) {
    if (const auto found = value_at(old, value.operand.path)) return Value(*found);
    return evaluate(value.parts[0], old);
  }
  const Type wanted = value.kind == SetValue::Kind::kListAppend ? Type::kList : Type::kNumber;
  std::vector<Value> operands;
  for (const SetValue& part : value.parts) {
    operands.push_back(TRY(evaluate(part, old)));
    if (operands.back().type() != wanted) return wrong_type();
  }
  if (wanted == Type::kList) {
    std::vector<Value> elements;
    for (const Value& list : operands) {
      for (const ValueView element : list.view().list()) elements.emplace_back(element);
    }
    return Value::list(elements);
  }
  const NumberView left = operands[0].view().number(), right = operands[1].view().number();
  return Value(TRY(value.kind == SetValue::Kind::kPlus ? add(left, right) : subtract(left, right)));
}

// What becomes of one place: it stays, goes, or gets a value.
struct Outcome {
  enum class Kind : uint8_t { kStays, kGoes, kWritten };
  Kind kind = Kind::kStays;
  Value value;
};

Result<Outcome> add_to(std::optional<ValueView> old, const Value& operand) {
  if (!old) return Outcome{Outcome::Kind::kWritten, operand};
  if (old->type() != operand.type()) return wrong_type();
  if (operand.type() == Type::kNumber)
    return Outcome{Outcome::Kind::kWritten, Value(TRY(add(old->number(), operand.view().number())))};
  std::set<std::string> elements = elements_of(*old);
  elements.merge(elements_of(operand));
  return Outcome{Outcome::Kind::kWritten, set_of(operand.type(), elements)};
}

Result<Outcome> delete_from(std::optional<ValueView> old, const Value& operand) {
  if (!old) return Outcome{};
  if (old->type() != operand.type()) return wrong_type();
  std::set<std::string> elements = elements_of(*old);
  for (const std::string& element : elements_of(operand)) elements.erase(element);
  if (elements.empty()) return Outcome{Outcome::Kind::kGoes, {}};
  return Outcome{Outcome::Kind::kWritten, set_of(operand.type(), elements)};
}

bool has_parent(ItemView item, DocumentPath path) {
  if (!path.is_nested()) return true;
  const DocumentPath::Step last = path.steps.back();
  path.steps.pop_back();
  const std::optional<ValueView> parent = value_at(item, path);
  return parent && parent->type() == (last.index() == 0 ? Type::kMap : Type::kList);
}

struct Change {
  std::vector<DocumentPath::Step> rest;  // of the path, from here
  Outcome outcome;
};

// All positions in lists are those before the update; what is set behind a list's end is appended in order.
void apply_changes(Document& document, const std::vector<Change>& changes) {
  std::map<DocumentPath::Step, std::vector<Change>> by_step;
  for (const Change& change : changes) {
    by_step[change.rest.front()].push_back(
        {.rest = {change.rest.begin() + 1, change.rest.end()}, .outcome = change.outcome});
  }
  std::set<uint32_t> gone;
  const size_t size_before = document.elements.size();
  for (const auto& [step, deeper] : by_step) {
    const bool ends_here = deeper.front().rest.empty();
    const Outcome& outcome = deeper.front().outcome;
    if (const auto* name = std::get_if<std::string>(&step)) {
      if (document.kind != Document::Kind::kMap) continue;
      const auto member = document.members.find(*name);
      if (!ends_here) {
        if (member != document.members.end()) apply_changes(member->second, deeper);
      } else if (outcome.kind == Outcome::Kind::kGoes) {
        document.members.erase(*name);
      } else if (outcome.kind == Outcome::Kind::kWritten) {
        document.members[*name] = Document::of(outcome.value);
      }
      continue;
    }
    if (document.kind != Document::Kind::kList) continue;
    const uint32_t index = std::get<uint32_t>(step);
    const bool inside = index < size_before;
    if (!ends_here) {
      if (inside) apply_changes(document.elements[index], deeper);
    } else if (outcome.kind == Outcome::Kind::kGoes) {
      if (inside) gone.insert(index);
    } else if (outcome.kind == Outcome::Kind::kWritten) {
      if (inside) {
        document.elements[index] = Document::of(outcome.value);
      } else {
        document.elements.push_back(Document::of(outcome.value));
      }
    }
  }
  for (auto index = gone.rbegin(); index != gone.rend(); ++index)
    document.elements.erase(document.elements.begin() + *index);
}

}  // namespace

Result<Item> apply_update(const Update& update, ItemView old, bool exists) {
  std::vector<Outcome> outcomes(update.size());
  for (size_t i = 0; i < update.size(); ++i) {
    if (update[i].kind == UpdateStep::Kind::kSet)
      outcomes[i] = {Outcome::Kind::kWritten, TRY(evaluate(update[i].value, old))};
  }
  for (size_t i = 0; i < update.size(); ++i) {
    const UpdateStep& step = update[i];
    const bool may_be_nowhere = !exists && step.kind == UpdateStep::Kind::kRemove;
    if (!may_be_nowhere && !has_parent(old, step.path))
      return invalid("The document path provided in the update expression is invalid for update");
    if (step.kind == UpdateStep::Kind::kRemove) outcomes[i].kind = Outcome::Kind::kGoes;
    if (step.kind == UpdateStep::Kind::kAdd)
      outcomes[i] = TRY(add_to(value_at(old, step.path), step.operand));
    if (step.kind == UpdateStep::Kind::kDelete)
      outcomes[i] = TRY(delete_from(value_at(old, step.path), step.operand));
  }
  std::vector<Change> changes;
  for (size_t i = 0; i < update.size(); ++i) {
    Change change{.rest = {update[i].path.attribute}, .outcome = outcomes[i]};
    change.rest.insert(change.rest.end(), update[i].path.steps.begin(), update[i].path.steps.end());
    changes.push_back(std::move(change));
  }
  Document document = Document::of(old);
  apply_changes(document, changes);
  return document.to_item();
}

void collect_paths(const Update& update, std::vector<DocumentPath>& paths) {
  const auto collect = [&](const auto& self, const SetValue& value) -> void {
    const bool reads = value.kind == SetValue::Kind::kIfNotExists ||
                       (value.kind == SetValue::Kind::kOperand && value.operand.kind == Operand::Kind::kPath);
    if (reads) paths.push_back(value.operand.path);
    for (const SetValue& part : value.parts) self(self, part);
  };
  for (const UpdateStep& step : update) {
    paths.push_back(step.path);
    if (step.kind == UpdateStep::Kind::kSet) collect(collect, step.value);
  }
}

}  // namespace sheaf::programs

// The conditions of an operation: tested by the write itself, or, where it cannot, on what was read.
#include <algorithm>

#include "base/try.h"
#include "run/attempt.h"
#include "run/conditions.h"
#include "run/guards.h"

namespace sheaf::run {

using model::EndId;
using model::Place;
using Test = language::Condition::Test;

namespace {

bool is_ordered(Type type) { return type == Type::kString || type == Type::kNumber || type == Type::kBinary; }

// Whether the test can be true with these operands. DynamoDB refuses some of those that cannot.
bool may_hold(Test test, const std::vector<std::variant<Value, AttributePath>>& operands) {
  const auto value = [&](size_t i) { return std::get_if<Value>(&operands[i]); };
  switch (test) {
    case Test::kLess:
    case Test::kLessOrEqual:
    case Test::kGreater:
    case Test::kGreaterOrEqual:
      return value(0) == nullptr || is_ordered(value(0)->type());
    case Test::kBegins:
      return value(0) == nullptr || value(0)->type() == Type::kString;
    case Test::kBetween: {
      for (const size_t i : {0, 1}) {
        if (value(i) != nullptr && !is_ordered(value(i)->type())) return false;
      }
      if (value(0) == nullptr || value(1) == nullptr) return true;
      const auto order = compare(*value(0), *value(1));
      return order && *order <= 0;
    }
    default:
      return true;
  }
}

}  // namespace

// Where its own item has what a place leads to; empty if it has not, or only in its key.
AttributePath Attempt::checked_path(const Change& change, const Place& place) const {
  const model::ItemKind& kind = *layout_.kind(change.entity);
  if (place.ends.empty()) {
    if (kind.holds_in_key({.path = {.field = place.field}})) return {};
    return path_of(model_.entities[change.entity].fields[place.field], place.inside);
  }
  const EndId end = place.ends.front();
  if (layout_.storage(end) != model::EndStorage::kReference) return {};
  const std::vector<model::FieldPath>& parts = model_.entities[model_.end(end).target].identity;
  size_t part = 0;
  if (place.kind == Place::Kind::kField) {
    const model::FieldPath rest{.ends = {place.ends.begin() + 1, place.ends.end()}, .field = place.field};
    part = static_cast<size_t>(std::find(parts.begin(), parts.end(), rest) - parts.begin());
    if (part == parts.size()) return {};
  } else if (place.kind != Place::Kind::kEntity || place.ends.size() > 1) {
    return {};
  }
  model::HoleSource source{.path = parts[part]};
  source.path.ends.insert(source.path.ends.begin(), end);
  if (kind.holds_in_key(source)) return {};
  return {reference_attribute(model_, end, part)};
}

bool Attempt::is_blind(const Change& change, const Checked& checked) const {
  if (layout_.embedding_end(model_, change.entity) || !layout_.has_items(change.entity) ||
      made(change.entity, change.identity) != nullptr)
    return false;
  const std::vector<model::FieldPath>& identity = model_.entities[change.entity].identity;
  const model::FieldPath path{.ends = checked.place->ends, .field = checked.place->field};
  const bool is_id = checked.place->kind == Place::Kind::kField &&
                     std::find(identity.begin(), identity.end(), path) != identity.end();
  const AttributePath tested = checked_path(change, *checked.place);
  if (is_id || tested.empty()) return false;
  return std::all_of(checked.operands.begin(), checked.operands.end(), [&](const ChangeOperand& operand) {
    const auto* own = std::get_if<OwnField>(&operand);
    if (own == nullptr) return true;
    // DynamoDB refuses to compare an attribute with itself.
    const model::Field& field = model_.entities[change.entity].fields[own->field];
    return path_of(field, own->inside) != tested && !layout_.is_by_field(change.entity) &&
           !layout_.kind(change.entity)->holds_in_key({.path = {.field = own->field}});
  });
}

Result<void> Attempt::apply_checks(const Change& change) {
  if (layout_.has_items(change.entity)) subject(change.entity, change.identity).must_exist = true;
  for (const Checked& checked : change.checks) TRY(apply_check(change, checked));
  return {};
}

Result<void> Attempt::apply_check(const Change& change, const Checked& checked) {
  const Error error{Code::kConflict, "the check on " + checked.text + " fails"};
  const bool is_blind = this->is_blind(change, checked);
  std::vector<std::variant<Value, AttributePath>> operands;
  std::vector<Value> values;
  bool is_missing = false;
  for (const ChangeOperand& operand : checked.operands) {
    const auto* own = std::get_if<OwnField>(&operand);
    if (own != nullptr && is_blind) {
      operands.emplace_back(path_of(model_.entities[change.entity].fields[own->field], own->inside));
      continue;
    }
    std::optional<Value> value;
    if (own != nullptr) {
      const Place place{.field = own->field, .inside = own->inside};
      value = TRY(value_before(change.entity, change.identity, place));
    } else {
      value = TRY(known(operand, {}, model_.entities[change.entity]));
    }
    is_missing = is_missing || !value;
    if (!value) continue;
    operands.emplace_back(*value);
    values.push_back(*std::move(value));
  }
  if (is_blind) {
    if (is_missing || !may_hold(checked.test, operands)) return error;
    subject(change.entity, change.identity)
        .expected.push_back({.kind = Expected::Kind::kTest,
                             .path = checked_path(change, *checked.place),
                             .operands = std::move(operands),
                             .test = checked.test,
                             .error = error});
    return {};
  }
  const std::optional<Value> found = TRY(value_before(change.entity, change.identity, *checked.place));
  const auto view = found ? std::optional<ValueView>(*found) : std::nullopt;
  if (is_missing || !passes(checked.test, view, values)) return error;
  return {};
}

}  // namespace sheaf::run

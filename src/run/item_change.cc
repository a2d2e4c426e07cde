#include "run/item_change.h"

#include <algorithm>

#include "base/try.h"
#include "run/cancellation.h"
#include "run/conditions.h"
#include "run/item_codec.h"
#include "run/refusal.h"

namespace sheaf::run {
namespace {

using ExpectedKind = Expected::Kind;
using Test = language::Condition::Test;

// Placeholders for one request.
class Expressions {
 public:
  std::string name(std::string_view attribute) {
    for (const auto& [placeholder, known] : names_) {
      if (known == attribute) return placeholder;
    }
    std::string placeholder = "#" + std::to_string(names_.size());
    names_.emplace_back(placeholder, std::string(attribute));
    return placeholder;
  }

  std::string value(const Value& value) {
    std::string placeholder = ":" + std::to_string(values_.size());
    values_.emplace(placeholder, value);
    return placeholder;
  }

  std::string path(const AttributePath& path) {
    std::string text;
    for (const auto& part : path) {
      if (const auto* at = std::get_if<size_t>(&part)) {
        text += "[" + std::to_string(*at) + "]";
      } else {
        text += (text.empty() ? "" : ".") + name(std::get<std::string>(part));
      }
    }
    return text;
  }

  std::string test(const Expected& expected) {
    const std::string at = path(expected.path);
    const auto operand = [&](size_t i) {
      const auto* known = std::get_if<Value>(&expected.operands[i]);
      return known != nullptr ? value(*known) : path(std::get<AttributePath>(expected.operands[i]));
    };
    switch (expected.test) {
      case Test::kEqual:
        return at + " = " + operand(0);
      case Test::kNotEqual:
        return present(expected, true) + at + " <> " + operand(0);
      case Test::kLess:
        return at + " < " + operand(0);
      case Test::kLessOrEqual:
        return at + " <= " + operand(0);
      case Test::kGreater:
        return at + " > " + operand(0);
      case Test::kGreaterOrEqual:
        return at + " >= " + operand(0);
      case Test::kBetween: {
        const std::string low = operand(0);
        return at + " BETWEEN " + low + " AND " + operand(1);
      }
      case Test::kBegins:
        return "begins_with(" + at + ", " + operand(0) + ")";
      case Test::kIn: {
        std::string list;
        for (size_t i = 0; i < expected.operands.size(); ++i) list += (i > 0 ? ", " : "") + operand(i);
        return present(expected, false) + at + " IN (" + list + ")";
      }
      case Test::kExists:
        return "attribute_exists(" + at + ")";
      case Test::kMissing:
        return "attribute_not_exists(" + at + ")";
    }
    return {};
  }

  // That attributes are there, where the test itself would hold without them.
  std::string present(const Expected& expected, bool is_tested_one) {
    std::string text = is_tested_one ? "attribute_exists(" + path(expected.path) + ") AND " : "";
    for (const auto& operand : expected.operands) {
      if (const auto* other = std::get_if<AttributePath>(&operand))
        text += "attribute_exists(" + path(*other) + ") AND ";
    }
    return text;
  }

  std::string condition(const ItemChange& change) {
    std::string text;
    for (const Expected& expected : change.expected) {
      std::string one;
      switch (expected.kind) {
        case ExpectedKind::kExists:
          one = "attribute_exists(" + name(change.pk_name) + ")";
          break;
        case ExpectedKind::kAbsent:
          one = "attribute_not_exists(" + name(change.pk_name) + ")";
          break;
        case ExpectedKind::kMissing:
          one = "attribute_not_exists(" + path(expected.path) + ")";
          break;
        case ExpectedKind::kPresent:
          one = "attribute_exists(" + path(expected.path) + ")";
          break;
        case ExpectedKind::kEquals:
          one = path(expected.path) + " = " + value(expected.values[0]);
          break;
        case ExpectedKind::kContains:
          one = "contains(" + path(expected.path) + ", " + value(expected.values[0]) + ")";
          break;
        case ExpectedKind::kNotContains:
          one = "NOT contains(" + path(expected.path) + ", " + value(expected.values[0]) + ")";
          break;
        case ExpectedKind::kAtMost:
          one = "(attribute_not_exists(" + path(expected.path) + ") OR " + path(expected.path) +
                " <= " + value(expected.values[0]) + ")";
          break;
        case ExpectedKind::kTest:
          one = test(expected);
          break;
      }
      text += (text.empty() ? "" : " AND ") + one;
    }
    return text;
  }

  std::string update(const ItemChange& change) {
    std::string text;
    for (const auto& [at, what] : change.sets)
      text += (text.empty() ? "SET " : ", ") + path(at) + " = " + assigned(at, what);
    std::string removes;
    for (const AttributePath& at : change.removes) removes += (removes.empty() ? "REMOVE " : ", ") + path(at);
    std::string adds;
    for (const auto& [attribute, elements] : change.adds)
      adds += (adds.empty() ? "ADD " : ", ") + name(attribute) + " " + value(elements);
    for (const std::string& part : {removes, adds}) {
      if (!part.empty()) text += (text.empty() ? "" : " ") + part;
    }
    return text;
  }

  Names names() const { return names_; }
  Item values() const { return item_of(values_); }

 private:
  std::string assigned(const AttributePath& at, const std::variant<Value, Sum, Appended>& what) {
    if (const auto* plain = std::get_if<Value>(&what)) return value(*plain);
    if (const auto* appended = std::get_if<Appended>(&what)) {
      const std::string empty = value(Value::list(std::vector<Value>()));
      return "list_append(if_not_exists(" + path(at) + ", " + empty + "), " +
             value(Value::list(std::vector<Value>{appended->element})) + ")";
    }
    std::string text;
    for (const Term& term : std::get<Sum>(what)) {
      std::string operand;
      if (const auto* plain = std::get_if<Value>(&term.operand)) {
        operand = value(*plain);
      } else {
        operand = path(std::get<AttributePath>(term.operand));
        if (term.if_missing) operand = "if_not_exists(" + operand + ", " + value(*term.if_missing) + ")";
      }
      text += text.empty() ? operand : std::string(" ") + term.mark + " " + operand;
    }
    return text;
  }

  Names names_;
  Fields values_;
};

std::optional<std::string> non_empty(std::string text) {
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

TransactAction action_of(const ItemChange& change) {
  Expressions expressions;
  std::optional<std::string> condition = non_empty(expressions.condition(change));
  switch (change.action) {
    case ItemChange::Action::kPut:
      return PutItem{.table = change.table,
                     .item = change.item,
                     .condition = std::move(condition),
                     .names = expressions.names(),
                     .values = expressions.values(),
                     .return_item_on_failure = true};
    case ItemChange::Action::kUpdate: {
      std::string update = expressions.update(change);
      return UpdateItem{.table = change.table,
                        .key = change.key,
                        .update = non_empty(std::move(update)),
                        .condition = std::move(condition),
                        .names = expressions.names(),
                        .values = expressions.values(),
                        .return_item_on_failure = true};
    }
    case ItemChange::Action::kDelete:
      return DeleteItem{.table = change.table,
                        .key = change.key,
                        .condition = std::move(condition),
                        .names = expressions.names(),
                        .values = expressions.values(),
                        .return_item_on_failure = true};
    case ItemChange::Action::kCheck:
      break;
  }
  return ConditionCheck{.table = change.table,
                        .key = change.key,
                        .condition = std::move(condition),
                        .names = expressions.names(),
                        .values = expressions.values(),
                        .return_item_on_failure = true};
}

// Which expectation the item that was there does not meet.
Result<Transaction::Outcome> judge(const ItemChange& change, const std::optional<Item>& item) {
  Refusal refusal;
  for (const Expected& expected : change.expected) {
    if (expected.holds(item)) continue;
    if (expected.is_race && refusal.empty()) return Transaction::Outcome::kRace;
    if (!expected.is_race) TRY(refusal.take(expected.error));
  }
  TRY(refusal.result());
  return Transaction::Outcome::kRace;
}

}  // namespace

std::optional<ValueView> value_at(ItemView item, const AttributePath& path) {
  std::optional<ValueView> value = item.find(std::get<std::string>(path.front()));
  for (size_t i = 1; i < path.size() && value; ++i) {
    if (const auto* at = std::get_if<size_t>(&path[i])) {
      value = value->type() == Type::kList ? value->list().at(*at) : std::nullopt;
    } else {
      value = value->type() == Type::kMap ? value->map().find(std::get<std::string>(path[i])) : std::nullopt;
    }
  }
  return value;
}

bool Expected::holds(const std::optional<Item>& item) const {
  if (kind == ExpectedKind::kExists) return item.has_value();
  if (kind == ExpectedKind::kAbsent) return !item.has_value();
  const std::optional<ValueView> found = item ? value_at(item->view(), path) : std::nullopt;
  const auto has_element = [&] {
    if (!found || found->type() != Type::kList) return false;
    for (const ValueView element : found->list()) {
      if (Value(element) == values[0]) return true;
    }
    return false;
  };
  switch (kind) {
    case ExpectedKind::kMissing:
      return !found;
    case ExpectedKind::kPresent:
      return found.has_value();
    case ExpectedKind::kEquals:
      return found && Value(*found) == values[0];
    case ExpectedKind::kContains:
      return has_element();
    case ExpectedKind::kNotContains:
      return !has_element();
    case ExpectedKind::kAtMost:
      return !found || (compare(*found, values[0]) && *compare(*found, values[0]) <= 0);
    default:
      break;
  }
  std::vector<Value> known;
  for (const auto& operand : operands) {
    if (const auto* value = std::get_if<Value>(&operand)) {
      known.push_back(*value);
      continue;
    }
    const auto other = item ? value_at(item->view(), std::get<AttributePath>(operand)) : std::nullopt;
    if (!other) return false;
    known.emplace_back(*other);
  }
  return passes(test, found, known);
}

void ItemChange::expect(Expected each) {
  const auto same = [&](const Expected& other) {
    return other.kind == each.kind && other.path == each.path && other.values == each.values &&
           other.operands == each.operands && other.test == each.test;
  };
  if (std::none_of(expected.begin(), expected.end(), same)) expected.push_back(std::move(each));
}

void ItemChange::set(std::string_view attribute, Value value) {
  sets.emplace_back(AttributePath{std::string(attribute)}, std::move(value));
}

void ItemChange::remove(std::string_view attribute) { removes.push_back({std::string(attribute)}); }

ItemChange* Transaction::find(const std::string& table, const Item& key) const {
  for (const auto& known : changes_) {
    if (known->table == table && known->key == key) return known.get();
  }
  return nullptr;
}

ItemChange& Transaction::change(const std::string& table, const std::string& pk_name, const Item& key) {
  if (ItemChange* const known = find(table, key)) return *known;
  changes_.push_back(std::make_unique<ItemChange>());
  changes_.back()->table = table;
  changes_.back()->pk_name = pk_name;
  changes_.back()->key = key;
  return *changes_.back();
}

void Transaction::join(Transaction other) {
  for (std::unique_ptr<ItemChange>& change : other.changes_) {
    for (Expected& expected : change->expected) expected.is_race = true;
    changes_.push_back(std::move(change));
  }
}

Result<Transaction::Outcome> Transaction::commit_one(Database& database, Figures& figures,
                                                     const ItemChange& change) const {
  const TransactAction action = action_of(change);
  sheaf::Written written;
  if (const auto* put = std::get_if<PutItem>(&action)) {
    written = TRY(database.put_item(*put));
  } else if (const auto* update = std::get_if<UpdateItem>(&action)) {
    written = TRY(database.update_item(*update));
  } else {
    written = TRY(database.delete_item(std::get<DeleteItem>(action)));
  }
  figures.units += written.capacity.total();
  if (written.condition_met) return Outcome::kDone;
  return judge(change, written.attributes);
}

// What is neither changed nor expected to be something needs no action.
void Transaction::drop_idle() {
  std::erase_if(changes_, [](const auto& change) {
    const bool is_nothing = change->sets.empty() && change->removes.empty() && change->adds.empty();
    if (change->action == ItemChange::Action::kUpdate && is_nothing)
      change->action = ItemChange::Action::kCheck;
    return change->action == ItemChange::Action::kCheck && change->expected.empty();
  });
}

Result<Transaction::Outcome> Transaction::commit(Database& database, Figures& figures) {
  drop_idle();
  if (changes_.empty()) return Outcome::kDone;
  ++figures.requests;
  ++figures.rounds;
  if (changes_.size() == 1 && changes_[0]->action != ItemChange::Action::kCheck)
    return commit_one(database, figures, *changes_[0]);
  if (changes_.size() > kActionsMax)
    return Error{Code::kLimitExceeded, "this needs " + std::to_string(changes_.size()) +
                                           " actions in one transaction, and there can be 100"};
  TransactWriteItems request;
  for (const auto& change : changes_) request.actions.push_back(action_of(*change));
  const TransactWritten written = TRY(database.transact_write_items(request));
  for (const auto& [table, capacity] : written.capacity) figures.units += capacity.total();
  if (written.applied) return Outcome::kDone;
  return judge_all(written.reasons);
}

Result<void> Transaction::rehearse(Database& database, Figures& figures, const ItemChange& never) {
  drop_idle();
  if (changes_.empty() || changes_.size() + 1 > kActionsMax) return {};
  TransactWriteItems request;
  for (const auto& change : changes_) request.actions.push_back(action_of(*change));
  request.actions.push_back(action_of(never));
  const TransactWritten written = TRY(database.transact_write_items(request));
  ++figures.requests;
  TRY(judge_all(written.reasons));
  return {};
}

Result<Transaction::Outcome> Transaction::judge_all(const std::vector<CancellationReason>& reasons) const {
  if (auto throttled = throttling_of(reasons)) return *std::move(throttled);
  // Layouts write their items in different orders.
  Refusal refusal, by_database;
  for (size_t i = 0; i < reasons.size() && i < changes_.size(); ++i) {
    const CancellationReason& reason = reasons[i];
    if (reason.code == CancellationReason::Code::kConditionalCheckFailed) {
      const Result<Outcome> judged = judge(*changes_[i], reason.item);
      if (!judged.ok()) TRY(refusal.take(judged.error()));
    } else if (auto refused = refusal_of(reason)) {
      TRY(by_database.take(*refused));
    }
  }
  // What is not there cannot be computed with either, which is all that the database says.
  TRY(refusal.result());
  TRY(by_database.result());
  return Outcome::kRace;
}

}  // namespace sheaf::run

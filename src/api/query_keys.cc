#include "api/query_keys.h"

#include "api/expressions.h"
#include "base/try.h"
#include "engine/query_plan.h"
#include "engine/store_keys.h"
#include "value/key_codec.h"

namespace sheaf::api {
namespace {

constexpr std::string_view kInvalidStart = "The provided starting key is invalid";
constexpr std::string_view kMismatch = "The provided key element does not match the schema";

std::vector<expr::KeyAttribute> borrow(const std::vector<KeyAttribute>& attributes) {
  std::vector<expr::KeyAttribute> borrowed;
  for (const KeyAttribute& attribute : attributes)
    borrowed.push_back({.name = attribute.name, .type = attribute.type});
  return borrowed;
}

bool is_empty(const Value& value) { return value.type() != Type::kNumber && value.view().bytes().empty(); }

Result<void> check_not_empty(const KeyAttribute& attribute, const Value& value) {
  if (!is_empty(value)) return {};
  return invalid(
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty " +
      std::string(attribute.type == Type::kString ? "string" : "binary") + " value. Key: " + attribute.name);
}

// Values that no item can have for its key are refused, not looked for in vain.
Result<void> check_values(const KeySchema& key, const expr::KeyCondition& condition) {
  uint32_t partition_bytes = 0;
  for (size_t i = 0; i < condition.partition.size(); ++i) {
    TRY(check_not_empty(key.partition[i], condition.partition[i]));
    partition_bytes += condition.partition[i].view().size_bytes();
  }
  uint32_t sort_bytes = 0;
  for (size_t i = 0; i < condition.sort_equals.size(); ++i) {
    TRY(check_not_empty(key.sort[i], condition.sort_equals[i]));
    sort_bytes += condition.sort_equals[i].view().size_bytes();
  }
  if (condition.range) {
    const KeyAttribute& attribute = key.sort[condition.sort_equals.size()];
    const bool between = condition.range->op == expr::KeyOperator::kBetween;
    TRY(check_not_empty(attribute, condition.range->value));
    if (between) TRY(check_not_empty(attribute, condition.range->upper));
    sort_bytes += std::max(condition.range->value.view().size_bytes(),
                           between ? condition.range->upper.view().size_bytes() : 0);
  }
  if (partition_bytes > kPartitionKeyBytesMax) return engine::partition_key_too_long();
  if (sort_bytes > kSortKeyBytesMax) return engine::sort_key_too_long();
  return {};
}

// Whether `value` satisfies the range of a key condition; both are of the attribute's type.
bool satisfies(ValueView value, const expr::KeyCondition::Range& range) {
  using Op = expr::KeyOperator;
  const auto order = *compare(value, range.value);
  switch (range.op) {
    case Op::kEqual:
      return order == 0;
    case Op::kLess:
      return order < 0;
    case Op::kLessEqual:
      return order <= 0;
    case Op::kGreater:
      return order > 0;
    case Op::kGreaterEqual:
      return order >= 0;
    case Op::kBetween:
      return order >= 0 && *compare(value, range.upper) <= 0;
    case Op::kBeginsWith:
      break;
  }
  return value.bytes().starts_with(range.value.view().bytes());
}

bool sort_matches(const KeySchema& key, const expr::KeyCondition& condition, ItemView start_key) {
  const size_t equals = condition.sort_equals.size();
  for (size_t i = 0; i < equals; ++i) {
    if (*start_key.find(key.sort[i].name) != condition.sort_equals[i].view()) return false;
  }
  return !condition.range || satisfies(*start_key.find(key.sort[equals].name), *condition.range);
}

bool partition_matches(const KeySchema& key, const expr::KeyCondition& condition, ItemView start_key) {
  for (size_t i = 0; i < condition.partition.size(); ++i) {
    if (*start_key.find(key.partition[i].name) != condition.partition[i].view()) return false;
  }
  return true;
}

// {S:text}
std::string attribute_text(ValueView value) {
  const bool number = value.type() == Type::kNumber;
  return "{" + std::string(type_name(value.type())) + ":" +
         (number ? value.number().to_string() : std::string(value.bytes())) + "}";
}

// The attributes of `key` are there, and have their types.
Result<void> check_types(const KeySchema& key, ItemView start_key) {
  for (const auto* attributes : {&key.partition, &key.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      const std::optional<ValueView> value = start_key.find(attribute.name);
      if (!value) return invalid(std::string(kInvalidStart));
      if (value->type() != attribute.type) return invalid(std::string(kMismatch));
    }
  }
  return {};
}

// The table's own key, which every start key holds.
Result<void> check_primary_key(const engine::Table& table, ItemView start_key) {
  Item primary;
  for (const std::string_view name : engine::key_names(table, nullptr)) {
    const std::optional<ValueView> value = start_key.find(name);
    if (value) primary.set(name, *value);
  }
  const Result<engine::ItemPlace> place = engine::place_of_key(table, primary);
  if (place.ok()) return {};
  return invalid(std::string(kInvalidStart) + ": " + place.error().message);
}

}  // namespace

const KeySchema& key_of(const engine::Table& table, const engine::Index* index) {
  return index == nullptr ? table.settings.key : index->settings->key;
}

Result<void> check_start_key(const engine::Table& table, const engine::Index* index, ItemView start_key) {
  if (start_key.size() != engine::key_names(table, index).size()) return invalid(std::string(kInvalidStart));
  TRY(check_types(key_of(table, index), start_key));
  for (const std::string_view name : engine::key_names(table, nullptr)) {
    if (!start_key.contains(name)) return invalid(std::string(kInvalidStart));
  }
  return {};
}

Result<expr::KeyCondition> bind_key_condition(const KeySchema& key, std::vector<expr::KeyClause> clauses) {
  const std::vector<expr::KeyAttribute> partition = borrow(key.partition);
  const std::vector<expr::KeyAttribute> sort = borrow(key.sort);
  expr::KeyCondition condition =
      TRY(expr::bind_key_condition(std::move(clauses), {.partition = partition, .sort = sort}));
  TRY(check_values(key, condition));
  return condition;
}

Result<void> check_start_within(const engine::Table& table, const engine::Index* index,
                                const expr::KeyCondition& condition, ItemView start_key) {
  TRY(check_primary_key(table, start_key));
  const KeySchema& key = key_of(table, index);
  const bool ranged = condition.range || !condition.sort_equals.empty();
  if (!sort_matches(key, condition, start_key))
    return invalid("The provided starting key does not match the range key predicate");
  if (partition_matches(key, condition, start_key)) return {};
  if (index == nullptr && key.sort.empty()) {
    const std::string& name = key.partition.front().name;
    return invalid("The provided exclusive start key is invalid: ExclusiveStartKey: {" + name +
                   "=AttributeValue: " + attribute_text(*start_key.find(name)) + "}");
  }
  return invalid(ranged
                     ? "The query can return at most one row and cannot be restarted"
                     : "The provided starting key is outside query boundaries based on provided conditions");
}

Result<void> check_scan_start_key(const engine::Table& table, const engine::Index* index,
                                  ItemView start_key) {
  if (start_key.size() != engine::key_names(table, index).size()) {
    return invalid(std::string(kInvalidStart) + (index == nullptr ? ": " + std::string(kMismatch) : ""));
  }
  if (index != nullptr) TRY(check_types(index->settings->key, start_key));
  return check_primary_key(table, start_key);
}

}  // namespace sheaf::api

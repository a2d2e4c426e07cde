// KeyConditions.
#include "api/expressions.h"
#include "base/try.h"
#include "wire/legacy.h"
#include "wire/legacy_comparison.h"
#include "wire/legacy_entries.h"

namespace sheaf::wire {
namespace {

// Nothing for the operators that filters have and keys do not.
std::optional<expr::KeyOperator> key_operator(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::kEqual:
      return expr::KeyOperator::kEqual;
    case ComparisonOperator::kLess:
      return expr::KeyOperator::kLess;
    case ComparisonOperator::kLessEqual:
      return expr::KeyOperator::kLessEqual;
    case ComparisonOperator::kGreater:
      return expr::KeyOperator::kGreater;
    case ComparisonOperator::kGreaterEqual:
      return expr::KeyOperator::kGreaterEqual;
    case ComparisonOperator::kBetween:
      return expr::KeyOperator::kBetween;
    case ComparisonOperator::kBeginsWith:
      return expr::KeyOperator::kBeginsWith;
    default:
      return std::nullopt;
  }
}

expr::KeyClause clause_of(std::string_view attribute, Comparison comparison) {
  expr::KeyClause clause{.attribute = std::string(attribute)};
  const std::optional<expr::KeyOperator> op = key_operator(comparison.op);
  if (!op) {
    // Whether it was asked of a key attribute, and not of another, only the schema tells.
    clause.indexable = false;
    return clause;
  }
  clause.op = *op;
  clause.value = std::move(comparison.values[0]);
  if (op == expr::KeyOperator::kBetween) clause.upper = std::move(comparison.values[1]);
  return clause;
}

}  // namespace

Result<std::optional<std::vector<expr::KeyClause>>> read_key_conditions(const Input& input,
                                                                        size_t conditions) {
  if (!input.has(conditions)) return std::optional<std::vector<expr::KeyClause>>();
  const std::vector<LegacyEntry> entries = TRY(read_entries(input.fields().map(conditions)));
  std::vector<expr::KeyClause> clauses;
  for (const LegacyEntry& entry : entries)
    clauses.push_back(clause_of(entry.attribute, TRY(read_condition(input, entry.json))));
  // Too many are told by the key schema, which may be one of several attributes.
  if (clauses.empty()) return invalid("Conditions can be of length 1 or 2 only");
  return std::optional(std::move(clauses));
}

}  // namespace sheaf::wire

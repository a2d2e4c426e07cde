#include "partiql/key_reads.h"

#include <algorithm>

#include "base/errors.h"
#include "base/try.h"
#include "partiql/sort_ranges.h"

namespace sheaf::partiql {
namespace {

using Kind = Expression::Kind;
using expr::KeyOperator;

// More alternatives than could ever be read.
constexpr size_t kBranchesMax = 10 * kKeyReadsMax;

bool is_name(const Expression& expression, const std::string& name) {
  return expression.is(Kind::kName) && expression.text == name;
}

bool mentions(const Expression& expression, const std::string& name) {
  if (is_name(expression, name)) return true;
  if (expression.is(Kind::kPath)) return false;
  return std::any_of(expression.parts.begin(), expression.parts.end(),
                     [&](const Expression& part) { return mentions(part, name); });
}

// An equality of an attribute and a value, either way round.
const Value* equality_of(const Expression& expression, const std::string& name) {
  if (!expression.is(Kind::kCompare) || expression.text != "=") return nullptr;
  const Expression &left = expression.parts[0], &right = expression.parts[1];
  if (is_name(left, name) && right.is(Kind::kLiteral)) return &right.value;
  if (is_name(right, name) && left.is(Kind::kLiteral)) return &left.value;
  return nullptr;
}

// Of an IN with one value.
const Value* only_element(const Expression& expression, const std::string& name) {
  const bool is_one = expression.is(Kind::kIn) && !expression.is_negated &&
                      is_name(expression.parts[0], name) && expression.parts[1].is(Kind::kList) &&
                      expression.parts[1].parts.size() == 1 &&
                      expression.parts[1].parts[0].is(Kind::kLiteral);
  return is_one ? &expression.parts[1].parts[0].value : nullptr;
}

// What must hold, each for itself.
std::vector<const Expression*> conjuncts(const Expression& where) {
  if (!where.is(Kind::kAnd)) return {&where};
  std::vector<const Expression*> all;
  for (const Expression& part : where.parts) {
    const std::vector<const Expression*> inner = conjuncts(part);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

// One alternative of a WHERE: what it asks of the key.
struct Branch {
  std::optional<Value> partition;
  bool is_impossible = false;  // two values for the partition key
  std::vector<SortClause> sort;
  bool has_negation = false;  // of the sort key: nothing that a key can be asked
  std::vector<std::string> mentioned;
};

void add_mentioned(const Expression& expression, std::vector<std::string>& names) {
  if (expression.is(Kind::kName)) names.push_back(expression.text);
  if (expression.is(Kind::kPath) && expression.parts[0].is(Kind::kName))
    names.push_back(expression.parts[0].text);
  if (expression.is(Kind::kPath)) return;
  for (const Expression& part : expression.parts) add_mentioned(part, names);
}

class Branches {
 public:
  explicit Branches(const ReadKey& key) : key_(key) {}

  // Nothing if there are too many.
  std::optional<std::vector<Branch>> of(const Expression& expression) const {
    switch (expression.kind) {
      case Kind::kAnd: {
        std::vector<Branch> all = {Branch{}};
        for (const Expression& part : expression.parts) {
          const auto more = of(part);
          if (!more || all.size() * more->size() > kBranchesMax) return std::nullopt;
          all = product(all, *more);
        }
        return all;
      }
      case Kind::kOr: {
        std::vector<Branch> all;
        // What says nothing of the key is one condition.
        if (!mentions_key(expression)) return std::vector<Branch>{of_one(expression)};
        for (const Expression& part : expression.parts) {
          const auto more = of(part);
          if (!more || all.size() + more->size() > kBranchesMax) return std::nullopt;
          all.insert(all.end(), more->begin(), more->end());
        }
        return all;
      }
      case Kind::kIn:
        return of_in(expression);
      default:
        return std::vector<Branch>{of_one(expression)};
    }
  }

 private:
  bool mentions_key(const Expression& expression) const {
    return mentions(expression, key_.partition) || mentions_sort(expression);
  }
  bool mentions_sort(const Expression& expression) const {
    return key_.sort && mentions(expression, *key_.sort);
  }

  static std::vector<Branch> product(const std::vector<Branch>& left, const std::vector<Branch>& right) {
    std::vector<Branch> all;
    for (const Branch& a : left) {
      for (const Branch& b : right) {
        Branch both = a;
        both.is_impossible |= b.is_impossible || (a.partition && b.partition && *a.partition != *b.partition);
        if (!both.partition) both.partition = b.partition;
        both.sort.insert(both.sort.end(), b.sort.begin(), b.sort.end());
        both.has_negation |= b.has_negation;
        both.mentioned.insert(both.mentioned.end(), b.mentioned.begin(), b.mentioned.end());
        all.push_back(std::move(both));
      }
    }
    return all;
  }

  std::vector<Branch> of_in(const Expression& in) const {
    const bool is_partition = is_name(in.parts[0], key_.partition);
    const bool is_sort = key_.sort && is_name(in.parts[0], *key_.sort);
    const Expression& list = in.parts[1];
    const bool is_plain =
        list.is(Kind::kList) && std::all_of(list.parts.begin(), list.parts.end(),
                                            [](const Expression& part) { return part.is(Kind::kLiteral); });
    if (in.is_negated || !is_plain || (!is_partition && !is_sort)) return {of_one(in)};
    std::vector<Branch> all;
    for (const Expression& part : list.parts) {
      Branch& one = all.emplace_back();
      if (is_partition) {
        one.partition = part.value;
      } else {
        one.sort.push_back({.op = KeyOperator::kEqual, .value = part.value});
      }
    }
    return all;
  }

  Branch of_one(const Expression& expression) const {
    Branch branch;
    add_mentioned(expression, branch.mentioned);
    if (const Value* value = equality_of(expression, key_.partition)) {
      branch.partition = *value;
    } else if (std::optional<SortClause> clause = sort_clause(expression)) {
      branch.sort.push_back(std::move(*clause));
    } else {
      branch.has_negation = mentions_sort(expression) && is_negation(expression);
    }
    return branch;
  }

  static bool is_negation(const Expression& expression) {
    return expression.is(Kind::kNot) || expression.is_negated ||
           (expression.is(Kind::kCompare) && expression.text == "<>");
  }

  std::optional<SortClause> sort_clause(const Expression& expression) const {
    if (!key_.sort || expression.is_negated) return std::nullopt;
    const auto& parts = expression.parts;
    if (expression.is(Kind::kBetween) && is_name(parts[0], *key_.sort) && parts[1].is(Kind::kLiteral) &&
        parts[2].is(Kind::kLiteral))
      return SortClause{.op = KeyOperator::kBetween, .value = parts[1].value, .upper = parts[2].value};
    if (expression.is(Kind::kCall) && expression.text == "begins_with" && parts.size() == 2 &&
        is_name(parts[0], *key_.sort) && parts[1].is(Kind::kLiteral))
      return SortClause{.op = KeyOperator::kBeginsWith, .value = parts[1].value};
    if (!expression.is(Kind::kCompare)) return std::nullopt;
    const bool is_forward = is_name(parts[0], *key_.sort) && parts[1].is(Kind::kLiteral);
    const bool is_backward = is_name(parts[1], *key_.sort) && parts[0].is(Kind::kLiteral);
    if (!is_forward && !is_backward) return std::nullopt;
    const Value& value = parts[is_forward ? 1 : 0].value;
    if (expression.text == "=") return SortClause{.op = KeyOperator::kEqual, .value = value};
    const bool is_less = expression.text[0] == '<', or_equal = expression.text.size() == 2;
    if (expression.text == "<>" || expression.text == "like") return std::nullopt;
    const bool is_upper = is_less == is_forward;
    if (is_upper)
      return SortClause{.op = or_equal ? KeyOperator::kLessEqual : KeyOperator::kLess, .value = value};
    return SortClause{.op = or_equal ? KeyOperator::kGreaterEqual : KeyOperator::kGreater, .value = value};
  }

  const ReadKey& key_;
};

// --- Reads

// A read of a partition, or of the part of it that one condition on the sort key leaves.
struct Read {
  Value partition;
  SortRange wanted = {};
  std::optional<SortClause> asked = {};
  SortRange read = {};  // by `asked`: all of `wanted`, and perhaps more
};

SortRange range_read(const std::optional<SortClause>& asked) {
  return asked ? range_of({&*asked, 1}) : SortRange{};
}

// The narrowest condition that a Query can have for all clauses; what it leaves in is for the filter.
std::optional<SortClause> clause_of(const SortRange& wanted, const std::vector<SortClause>& clauses) {
  const auto with = [&](KeyOperator op) {
    const auto found = std::find_if(clauses.begin(), clauses.end(),
                                    [&](const SortClause& clause) { return clause.op == op; });
    return found == clauses.end() ? nullptr : &*found;
  };
  if (const SortClause* equal = with(KeyOperator::kEqual)) return *equal;
  if (clauses.size() == 1) return clauses[0];
  std::optional<SortClause> bounds = clause_over(wanted);
  const SortClause* const prefix = with(KeyOperator::kBeginsWith);
  // No end of a BETWEEN can be left out, which that of a prefix would have to be.
  if (prefix != nullptr && !contains(range_of({prefix, 1}), range_read(bounds))) return *prefix;
  return bounds;
}

Read read_of(const Branch& branch) {
  Read read{.partition = *branch.partition, .wanted = range_of(branch.sort)};
  read.asked = clause_of(read.wanted, branch.sort);
  read.read = range_read(read.asked);
  return read;
}

Read both_of(Read a, Read b) {
  if (contains(a.read, b.read)) return a;
  if (contains(b.read, a.read)) return b;
  a.asked = clause_over(hull(a.read, b.read));
  a.read = range_read(a.asked);
  return a;
}

// Conditions on keys are coarser than a WHERE: `sk > 'a1' AND begins_with(sk, 'a')` reads all that begins
// with a, and BETWEEN includes both ends. Reads of one partition, in order, whose keys are apart may so read
// the same items; those become one read.
std::vector<Read> joined(std::vector<Read> reads) {
  std::vector<Read> all;
  for (Read& read : reads) {
    all.push_back(std::move(read));
    // What two become may be more than both of them, and reach the one before.
    while (all.size() > 1 && overlap(all[all.size() - 2].read, all.back().read)) {
      Read last = std::move(all.back());
      all.pop_back();
      all.back() = both_of(std::move(all.back()), std::move(last));
    }
  }
  return all;
}

expr::KeyCondition condition_of(const Read& read) {
  expr::KeyCondition condition{.partition = {read.partition}};
  if (read.asked && read.asked->op == KeyOperator::kEqual) {
    condition.sort_equals.push_back(read.asked->value);
  } else if (read.asked) {
    condition.range = {.op = read.asked->op, .value = read.asked->value, .upper = read.asked->upper};
  }
  return condition;
}

Result<void> check_type(const Value& value, const std::string& name, Type type) {
  if (value.type() == type) return {};
  return invalid("Key attribute's data type should match its data type in table's schema: Key " + name);
}

Result<void> check_types(const std::vector<Branch>& branches, const ReadKey& key) {
  for (const Branch& branch : branches) {
    TRY(check_type(*branch.partition, key.partition, key.partition_type));
    for (const SortClause& clause : branch.sort) {
      TRY(check_type(clause.value, *key.sort, key.sort_type));
      if (clause.op == KeyOperator::kBetween) TRY(check_type(clause.upper, *key.sort, key.sort_type));
    }
  }
  return {};
}

// Alternatives as reads of disjoint keys, those of a partition together and ascending.
Result<std::vector<Read>> to_reads(const std::vector<Branch>& branches) {
  std::vector<std::vector<Read>> partitions;
  std::vector<bool> is_whole;
  for (const Branch& branch : branches) {
    auto same = std::find_if(partitions.begin(), partitions.end(), [&](const std::vector<Read>& reads) {
      return reads.front().partition == *branch.partition;
    });
    const bool is_new = same == partitions.end();
    if (is_new) {
      partitions.emplace_back();
      is_whole.push_back(false);
      same = partitions.end() - 1;
    }
    // Negations may overlap with anything: all of the partition is read, once.
    if (branch.has_negation) is_whole[static_cast<size_t>(same - partitions.begin())] = true;
    same->push_back(read_of(branch));
  }
  std::vector<Read> all;
  for (size_t i = 0; i < partitions.size(); ++i) {
    std::vector<Read>& reads = partitions[i];
    if (is_whole[i]) {
      all.push_back({.partition = reads.front().partition});
      continue;
    }
    std::erase_if(reads, [&](const Read& read) { return is_empty(read.wanted); });
    for (size_t a = 0; a < reads.size(); ++a) {
      for (size_t b = a + 1; b < reads.size(); ++b) {
        if (overlap(reads[a].wanted, reads[b].wanted))
          return invalid("Overlapping conditions with range keys are not supported in where clause");
      }
    }
    std::stable_sort(reads.begin(), reads.end(), [](const Read& a, const Read& b) {
      const std::optional<SortBound>&left = a.wanted.low, &right = b.wanted.low;
      if (!left || !right) return !left && right.has_value();
      if (left->value == right->value) return left->is_inclusive && !right->is_inclusive;
      return is_less(left->value, right->value);
    });
    std::vector<Read> apart = joined(std::move(reads));
    std::move(apart.begin(), apart.end(), std::back_inserter(all));
  }
  return all;
}

// --- ORDER BY

struct Ordering {
  std::optional<bool> partition_descending;
  bool sort_descending = false;
};

Result<Ordering> check_order(const std::optional<Expression>& where, const std::vector<Select::Order>& order,
                             const ReadKey& key) {
  Ordering ordering;
  if (order.empty()) return ordering;
  if (!where) return invalid("Must have WHERE clause in the statement when using ORDER BY clause.");
  bool has_sort = false;
  for (const Select::Order& by : order) {
    const bool is_sort = key.sort && is_name(by.by, *key.sort);
    if (!is_sort && !is_name(by.by, key.partition)) {
      return invalid("Attribute " + (by.by.text.empty() ? std::string("expression") : by.by.text) +
                     " in ORDER BY clause must be part of the primary key");
    }
    if (is_sort) {
      ordering.sort_descending = by.is_descending;
      has_sort = true;
    } else {
      ordering.partition_descending = by.is_descending;
    }
  }
  // By the partition key alone, sort keys come in descending order.
  if (!has_sort) ordering.sort_descending = true;
  return ordering;
}

void sort_reads(std::vector<Read>& reads, const Ordering& ordering) {
  if (ordering.sort_descending) std::reverse(reads.begin(), reads.end());
  if (!ordering.partition_descending) return;
  std::stable_sort(reads.begin(), reads.end(), [&](const Read& a, const Read& b) {
    return *ordering.partition_descending ? is_less(b.partition, a.partition)
                                          : is_less(a.partition, b.partition);
  });
}

}  // namespace

Result<KeyReads> key_reads(const std::optional<Expression>& where, const std::vector<Select::Order>& order,
                           const ReadKey& key) {
  const Ordering ordering = TRY(check_order(where, order, key));
  KeyReads result;
  if (!where) return result;
  const auto branches = Branches(key).of(*where);
  if (!branches) return invalid("Too many decomposed read operations for a given query.");
  result.is_scan = std::any_of(branches->begin(), branches->end(), [](const Branch& branch) {
    return !branch.partition || branch.is_impossible;
  });
  if (result.is_scan && !order.empty()) {
    return invalid(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
  }
  if (result.is_scan) return result;
  TRY(check_types(*branches, key));
  std::vector<const Branch*> sorted;
  for (const Branch& branch : *branches) sorted.push_back(&branch);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Branch* a, const Branch* b) { return is_less(*a->partition, *b->partition); });
  for (const Branch* branch : sorted) result.mentioned.push_back(branch->mentioned);
  std::vector<Read> reads = TRY(to_reads(*branches));
  if (reads.size() > kKeyReadsMax) return invalid("Too many decomposed read operations for a given query.");
  sort_reads(reads, ordering);
  for (const Read& read : reads) result.reads.push_back(condition_of(read));
  result.is_descending = ordering.sort_descending;
  const bool has_several =
      result.reads.size() > 1 && result.reads.front().partition != result.reads.back().partition;
  if (!order.empty() && !ordering.partition_descending && has_several) {
    return invalid(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
        "clause.");
  }
  return result;
}

Result<Item> key_equalities(const Expression& where, const std::vector<std::string>& names) {
  Item key;
  for (const Expression* part : conjuncts(where)) {
    for (const std::string& name : names) {
      const Value* const given = equality_of(*part, name);
      if (given == nullptr) continue;
      const std::optional<ValueView> value = key.find(name);
      if (value && *value != given->view()) {
        return invalid("Multiple conditions on same key " + name +
                       ". Only single item Update/Insert/Delete are supported");
      }
      key.set(name, *given);
    }
  }
  return key;
}

std::optional<Item> only_key(const Expression& where, const std::vector<std::string>& names) {
  Item key;
  for (const Expression* part : conjuncts(where)) {
    const auto named = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
      return equality_of(*part, name) != nullptr || only_element(*part, name) != nullptr;
    });
    if (named == names.end()) return std::nullopt;
    const Value* given = equality_of(*part, *named);
    if (given == nullptr) given = only_element(*part, *named);
    const std::optional<ValueView> value = key.find(*named);
    if (value && *value != given->view()) return std::nullopt;
    key.set(*named, *given);
  }
  return key.view().size() == names.size() ? std::optional(std::move(key)) : std::nullopt;
}

}  // namespace sheaf::partiql

// Random conditions: what is read of the key holds everything that the condition holds for, and nothing
// twice.
#include <gtest/gtest.h>

#include <random>

#include "partiql/conditions.h"
#include "partiql/key_reads.h"
#include "partiql/literals.h"
#include "partiql/parser.h"

namespace sheaf::partiql {
namespace {

class RandomCondition {
 public:
  explicit RandomCondition(uint32_t seed) : random_(seed) {}

  std::string text(int depth) {
    switch (depth == 0 ? 0 : pick(5)) {
      case 1:
      case 2:
        return "(" + text(depth - 1) + " AND " + text(depth - 1) + ")";
      case 3:
        return "(" + text(depth - 1) + " OR " + text(depth - 1) + ")";
      case 4:
        return "NOT " + text(depth - 1);
      default:
        return leaf();
    }
  }

 private:
  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  std::string partition() { return pick(2) == 0 ? "'a'" : "'b'"; }
  std::string sort() { return "'" + std::to_string(pick(5)) + "'"; }
  std::string sign() {
    static constexpr const char* kSigns[] = {"=", "<", "<=", ">", ">=", "<>"};
    return std::string(" ") + kSigns[pick(6)] + " ";
  }

  std::string leaf() {
    switch (pick(10)) {
      case 0:
      case 1:
      case 2:
        return "pk = " + partition();
      case 3:
        return "pk IN ['a', " + partition() + "]";
      case 4:
        return "sk" + sign() + sort();
      case 5:
        return sort() + sign() + "sk";
      case 6:
        return "sk BETWEEN " + sort() + " AND " + sort();
      case 7:
        return "sk IN [" + sort() + ", " + sort() + "]";
      case 8:
        return "begins_with(sk, " + sort() + ")";
      default:
        return "x" + sign() + sort();
    }
  }

  std::mt19937 random_;
};

bool covers(const expr::KeyCondition& read, const Value& pk, const Value& sk) {
  if (read.partition[0] != pk) return false;
  if (!read.sort_equals.empty()) return read.sort_equals[0] == sk;
  if (!read.range) return true;
  const auto low = compare(read.range->value, sk);
  switch (read.range->op) {
    case expr::KeyOperator::kBeginsWith:
      return sk.view().bytes().starts_with(read.range->value.view().bytes());
    case expr::KeyOperator::kBetween:
      return low != std::strong_ordering::greater &&
             compare(sk, read.range->upper) != std::strong_ordering::greater;
    case expr::KeyOperator::kGreater:
      return low == std::strong_ordering::less;
    case expr::KeyOperator::kGreaterEqual:
      return low != std::strong_ordering::greater;
    case expr::KeyOperator::kLess:
      return low == std::strong_ordering::greater;
    default:
      return low != std::strong_ordering::less;
  }
}

TEST(KeyReads, HoldEverythingThatTheConditionHoldsFor) {
  const ReadKey key{.partition = "pk", .sort = "sk"};
  size_t queries = 0, scans = 0, refused = 0;
  for (uint32_t seed = 1; seed <= 20'000; ++seed) {
    const std::string text = "SELECT * FROM t WHERE " + RandomCondition(seed).text(3);
    Result<Statement> statement = parse(text);
    ASSERT_TRUE(statement.ok()) << text;
    ASSERT_TRUE(fold_literals(*statement, {}).ok()) << text;
    const Select& select = std::get<Select>(statement->what);
    const Result<expr::Condition> condition = to_condition(*select.where);
    // A BETWEEN whose bounds are the wrong way round.
    if (!condition.ok()) continue;
    const Result<KeyReads> reads = key_reads(select.where, {}, key);
    if (!reads.ok()) {
      ++refused;
      continue;
    }
    ++(reads->is_scan ? scans : queries);
    if (reads->is_scan) continue;
    for (const char* pk : {"a", "b", "c"}) {
      for (const char* sk : {"", "0", "1", "11", "2", "3", "4", "5"}) {
        const auto times = std::count_if(reads->reads.begin(), reads->reads.end(),
                                         [&](const auto& read) { return covers(read, pk, sk); });
        for (const char* x : {"0", "2"}) {
          const Item item{{"pk", pk}, {"sk", sk}, {"x", x}};
          if (!condition->matches(item)) continue;
          EXPECT_EQ(times, 1) << text << " " << pk << " " << sk;
        }
      }
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(queries, 1000u);
  EXPECT_GT(scans, 1000u);
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace sheaf::partiql

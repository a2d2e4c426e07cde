#include "partiql/key_reads.h"

#include <gtest/gtest.h>

#include "partiql/literals.h"
#include "partiql/parser.h"

namespace sheaf::partiql {
namespace {

const ReadKey kKey{.partition = "pk", .sort = "sk"};

Result<KeyReads> reads_of(const std::string& rest, const ReadKey& key = kKey) {
  Result<Statement> statement = parse("SELECT * FROM t " + rest);
  EXPECT_TRUE(statement.ok()) << rest;
  EXPECT_TRUE(fold_literals(*statement, {}).ok()) << rest;
  const Select& select = std::get<Select>(statement->what);
  return key_reads(select.where, select.order, key);
}

// "scan", or "a, b > 1, b < 3": each read, in the order in which they are done.
std::string plan(const std::string& rest, const ReadKey& key = kKey) {
  const Result<KeyReads> reads = reads_of(rest, key);
  if (!reads.ok()) return reads.error().message;
  if (reads->is_scan) return "scan";
  static constexpr std::string_view kSigns[] = {"=", "<", "<=", ">", ">=", "between", "begins"};
  const auto text_of = [](const Value& value) {
    return value.type() == Type::kString ? std::string(value.view().bytes()) : value.to_json();
  };
  std::string text;
  for (const expr::KeyCondition& read : reads->reads) {
    text += (text.empty() ? "" : ", ") + text_of(read.partition[0]);
    for (const Value& equal : read.sort_equals) text += " = " + text_of(equal);
    if (!read.range) continue;
    text += " " + std::string(kSigns[static_cast<size_t>(read.range->op)]) + " " + text_of(read.range->value);
    if (read.range->op == expr::KeyOperator::kBetween) text += " and " + text_of(read.range->upper);
  }
  return text + (reads->is_descending ? " backward" : "");
}

TEST(KeyReads, WithoutAPartitionEverythingIsRead) {
  for (const std::string rest :
       {"", "WHERE x = 1", "WHERE pk > 'a'", "WHERE pk = 'a' OR x = 1", "WHERE NOT pk = 'a'",
        "WHERE pk <> 'a'", "WHERE sk = '1'", "WHERE pk = 'a' OR sk = '1'", "WHERE pk = 'a' AND pk = 'b'",
        "WHERE pk NOT IN ['a']", "WHERE pk.x = 'a'", "WHERE size(pk) = 1"})
    EXPECT_EQ(plan(rest), "scan") << rest;
}

TEST(KeyReads, ConditionsOnTheSortKeyNarrowTheRead) {
  EXPECT_EQ(plan("WHERE pk = 'a'"), "a");
  EXPECT_EQ(plan("WHERE 'a' = pk"), "a");
  EXPECT_EQ(plan("WHERE pk = 'a' AND pk = 'a'"), "a");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk = '1' AND x = 2"), "a = 1");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk >= '1'"), "a >= 1");
  EXPECT_EQ(plan("WHERE pk = 'a' AND '1' < sk"), "a > 1");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk < '5' AND sk > '1'"), "a between 1 and 5");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk BETWEEN '1' AND '3'"), "a between 1 and 3");
  EXPECT_EQ(plan("WHERE pk = 'a' AND begins_with(sk, 'x')"), "a begins x");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk = '1' AND sk > '0'"), "a = 1");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk <> '1'"), "a");
  EXPECT_EQ(plan("WHERE pk = 'a' AND (x = 1 OR y = 2)"), "a");
}

TEST(KeyReads, AlternativesAreReadOneAfterTheOther) {
  EXPECT_EQ(plan("WHERE pk IN ['b', 'a']"), "b, a");
  EXPECT_EQ(plan("WHERE pk = 'a' OR pk = 'b'"), "a, b");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk IN ['2', '1']"), "a = 1, a = 2");
  EXPECT_EQ(plan("WHERE pk = 'a' AND (sk > '5' OR sk < '1')"), "a < 1, a > 5");
  EXPECT_EQ(plan("WHERE (pk = 'a' AND sk = '1') OR (pk = 'b' AND x = 2)"), "a = 1, b");
}

TEST(KeyReads, AlternativesMustNotOverlap) {
  for (const std::string rest :
       {"WHERE pk IN ['r', 'r']", "WHERE pk = 'r' OR pk = 'r'", "WHERE pk = 'r' AND (sk > '0' OR sk < '5')",
        "WHERE pk = 'r' AND (sk = '1' OR flag = 'two')",
        "WHERE (pk = 'r' AND flag = 'one') OR (pk = 'r' AND flag = 'two')",
        "WHERE pk = 'a' AND x <> '1' OR pk = 'a' AND sk = '2'", "WHERE pk = 'a' AND (sk <= '1' OR sk >= '1')",
        "WHERE pk = 'a' AND (begins_with(sk, 'x') OR sk = 'xy')"})
    EXPECT_EQ(plan(rest), "Overlapping conditions with range keys are not supported in where clause") << rest;
  EXPECT_EQ(plan("WHERE pk = 'r' AND (sk < '1' OR sk > '1' OR sk = '1')"), "r < 1, r = 1, r > 1");
  EXPECT_EQ(plan("WHERE pk = 'a' AND (begins_with(sk, 'x') OR sk = 'y')"), "a begins x, a = y");
}

// A Query has one condition on the sort key, which may hold for more than the alternative of the WHERE.
TEST(KeyReads, AlternativesThatReadTheSameKeysAreReadTogether) {
  EXPECT_EQ(plan("WHERE pk = 'a' AND (sk > '3' OR sk <= '3') AND begins_with(sk, '3')"), "a begins 3");
  EXPECT_EQ(plan("WHERE pk = 'a' AND (sk BETWEEN '1' AND '5' AND sk < '3' OR sk >= '3' AND sk <= '4')"),
            "a between 1 and 4");
  EXPECT_EQ(plan("WHERE pk = 'a' AND (sk > '1' AND sk < '3' OR begins_with(sk, '3') OR sk > '5')"),
            "a between 1 and 4, a > 5");
  EXPECT_EQ(plan("WHERE pk = 'a' AND (sk <= '1' OR sk > '1' AND sk < '3' OR begins_with(sk, '3'))"), "a < 4");
  EXPECT_EQ(plan("WHERE pk = 'a' AND begins_with(sk, 'x') AND sk BETWEEN 'x1' AND 'x2'"),
            "a between x1 and x2");
}

TEST(KeyReads, BoundsBehindAPrefixAreText) {
  const auto behind = [](const std::string& prefix) {
    const std::string low = "sk > '!' AND sk < '" + prefix + "'";
    return plan("WHERE pk = 'a' AND (" + low + " OR begins_with(sk, '" + prefix + "'))");
  };
  EXPECT_EQ(behind("a"), "a between ! and b");
  EXPECT_EQ(behind("a\x7f"), "a between ! and a\xc2\x80");
  EXPECT_EQ(behind("aß"), "a between ! and aà");
  EXPECT_EQ(behind("a\xdf\xbf"), "a between ! and a\xe0\xa0\x80");
  EXPECT_EQ(behind("a\xed\x9f\xbf"), "a between ! and a\xee\x80\x80");
  EXPECT_EQ(behind("a\U0010ffff"), "a between ! and b");
}

TEST(KeyReads, NegationsReadAllOfAPartitionOnce) {
  EXPECT_EQ(plan("WHERE pk = 'a' AND (NOT sk = '1' OR sk = '2')"), "a");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk <> '1' OR pk = 'a'"), "a");
}

TEST(KeyReads, FiftyReadsAreAllowed) {
  const auto in = [](int count) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i > 0 ? ", '" : "'") + std::to_string(i) + "'";
    return "[" + list + "]";
  };
  EXPECT_EQ(reads_of("WHERE pk IN " + in(50))->reads.size(), 50u);
  const std::string too_many = "Too many decomposed read operations for a given query.";
  EXPECT_EQ(plan("WHERE pk IN " + in(51)), too_many);
  EXPECT_EQ(plan("WHERE pk IN " + in(26) + " AND sk IN ['x', 'y']"), too_many);
  EXPECT_EQ(plan("WHERE pk IN " + in(51) + " OR flag = 'one'"), "scan");
  // However many alternatives there are, they are not all written down.
  std::string wide = "WHERE pk = 'a'";
  for (int i = 0; i < 20; ++i) wide += " AND (sk = '1' OR sk = '2')";
  EXPECT_EQ(plan(wide), too_many);
}

TEST(KeyReads, ValuesHaveTheTypesOfTheKey) {
  const std::string message = "Key attribute's data type should match its data type in table's schema: Key ";
  EXPECT_EQ(plan("WHERE pk = 1"), message + "pk");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk > 1"), message + "sk");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk BETWEEN '1' AND 2"), message + "sk");
  EXPECT_EQ(plan("WHERE pk > 1"), "scan");
}

// The texts are AWS's.
TEST(KeyReads, OrderIsThatOfTheKey) {
  EXPECT_EQ(plan("WHERE pk = 'a' ORDER BY sk"), "a");
  EXPECT_EQ(plan("WHERE pk = 'a' ORDER BY sk DESC"), "a backward");
  EXPECT_EQ(plan("WHERE pk = 'a' ORDER BY pk"), "a backward");
  EXPECT_EQ(plan("WHERE pk IN ['o', 'p'] ORDER BY pk DESC"), "p, o backward");
  EXPECT_EQ(plan("WHERE pk IN ['o', 'p'] ORDER BY pk DESC, sk ASC"), "p, o");
  EXPECT_EQ(plan("WHERE pk = 'a' AND sk IN ['1', '2'] ORDER BY sk DESC"), "a = 2, a = 1 backward");
  EXPECT_EQ(plan("ORDER BY sk"), "Must have WHERE clause in the statement when using ORDER BY clause.");
  EXPECT_EQ(plan("WHERE pk = 'a' ORDER BY total"),
            "Attribute total in ORDER BY clause must be part of the primary key");
  EXPECT_EQ(
      plan("WHERE pk > 'a' ORDER BY sk"),
      "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
  EXPECT_EQ(plan("WHERE pk IN ['a', 'b'] ORDER BY sk"),
            "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
            "clause.");
}

TEST(KeyReads, ATableMayHaveNoSortKey) {
  const ReadKey key{.partition = "pk", .partition_type = Type::kNumber};
  EXPECT_EQ(plan("WHERE pk = 1 AND sk > 'x'", key), R"({"N":"1"})");
  EXPECT_EQ(plan("WHERE pk IN [1, 2] AND sk <> 'x'", key), R"({"N":"1"}, {"N":"2"})");
}

Expression where(const std::string& text) {
  Result<Statement> statement = parse("SELECT * FROM t WHERE " + text);
  EXPECT_TRUE(fold_literals(*statement, {}).ok());
  return *std::get<Select>(statement->what).where;
}

TEST(KeyReads, AStatementOnOneItemNamesItsKey) {
  const std::vector<std::string> names = {"pk", "sk"};
  EXPECT_EQ(key_equalities(where("(pk = 'a' AND sk = '1') AND flag = 'x'"), names)->to_json(),
            R"({"pk":{"S":"a"},"sk":{"S":"1"}})");
  EXPECT_EQ(key_equalities(where("pk = 'a' AND pk = 'a'"), names)->to_json(), R"({"pk":{"S":"a"}})");
  EXPECT_EQ(key_equalities(where("pk IN ['a'] OR sk = '1'"), names)->to_json(), "{}");
  EXPECT_EQ(key_equalities(where("pk = 'a' AND pk = 'b'"), names).error().message,
            "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported");
}

TEST(KeyReads, AReadOfOneItemNamesNothingElse) {
  const std::vector<std::string> names = {"pk", "sk"};
  EXPECT_TRUE(only_key(where("pk = 'a' AND sk IN ['1']"), names));
  EXPECT_TRUE(only_key(where("pk = 'a' AND sk = '1' AND pk = 'a'"), names));
  EXPECT_FALSE(only_key(where("pk = 'a' AND sk = '1' AND flag = 2"), names));
  EXPECT_FALSE(only_key(where("pk = 'a'"), names));
  EXPECT_FALSE(only_key(where("pk = 'a' AND sk > '1'"), names));
  EXPECT_FALSE(only_key(where("pk = 'a' AND pk = 'b' AND sk = '1'"), names));
}

}  // namespace
}  // namespace sheaf::partiql

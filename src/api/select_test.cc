// SELECT: keys that are read, pages, columns, indexes, and what they consume.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class SelectTest : public DatabaseTest {
 protected:
  SelectTest() {
    CreateTable table = table_of("Tab", "pk", "sk");
    table.local_indexes = {index_of("lsi", "pk", "total")};
    table.local_indexes[0].projection = ProjectionKind::kKeysOnly;
    table.global_indexes = {index_of("gsi", "g", "sk"), index_of("part", "g")};
    table.global_indexes[1].projection = ProjectionKind::kInclude;
    table.global_indexes[1].included = {"total"};
    create(table);
    for (const char* pk : {"a", "b"}) {
      for (const char* sk : {"1", "2", "3"}) {
        must(db_->put_item({.table = "Tab",
                            .item = {{"pk", pk},
                                     {"sk", sk},
                                     {"g", std::string("g") + sk},
                                     {"total", std::string("t") + sk},
                                     {"m", Item{{"deep", Value::list({Value(1), Value(sk)})}}}}}));
      }
    }
  }

  StatementDone select(const std::string& text, std::optional<uint32_t> limit = {},
                       std::optional<std::string> token = {}) {
    return must(db_->execute_statement({.statement = {.text = text}, .limit = limit, .next_token = token}));
  }
  Error refused(const std::string& text) {
    return refusal(db_->execute_statement({.statement = {.text = text}}));
  }
  // "a1 a2": which items, in which order.
  static std::string keys(const StatementDone& done) {
    std::string text;
    for (size_t i = 0; i < done.items.size(); ++i) {
      text += (text.empty() ? "" : " ") + std::string(done.items[i].find("pk")->bytes()) +
              std::string(done.items[i].find("sk")->bytes());
    }
    return text;
  }
  std::string found(const std::string& text) { return keys(select(text)); }
};

TEST_F(SelectTest, FindsByKeyAndKeepsWhatTheConditionHoldsFor) {
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'a'"), "a1 a2 a3");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'a' AND sk > '1' AND total <> 't3'"), "a2");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'a' AND sk BETWEEN '2' AND '3'"), "a2 a3");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'a' AND NOT sk = '2'"), "a1 a3");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'a' AND (sk = '3' OR sk = '1')"), "a1 a3");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'c'"), "");
  EXPECT_EQ(select("SELECT * FROM Tab WHERE total = 't2'").items.size(), 2u);
  EXPECT_EQ(select("SELECT * FROM Tab").items.size(), 6u);
}

TEST_F(SelectTest, OrdersByTheKey) {
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk = 'a' ORDER BY sk DESC"), "a3 a2 a1");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk IN ['a', 'b'] ORDER BY pk DESC, sk ASC"), "b1 b2 b3 a1 a2 a3");
  EXPECT_EQ(found("SELECT * FROM Tab WHERE pk IN ['a', 'b'] ORDER BY pk"), "a3 a2 a1 b3 b2 b1");
}

TEST_F(SelectTest, ColumnsAreNamedByTheirLastPart) {
  const StatementDone done =
      select("SELECT sk, m.deep, m.deep[1], nope FROM Tab WHERE pk = 'a' AND sk = '1'");
  ASSERT_EQ(done.items.size(), 1u);
  EXPECT_EQ(done.items[0].to_json(),
            R"({"deep":{"L":[{"N":"1"},{"S":"1"}]},"deep[1]":{"S":"1"},"sk":{"S":"1"}})");
  EXPECT_EQ(select("SELECT nope FROM Tab WHERE pk = 'a' AND sk = '1'").items[0].to_json(), "{}");
  EXPECT_EQ(refused("SELECT COUNT(*) FROM Nope"), invalid("Unexpected path component at 1:8:5"));
}

TEST_F(SelectTest, PagesGoOnWhereTheLastOneEnded) {
  for (const std::string text :
       {"SELECT * FROM Tab WHERE pk = 'a'", "SELECT * FROM Tab WHERE pk = 'a' AND sk <> '2'",
        "SELECT * FROM Tab WHERE pk IN ['b', 'a'] ORDER BY pk, sk DESC", "SELECT * FROM Tab",
        "SELECT * FROM Tab WHERE total = 't2'", "SELECT * FROM Tab.gsi WHERE g = 'g2'",
        "SELECT * FROM Tab.gsi", "SELECT * FROM Tab.lsi WHERE pk = 'a' ORDER BY total DESC"}) {
    const std::string whole = found(text);
    for (const uint32_t limit : {1u, 2u, 4u}) {
      std::string all;
      std::optional<std::string> token;
      int pages = 0;
      do {
        const StatementDone page = select(text, limit, token);
        EXPECT_LE(page.items.size(), limit) << text;
        const std::string part = keys(page);
        all += (all.empty() || part.empty() ? "" : " ") + part;
        token = page.next_token;
        ASSERT_LT(++pages, 20) << text;
      } while (token);
      EXPECT_EQ(all, whole) << text << ", " << limit;
    }
  }
}

TEST_F(SelectTest, TokensAreOfOneStatement) {
  const StatementDone page = select("SELECT * FROM Tab WHERE pk = 'a'", 1);
  ASSERT_TRUE(page.next_token);
  const auto with = [&](const std::string& text, const std::string& token) {
    return refusal(db_->execute_statement({.statement = {.text = text}, .next_token = token}));
  };
  EXPECT_EQ(with("SELECT * FROM Tab WHERE pk = 'b'", *page.next_token),
            invalid("NextToken does not match request"));
  EXPECT_EQ(with("SELECT * FROM Tab WHERE pk = 'a'", "no token"), invalid("Invalid NextToken"));
  EXPECT_EQ(with("SELECT * FROM Tab WHERE pk = 'a'", page.next_token->substr(0, 8)),
            invalid("Invalid NextToken"));
  EXPECT_EQ(
      refusal(db_->execute_statement({.statement = {.text = "SELECT * FROM Tab"}, .limit = 0})),
      invalid("1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must "
              "have value greater than or equal to 1"));
}

TEST_F(SelectTest, ParametersStandForValues) {
  const StatementDone done =
      must(db_->execute_statement({.statement = {.text = "SELECT * FROM Tab WHERE pk = ? AND sk IN [?, ?]",
                                                 .parameters = {"a", "1", "3"}}}));
  EXPECT_EQ(keys(done), "a1 a3");
}

TEST_F(SelectTest, IndexesHoldWhatTheyProject) {
  EXPECT_EQ(found("SELECT * FROM \"Tab\".\"gsi\" WHERE g = 'g2'"), "a2 b2");
  EXPECT_EQ(select("SELECT * FROM Tab.part WHERE g = 'g1'").items[0].to_json(),
            R"({"g":{"S":"g1"},"pk":{"S":"a"},"sk":{"S":"1"},"total":{"S":"t1"}})");
  EXPECT_EQ(refused("SELECT m, x FROM Tab.part WHERE g = 'g1'"),
            invalid_parameter("Global secondary index part does not project [m, x]"));
  EXPECT_EQ(refused("SELECT pk FROM Tab.part WHERE g = 'g1' AND x = 1 AND m = 1"),
            invalid_parameter("Secondary index part does not project one or more filter attributes: [x, m]"))
      << "in the order of a set";
  EXPECT_EQ(refused("SELECT pk FROM Tab.part WHERE g = 'g1' AND b = 1 AND a = 1"),
            invalid_parameter("Secondary index part does not project one or more filter attributes: [a, b]"));
  EXPECT_EQ(refused("SELECT pk FROM Tab.part WHERE g = 'g1' AND m IS MISSING AND x = 1"),
            invalid_parameter("Secondary index part does not project one or more filter attributes: [x, m]"));
  // Of several alternatives it is enough that one can be asked for.
  EXPECT_EQ(found("SELECT pk, sk FROM Tab.part WHERE (g = 'g1' AND m = 1) OR g = 'g2'"), "a2 b2");
  EXPECT_EQ(refused("SELECT pk, sk FROM Tab.part WHERE (g = 'g2' AND m = 1) OR (g = 'g1' AND x = 1)"),
            invalid_parameter("Secondary index part does not project one or more filter attributes: [m]"));
  // Without its key the index is scanned, and what it does not hold is not there.
  EXPECT_EQ(found("SELECT * FROM Tab.part WHERE m IS NOT MISSING"), "");
  EXPECT_EQ(select("SELECT * FROM Tab.part WHERE m IS MISSING").items.size(), 6u);
  // A local index fetches it.
  EXPECT_EQ(select("SELECT sk, m.deep[0] FROM Tab.lsi WHERE pk = 'a' AND total = 't2'").items[0].to_json(),
            R"({"deep[0]":{"N":"1"},"sk":{"S":"2"}})");
  // Also if it is scanned: the condition is about what the index holds.
  EXPECT_EQ(found("SELECT pk, sk, m FROM Tab.lsi WHERE g = 'g1'"), "");
  EXPECT_EQ(select("SELECT pk, sk, m FROM Tab.lsi WHERE g IS MISSING").items.size(), 6u);
  EXPECT_EQ(refused("SELECT * FROM Tab.nope WHERE g = 'g1'"),
            invalid("The table does not have the specified index"));
  EXPECT_EQ(refusal(db_->execute_statement(
                {.statement = {.text = "SELECT * FROM Tab.gsi WHERE g = 'g1'", .consistent = true}})),
            invalid("Strongly consistent read is not supported on Global Secondary Indexes"));
  EXPECT_EQ(refused("SELECT * FROM Nope.nope WHERE g = 'g1'"), no_table());
}

TEST_F(SelectTest, CompositeKeysAreNotForStatements) {
  CreateTable table = table_of("Wide", "pk");
  table.global_indexes = {index_of("two", "a")};
  table.global_indexes[0].key = {.partition = strings({"a", "b"}), .sort = {}};
  create(table);
  EXPECT_EQ(refused("SELECT * FROM Wide.two WHERE a = 'x' AND b = 'y'"),
            invalid("PartiQL statements cannot be executed on tables with multi-attribute HASH keys or "
                    "multi-attribute RANGE keys."));
  EXPECT_EQ(select("SELECT * FROM Wide WHERE pk = 'x'").items.size(), 0u);
  EXPECT_TRUE(refused("SELECT COUNT(*) FROM Wide.two").message.starts_with("PartiQL statements cannot"))
      << "before it";
  EXPECT_EQ(
      must(db_->batch_execute_statement({.statements = {{.text = "SELECT * FROM Wide.two WHERE a = 'x'"}}}))
          .members[0]
          .error->message.substr(0, 25),
      "PartiQL statements cannot");
}

TEST_F(SelectTest, CostsWhatItReads) {
  EXPECT_EQ(select("SELECT sk FROM Tab WHERE pk = 'a' AND total = 'none'").capacity.table, 0.5);
  EXPECT_EQ(must(db_->execute_statement(
                     {.statement = {.text = "SELECT * FROM Tab WHERE pk = 'a'", .consistent = true}}))
                .capacity.table,
            1);
  EXPECT_EQ(select("SELECT * FROM Tab WHERE pk IN ['a', 'b', 'c']").capacity.table, 1.5);
  EXPECT_EQ(select("SELECT * FROM Tab WHERE pk = 'a' AND sk > '2' AND sk < '1'").capacity.table, 0.5);
  EXPECT_EQ(select("SELECT * FROM Tab WHERE pk = 'a' AND sk = '2' AND sk = '1'").capacity.table, 0.5);
  const Capacity of_index = select("SELECT * FROM Tab.gsi WHERE g = 'g1'").capacity;
  EXPECT_EQ(of_index.table, 0);
  EXPECT_EQ(of_index.indexes.at("gsi"), 0.5);
  const Capacity fetched = select("SELECT m FROM Tab.lsi WHERE pk = 'a'").capacity;
  EXPECT_EQ(fetched.table, 1.5);
  EXPECT_EQ(fetched.indexes.at("lsi"), 0.5);
}

TEST_F(SelectTest, WhatIsWrongByItselfIsToldBeforeTheTableIsLookedFor) {
  EXPECT_EQ(
      refused("SELECT * FROM Nope WHERE n < true"),
      invalid(
          "Incorrect operand type for operator or function; operator or function: <, operand type: BOOL"));
  EXPECT_EQ(refused("SELECT * FROM Nope WHERE pk = ?"),
            invalid("Number of parameters in request and statement don't match."));
  EXPECT_EQ(refused("EXISTS(SELECT * FROM Tab WHERE pk = 'a' AND sk = '1' AND g = 'x')"),
            invalid("EXISTS can only be used in ExecuteTransaction write requests."));
  for (const std::string type : {"INT4", "DOUBLE PRECISION", "CHARACTER VARYING"})
    EXPECT_EQ(refused("x IS " + type), invalid("Unsupported operation: IsType"));
  EXPECT_EQ(refused(""), invalid("1 validation error detected: Value '' at 'statement' failed to satisfy "
                                 "constraint: Member must have length greater than or equal to 1"));
}

}  // namespace
}  // namespace sheaf

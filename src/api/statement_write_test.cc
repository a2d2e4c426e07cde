// INSERT, UPDATE, DELETE.
#include "api/database_fixture.h"

namespace sheaf {
namespace {

class StatementWriteTest : public DatabaseTest {
 protected:
  StatementWriteTest() { create(table_of("Tab", "pk", "sk")); }

  StatementDone run(const std::string& text, std::vector<Value> parameters = {}) {
    return must(db_->execute_statement({.statement = {.text = text, .parameters = std::move(parameters)}}));
  }
  Error refused(const std::string& text) {
    return refusal(db_->execute_statement({.statement = {.text = text}}));
  }
  std::string item(const std::string& sk = "1") {
    const Got got = must(db_->get_item({.table = "Tab", .key = {{"pk", "a"}, {"sk", sk}}}));
    return got.item ? got.item->to_json() : "none";
  }
  void insert(const std::string& attributes) {
    run("INSERT INTO Tab VALUE {'pk': 'a', 'sk': '1', " + attributes + "}");
  }
  // What UPDATE makes of an item with `attributes`, or why not.
  std::string updated(const std::string& attributes, const std::string& actions) {
    run("DELETE FROM Tab WHERE pk = 'a' AND sk = '1'");
    insert(attributes);
    const Result<StatementDone> done =
        db_->execute_statement({.statement = {.text = "UPDATE Tab " + actions +
                                                      " WHERE pk = 'a' AND sk = '1' RETURNING ALL NEW *"}});
    if (!done.ok()) return done.error().message;
    Item made(done->items[0]);
    made.remove("pk");
    made.remove("sk");
    return made.to_json();
  }
};

TEST_F(StatementWriteTest, InsertsWhatIsNotThere) {
  EXPECT_EQ(run("INSERT INTO Tab VALUE {'pk': ?, 'sk': '1', 's': <<'x'>>}", {"a"}).items.size(), 0u);
  EXPECT_EQ(item(), R"({"pk":{"S":"a"},"s":{"SS":["x"]},"sk":{"S":"1"}})");
  EXPECT_EQ(refused("INSERT INTO Tab VALUE {'pk': 'a', 'sk': '1'}"),
            (Error{Code::kDuplicate, "Duplicate primary key exists in table"}));
  EXPECT_EQ(refused("INSERT INTO Tab VALUE {'pk': 'a'}"),
            invalid_parameter("Missing the key sk in the item"));
  EXPECT_EQ(refused("INSERT INTO Nope VALUE {'pk': 'a'}"), no_table());
  EXPECT_EQ(refused("INSERT INTO Tab VALUE {'pk': 'a', 'x': set_add(<<1>>, <<2>>)}"),
            invalid("Unsupported data type: set_add under key root at 1:40:7"));
  EXPECT_FALSE(db_->execute_statement({.statement = {.text = "INSERT INTO Tab VALUE 5"}}).ok());
  EXPECT_EQ(refused("INSERT INTO Tab {'pk': 'z', 'sk': '1'}"), invalid("INSERT INTO takes one VALUE"));
}

TEST_F(StatementWriteTest, ItemsHaveTheirLargestSize) {
  const size_t overhead = 2 + 1 + 2 + 1 + 1;
  const auto put = [&](size_t bytes) {
    return db_->execute_statement(
        {.statement = {.text = "INSERT INTO Tab VALUE {'pk': 'a', 'sk': '1', 'x': ?}",
                       .parameters = {Value(std::string(bytes, 'x'))}}});
  };
  EXPECT_EQ(refusal(put(kItemBytesMax - overhead + 1)),
            invalid("Item size has exceeded the maximum allowed size"));
  EXPECT_TRUE(put(kItemBytesMax - overhead).ok());
}

TEST_F(StatementWriteTest, UpdatesWhatIsThere) {
  EXPECT_EQ(updated("'n': 1", "SET n = n + 2, m = {'x': 1} REMOVE nope SET s = 'y'"),
            R"({"m":{"M":{"x":{"N":"1"}}},"n":{"N":"3"},"s":{"S":"y"}})");
  EXPECT_EQ(updated("'n': 1", "SET n=n-1"), R"({"n":{"N":"0"}})");
  EXPECT_EQ(updated("'l': [1, 2, 3]", "SET l[0] = 9 REMOVE l[1]"), R"({"l":{"L":[{"N":"9"},{"N":"3"}]}})");
  EXPECT_EQ(updated("'l': [1]", "SET l = list_append(l, [2])"), R"({"l":{"L":[{"N":"1"},{"N":"2"}]}})");
  EXPECT_EQ(updated("'l': [1]", "SET l = list_append([0], l)"), R"({"l":{"L":[{"N":"0"},{"N":"1"}]}})");
  EXPECT_EQ(updated("'s': <<'a'>>", "SET s = set_add(s, <<'b'>>)"), R"({"s":{"SS":["a","b"]}})");
  EXPECT_EQ(updated("'x': 1", "SET s = set_add(s, <<2>>)"), R"({"s":{"NS":["2"]},"x":{"N":"1"}})");
  EXPECT_EQ(updated("'x': 1, 's': <<'a'>>", "SET s = set_delete(s, <<'a'>>)"), R"({"x":{"N":"1"}})");
  EXPECT_EQ(updated("'m': {'a': {'b': 1}}", "SET m.a.c = m.a.b"),
            R"({"m":{"M":{"a":{"M":{"b":{"N":"1"},"c":{"N":"1"}}}}}})");
}

// The texts are AWS's.
TEST_F(StatementWriteTest, SaysWhyAnUpdateCannotBe) {
  const std::string wrong_type = "An operand in the update expression has an incorrect data type";
  EXPECT_EQ(updated("'s': 'x'", "SET s = set_add(s, <<'y'>>)"), wrong_type);
  EXPECT_EQ(updated("'s': <<'x'>>", "SET s = set_add(s, <<1>>)"), wrong_type);
  EXPECT_EQ(updated("'s': 'x'", "SET s = s + 1"), wrong_type);
  EXPECT_EQ(updated("'s': 'x'", "SET n = n + 'x'"),
            "Incorrect operand type for operator or function; operator or function: +, operand type: S");
  EXPECT_EQ(updated("'s': 'x'", "SET m.x = 1"),
            "The document path provided in the update expression is invalid for update");
  EXPECT_EQ(updated("'s': 'x'", "SET l = list_append(l, [1])"),
            "The provided expression refers to an attribute that does not exist in the item");
  EXPECT_EQ(updated("'s': <<'x'>>", "SET t = set_add(s, <<'y'>>)"),
            "The first argument to SET_ADD must equal the assignment value at 1:20:7");
  EXPECT_EQ(updated("'s': <<'x'>>", "SET s = set_delete(s, 'y')"),
            "The second argument to SET_DELETE must be a value with type SET at 1:31:1");
  EXPECT_EQ(updated("'s': <<'x'>>", "SET s = set_add(s)"),
            "SET_ADD must have exactly two arguments at 1:20:7");
  EXPECT_EQ(updated("'s': 'x'", "SET s = 1, s = 2").substr(0, 41),
            "Two document paths overlap with each othe");
  EXPECT_EQ(
      updated("'s': 'x'", "SET pk = 'b'"),
      "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the "
      "key");
}

TEST_F(StatementWriteTest, WhatIsNotThereIsNotUpdatedAndMayBeDeleted) {
  for (const char* where : {"", " AND x = 1", " AND attribute_not_exists(pk)"}) {
    const StatementDone done = run("UPDATE Tab SET n = 1 WHERE pk = 'a' AND sk = '1'" + std::string(where));
    EXPECT_FALSE(done.condition_met) << where;
    EXPECT_EQ(item(), "none");
    EXPECT_TRUE(run("DELETE FROM Tab WHERE pk = 'a' AND sk = '1'" + std::string(where)).condition_met)
        << where;
  }
}

TEST_F(StatementWriteTest, ConditionsDecide) {
  insert("'n': 1");
  EXPECT_FALSE(run("UPDATE Tab SET n = 2 WHERE pk = 'a' AND sk = '1' AND n = 5").condition_met);
  EXPECT_FALSE(run("DELETE FROM Tab WHERE pk = 'a' AND sk = '1' AND n = 5").condition_met);
  const StatementDone failed = must(
      db_->execute_statement({.statement = {.text = "DELETE FROM Tab WHERE pk = 'a' AND sk = '1' AND n > 1",
                                            .return_item_on_failure = true}}));
  EXPECT_EQ(failed.item_on_failure->to_json(), item());
  EXPECT_TRUE(run("FROM Tab WHERE pk = 'a' AND sk = '1' AND (n = 1 OR n = 2) SET n = 2").condition_met);
  EXPECT_TRUE(run("DELETE FROM Tab WHERE pk = 'a' AND sk = '1' AND n = 2").condition_met);
  EXPECT_EQ(item(), "none");
}

TEST_F(StatementWriteTest, ReturnsWhatIsAskedFor) {
  insert("'n': 1, 'm': {'x': 1, 'y': 2}");
  const auto returned = [&](const std::string& text) {
    const StatementDone done = run(text);
    return done.items.empty() ? "nothing" : done.items[0].to_json();
  };
  const std::string key = " WHERE pk = 'a' AND sk = '1' RETURNING ";
  EXPECT_EQ(returned("UPDATE Tab SET n = 2, m.x = 5" + key + "MODIFIED OLD *"),
            R"({"m":{"M":{"x":{"N":"1"}}},"n":{"N":"1"}})");
  EXPECT_EQ(returned("UPDATE Tab SET n = 3, m.x = 6" + key + "MODIFIED NEW *"),
            R"({"m":{"M":{"x":{"N":"6"}}},"n":{"N":"3"}})");
  EXPECT_EQ(returned("UPDATE Tab REMOVE m" + key + "MODIFIED NEW *"), "nothing");
  EXPECT_EQ(returned("UPDATE Tab SET n = 4" + key + "ALL OLD *"),
            R"({"n":{"N":"3"},"pk":{"S":"a"},"sk":{"S":"1"}})");
  EXPECT_EQ(
      refused("DELETE FROM Tab" + key + "ALL NEW *"),
      invalid("Invalid returning clause: RETURNING ALL NEW *. Only RETURNING ALL OLD * is allowed in DELETE "
              "statements."));
  EXPECT_EQ(returned("DELETE FROM Tab" + key + "ALL OLD *"),
            R"({"n":{"N":"4"},"pk":{"S":"a"},"sk":{"S":"1"}})");
  EXPECT_EQ(returned("DELETE FROM Tab" + key + "ALL OLD *"), "nothing");
}

TEST_F(StatementWriteTest, OneItemIsNamedByItsKey) {
  const Error no_key = invalid("Where clause does not contain a mandatory equality on all key attributes");
  for (const std::string where : {"", " WHERE pk = 'a'", " WHERE n = 1", " WHERE pk IN ['a'] AND sk = '1'",
                                  " WHERE pk = 'a' OR sk = '1'", " WHERE NOT (pk = 'a' AND sk = '1')"}) {
    EXPECT_EQ(refused("DELETE FROM Tab" + where), no_key) << where;
    EXPECT_EQ(refused("UPDATE Tab SET n = 1" + where), no_key) << where;
  }
  EXPECT_EQ(
      refused("DELETE FROM Tab WHERE pk = 'a' AND pk = 'b' AND sk = '1'"),
      invalid("Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported"));
  EXPECT_EQ(refused("UPDATE Tab.x SET n = 1 WHERE pk = 'a'"),
            invalid("This operation is not supported on an index"));
  EXPECT_FALSE(
      db_->execute_statement({.statement = {.text = "DELETE FROM Tab WHERE pk = 1 AND sk = '1'"}}).ok());
}

TEST_F(StatementWriteTest, CostsWhatTheOtherWritesCost) {
  EXPECT_EQ(run("INSERT INTO Tab VALUE {'pk': 'a', 'sk': '1', 'x': ?}", {Value(std::string(2000, 'x'))})
                .capacity.table,
            2);
  EXPECT_EQ(run("UPDATE Tab SET x = 1 WHERE pk = 'a' AND sk = '1'").capacity.table, 2);
  EXPECT_EQ(run("DELETE FROM Tab WHERE pk = 'a' AND sk = '1'").capacity.table, 1);
  EXPECT_EQ(run("DELETE FROM Tab WHERE pk = 'a' AND sk = '1'").capacity.table, 1);
}

}  // namespace
}  // namespace sheaf

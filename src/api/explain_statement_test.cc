#include "api/explain_statement.h"

#include "api/database_fixture.h"

namespace sheaf {
namespace {

class ExplainStatementTest : public DatabaseTest {
 protected:
  ExplainStatementTest() {
    CreateTable table = table_of("app", "pk", "sk");
    table.global_indexes = {index_of("byDate", "day")};
    create(table);
  }
  std::string explained(const std::string& text, std::vector<Value> parameters = {}) {
    const Result<std::string> done =
        api::explain_statement(*db_, {.text = text, .parameters = std::move(parameters)});
    return done.ok() ? *done : done.error().message;
  }
};

TEST_F(ExplainStatementTest, TellsQueriesFromScans) {
  EXPECT_EQ(explained("SELECT * FROM app WHERE pk = ? AND begins_with(sk, 'M#') AND x = 1", {"T#1"}),
            "Query app: pk = \"T#1\", sk begins with \"M#\"\n");
  EXPECT_EQ(explained("SELECT * FROM app WHERE pk IN ['a', 'b'] AND sk > '1' ORDER BY pk DESC"),
            "Query app: pk = \"b\", sk > \"1\", backward\nQuery app: pk = \"a\", sk > \"1\", backward\n");
  EXPECT_EQ(explained("SELECT * FROM app.byDate WHERE day = '2026-01-01'"),
            "Query app.byDate: day = \"2026-01-01\"\n");
  EXPECT_EQ(
      explained("SELECT * FROM app WHERE day = '2026-01-01'"),
      "Scan app: reads every item\n  = give pk by = or IN in every alternative of WHERE, and it becomes a "
      "Query\n");
}

TEST_F(ExplainStatementTest, TellsWhichItemIsChanged) {
  EXPECT_EQ(explained("INSERT INTO app VALUE {'pk': 'a', 'sk': 'b'}"),
            "PutItem app, if there is no such item\n");
  EXPECT_EQ(explained("UPDATE app SET n = 1 WHERE pk = 'a' AND sk = 'b' AND n = 0"),
            "UpdateItem app: pk = \"a\", sk = \"b\", if WHERE holds\n");
  EXPECT_EQ(explained("DELETE FROM app WHERE pk = 'a'"),
            "Where clause does not contain a mandatory equality on all key attributes");
  EXPECT_EQ(explained("SELECT * FROM nope").substr(0, 28), "Requested resource not found");
}

}  // namespace
}  // namespace sheaf

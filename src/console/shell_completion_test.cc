#include "console/shell_completion.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

using Words = std::vector<std::string>;

ShellKnown shell() {
  const OptionShape table{.names = {"TABLE"}};
  CommandShape query{.name = "query",
                     .options = {{.names = {"--index"}, .value = "TEXT"},
                                 {.names = {"--filter"}, .value = "TEXT"},
                                 {.names = {"--form"}, .value = "TEXT", .choices = {"table", "list"}},
                                 {.names = {"--reverse"}}},
                     .arguments = {table, {.names = {"KEY"}}}};
  CommandShape item{.name = "item", .commands = {{.name = "get", .arguments = {table}}, {.name = "put"}}};
  ShellKnown known;
  known.commands = {.name = "", .commands = {query, item}};
  known.backslashes = {"\\help", "\\use", "\\index"};
  known.tables = {"app", "apples", "users"};
  known.indexes = {{"app", {"GSI1", "GSI2"}}};
  known.attributes = {"PK", "total", "title"};
  return known;
}

Words completed(std::string_view line, const ShellKnown& known = shell()) {
  return completions_of(line, known).words;
}

TEST(ShellCompletion, KnowsCommandsAndVerbs) {
  EXPECT_EQ(completed("q"), Words{"query"});
  EXPECT_EQ(completed("S"), Words{"SELECT"});
  EXPECT_EQ(completed("item "), (Words{"get", "put"}));
  EXPECT_EQ(completed("item g"), Words{"get"});
  EXPECT_EQ(completed("nothing "),
            (Words{"DELETE", "EXISTS", "INSERT", "SELECT", "UPDATE", "item", "query"}));
}

TEST(ShellCompletion, KnowsTablesWhereACommandWantsOne) {
  EXPECT_EQ(completed("query a"), (Words{"app", "apples"}));
  EXPECT_EQ(completed("item get u"), Words{"users"});
  EXPECT_EQ(completed("query app a"), Words{});
  ShellKnown used = shell();
  used.table = "app";
  EXPECT_EQ(completed("query a", used), Words{});
}

TEST(ShellCompletion, KnowsOptionsAndTheirValues) {
  EXPECT_EQ(completed("query app a --"), (Words{"--filter", "--form", "--index", "--reverse"}));
  EXPECT_EQ(completed("query app a --index "), (Words{"GSI1", "GSI2"}));
  EXPECT_EQ(completed("query app a --form t"), Words{"table"});
  EXPECT_EQ(completed("query app a --filter t"), (Words{"title", "total"}));
  EXPECT_EQ(completed("query app a --filter 'x > 1 AND to"), Words{"total"});
  EXPECT_EQ(completions_of("query app a --filter 'x > 1 AND to", shell()).begin, 32u);
  EXPECT_EQ(completed("query app a --reverse --in"), Words{"--index"});
}

TEST(ShellCompletion, KnowsStatements) {
  EXPECT_EQ(completed("SELECT * FROM ap"), (Words{"app", "apples"}));
  EXPECT_EQ(completed("SELECT * FROM \"us"), Words{"users"});
  EXPECT_EQ(completed("SELECT * FROM app WHERE to"), Words{"total"});
  EXPECT_EQ(completed("SELECT * FROM app W"), Words{"WHERE"});
  EXPECT_EQ(completed("select * from app w"), Words{"where"});
  EXPECT_EQ(completed("SELECT * FROM app.\"GS"), (Words{"GSI1", "GSI2"}));
}

TEST(ShellCompletion, KnowsWhatBeginsWithABackslash) {
  EXPECT_EQ(completed("\\"), (Words{"\\help", "\\index", "\\use"}));
  EXPECT_EQ(completed("\\u"), Words{"\\use"});
  EXPECT_EQ(completed("\\use us"), Words{"users"});
  ShellKnown used = shell();
  used.table = "app";
  EXPECT_EQ(completed("\\index ", used), (Words{"GSI1", "GSI2"}));
}

TEST(ShellCompletion, FindsWhatAllHaveInCommon) {
  EXPECT_EQ(common_beginning({"app", "apples"}), "app");
  EXPECT_EQ(common_beginning({"a", "b"}), "");
  EXPECT_EQ(common_beginning({}), "");
}

}  // namespace
}  // namespace sheaf::console

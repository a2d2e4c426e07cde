#include "partiql/known_statements.h"

#include <gtest/gtest.h>

#include "partiql/literals.h"
#include "partiql/parser.h"

namespace sheaf::partiql {
namespace {

std::string table_of(const Result<Statement>& statement) {
  return std::get<Select>(statement->what).from.table;
}

const Value& compared(const Statement& statement) {
  return std::get<Select>(statement.what).where->parts[1].value;
}

TEST(KnownStatements, AreGivenAsTheyWereReadWhateverBecameOfThemBefore) {
  KnownStatements known;
  const std::string_view text = "SELECT * FROM app WHERE pk = ?";
  for (const int number : {1, 2, 3}) {
    Result<Statement> statement = known.read(text);
    ASSERT_TRUE(statement.ok());
    ASSERT_EQ(statement->parameters, 1u);
    const Value parameter(number);
    ASSERT_TRUE(fold_literals(*statement, {&parameter, 1}).ok());
    EXPECT_EQ(compared(*statement).view(), parameter.view());
  }
}

TEST(KnownStatements, TakeEachOthersPlace) {
  KnownStatements known;
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < 4 * KnownStatements::kPlaces; ++i) {
      const std::string table = "table" + std::to_string(i);
      EXPECT_EQ(table_of(known.read("SELECT * FROM " + table)), table);
    }
  }
}

TEST(KnownStatements, AreWrongEachTimeThatTheyAre) {
  KnownStatements known;
  const std::string_view wrong = "SELECT * FORM app";
  for (int i = 0; i < 2; ++i) {
    const Result<Statement> statement = known.read(wrong);
    ASSERT_FALSE(statement.ok());
    EXPECT_EQ(statement.error().message, parse(wrong).error().message);
  }
}

TEST(KnownStatements, MayBeOfAnyLength) {
  KnownStatements known;
  const std::string begin = "SELECT * FROM ";
  for (const size_t bytes : {KnownStatements::kTextBytesMax, KnownStatements::kTextBytesMax + 1}) {
    const std::string table(bytes - begin.size(), 'a');
    for (int i = 0; i < 2; ++i) EXPECT_EQ(table_of(known.read(begin + table)), table);
  }
}

}  // namespace
}  // namespace sheaf::partiql

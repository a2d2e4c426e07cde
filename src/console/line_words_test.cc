#include "console/line_words.h"

#include <gtest/gtest.h>

namespace sheaf::console {
namespace {

using Words = std::vector<std::string>;

TEST(LineWords, AreSetApartBySpacesAndKeptTogetherByQuotes) {
  EXPECT_EQ(words_of_line("query app  a").words, (Words{"query", "app", "a"}));
  EXPECT_EQ(words_of_line("item put app '{\"a\": 1}'").words, (Words{"item", "put", "app", "{\"a\": 1}"}));
  EXPECT_EQ(words_of_line("a\\ b \"c d\"e '' \"x\\\"y\\n\" 'z\\'").words,
            (Words{"a b", "c de", "", "x\"y\\n", "z\\"}));
  EXPECT_EQ(words_of_line("  ").words, Words{});
}

TEST(LineWords, TellWhatIsNotFinished) {
  EXPECT_TRUE(words_of_line("a ").is_finished);
  EXPECT_FALSE(words_of_line("a b").is_finished);
  EXPECT_EQ(words_of_line("query ap").last_begin, 6u);
  EXPECT_EQ(words_of_line("query ").last_begin, 6u);
  EXPECT_TRUE(words_of_line("a 'b").is_open);
  EXPECT_FALSE(words_of_line("a 'b'").is_open);
}

TEST(WholeStatements, EndWithASemicolonThatIsInNoQuotes) {
  EXPECT_FALSE(whole_statement("SELECT * FROM a").has_value());
  EXPECT_FALSE(whole_statement("SELECT ';' FROM \"a;b\"").has_value());
  const auto whole = whole_statement("SELECT 'it''s;' FROM a; more");
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->text, "SELECT 'it''s;' FROM a");
  EXPECT_EQ(whole->rest, " more");
}

}  // namespace
}  // namespace sheaf::console

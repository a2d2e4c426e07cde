#include "infer/key_words.h"

#include <gtest/gtest.h>

namespace sheaf::infer {
namespace {

TEST(KeyWords, KeysAreCutAtTheirDelimiters) {
  const KeyTokens key = split_key("CHARACTER#mage#inventory::armor");
  EXPECT_EQ(key.tokens, (std::vector<std::string>{"CHARACTER", "mage", "inventory", "armor"}));
  EXPECT_EQ(key.delimiters, (std::vector<std::string>{"#", "#", "::"}));
  EXPECT_EQ(split_key("").tokens, std::vector<std::string>{""});
  EXPECT_EQ(split_key("#a").tokens, (std::vector<std::string>{"", "a"}));
}

TEST(KeyWords, ATimeStaysWhole) {
  EXPECT_EQ(split_key("ORDER#2026-11-15T08:30:00.000Z#o1").tokens,
            (std::vector<std::string>{"ORDER", "2026-11-15T08:30:00.000Z", "o1"}));
  // Without hours it has nothing to be cut at, and 12:30 is no time with a date.
  EXPECT_EQ(split_key("2026-11-15").tokens.size(), 1u);
  EXPECT_EQ(split_key("12:30").tokens.size(), 2u);
}

TEST(KeyWords, LabelsAreToldFromIds) {
  EXPECT_TRUE(is_word("line_item"));
  EXPECT_FALSE(is_word("p1"));
  EXPECT_FALSE(is_word(""));
  EXPECT_TRUE(is_capital_word("LINE_ITEM"));
  EXPECT_FALSE(is_capital_word("Line"));
  EXPECT_TRUE(is_head_word("METADATA"));
  EXPECT_TRUE(is_head_word("__root__"));
  EXPECT_FALSE(is_head_word("ADDRESS"));
  EXPECT_EQ(id_prefix("user_123"), "user_");
  EXPECT_EQ(id_prefix("d-1"), "d-");
  EXPECT_EQ(id_prefix("acme-east"), "");  // no number: a name
  EXPECT_EQ(id_prefix("user"), "");
}

TEST(KeyWords, EscapesAreRead) {
  EXPECT_EQ(unescaped("Tom%20Hanks"), "Tom Hanks");
  EXPECT_EQ(unescaped("100%"), "100%");
  EXPECT_EQ(unescaped("%zz"), "%zz");
}

}  // namespace
}  // namespace sheaf::infer

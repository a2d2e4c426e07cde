#include "generate/expression_texts.h"

#include <gtest/gtest.h>

#include <set>

#include "model/regular_language.h"

namespace sheaf::generate {
namespace {

// The model layer reads expressions by itself: what it takes must be what is made here.
TEST(ExpressionTexts, MatchAndDiffer) {
  for (const char* pattern :
       {"d-.+", "[0-9]{4}", "[A-Z]{2,3}-\\d+", "(a|ab)(c|bc)?", "user_.+", "\\w+@\\w+\\.(com|org)",
        "[^a-z]x*", "(no|yes)", "a?b?c?", "é{2}[α-ω]", "[a-c\\d_-]{3}", "x(y|z){2,}", "\\s\\[a\\]", "a*",
        "^x\\D\\S$", "[]a]", "[^\\s\\w]", "[^]-]"}) {
    const auto texts = ExpressionTexts::of(pattern, {.key = 3, .wanted = 500});
    ASSERT_TRUE(texts.ok()) << pattern << ": " << texts.error().message;
    const auto language = model::RegularLanguage::expression(pattern);
    ASSERT_TRUE(language.ok());
    std::set<std::string> seen;
    for (uint64_t i = 0; i < std::min<uint64_t>(texts->count(), 2000); ++i) {
      const std::string text = texts->nth(i);
      EXPECT_TRUE(language->contains(text)) << pattern << ": " << text;
      EXPECT_TRUE(seen.insert(text).second) << pattern << ": " << text;
      EXPECT_FALSE(text.empty());
    }
  }
}

TEST(ExpressionTexts, AreAsManyAsThereAre) {
  const auto count = [](const char* pattern, uint64_t bytes_max = ExpressionTexts::kBytesMax) {
    return ExpressionTexts::of(pattern, {.bytes_max = bytes_max})->count();
  };
  EXPECT_EQ(count("[0-9]{4}"), 10000u);
  EXPECT_EQ(count("no|yes"), 2u);
  EXPECT_EQ(count("(a|a)(b|b)"), 1u);
  EXPECT_EQ(count("a{1,3}"), 3u);
  EXPECT_EQ(count("a+", 5), 5u);
  EXPECT_EQ(count(".+"), ExpressionTexts::kCountMax);
}

TEST(ExpressionTexts, HaveOneLengthIfTheyAreEnough) {
  const auto texts = ExpressionTexts::of("e-.+", {.wanted = 1000});
  for (uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(texts->nth(i).size(), 4u);
  EXPECT_EQ(texts->nth(36 * 36).size(), 5u);
}

TEST(ExpressionTexts, KeepAwayFromWhatIsForbidden) {
  const auto texts = ExpressionTexts::of("[a-e]", {.forbidden = "bd"});
  EXPECT_EQ(texts->count(), 3u);
}

TEST(ExpressionTexts, ThatCannotBeMadeAreRefused) {
  EXPECT_FALSE(ExpressionTexts::of("a{50}", {}).ok());
  EXPECT_TRUE(ExpressionTexts::of("a{50}", {.bytes_max = 50}).ok());
  EXPECT_FALSE(ExpressionTexts::of("(", {}).ok());
  EXPECT_FALSE(ExpressionTexts::of("(((a{1,999}){1,999}){1,999})", {}).ok());
}

}  // namespace
}  // namespace sheaf::generate

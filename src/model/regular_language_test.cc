#include "model/regular_language.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

namespace sheaf::model {
namespace {

RegularLanguage expression(std::string_view pattern) {
  const auto language = RegularLanguage::expression(pattern);
  EXPECT_TRUE(language.ok()) << pattern;
  return language.ok() ? *language : RegularLanguage();
}

TEST(RegularLanguage, MatchesWholeTexts) {
  EXPECT_TRUE(expression("d-.+").contains("d-1"));
  EXPECT_FALSE(expression("d-.+").contains("d-"));
  EXPECT_FALSE(expression("d-.+").contains("ad-1"));
  EXPECT_TRUE(expression("^a|b$").contains("b"));
  EXPECT_TRUE(expression("[^a-c]{2,3}").contains("xyz"));
  EXPECT_FALSE(expression("[^a-c]{2,3}").contains("x"));
  EXPECT_TRUE(expression("(ab)*").contains(""));
  EXPECT_TRUE(expression("größe\\.\\d").contains("größe.7"));
  EXPECT_TRUE(expression("[ä-ü]").contains("ö"));
  EXPECT_TRUE(expression("[\\d\\-x]+").contains("3-x"));
}

TEST(RegularLanguage, TellsWhatIsWrongWithAnExpression) {
  for (const char* const pattern : {"(", ")", "[", "[b-a]", "*a", "a{", "a{2,1}", "a{300}", "\\", "\\p",
                                    "(?:a)", "[\\", "(((((a{200}){200}){200}))))"}) {
    EXPECT_FALSE(RegularLanguage::expression(pattern).ok()) << pattern;
  }
  EXPECT_FALSE(RegularLanguage::expression(std::string(10'000, '(')).ok());
}

TEST(RegularLanguage, FindsATextThatIsInBoth) {
  const auto common = [](std::string_view a, std::string_view b) {
    return RegularLanguage::common_text(expression(a), expression(b));
  };
  EXPECT_EQ(common("d-.+", "e-.+"), std::nullopt);
  EXPECT_EQ(common("ORG#.*", "ORG#a"), "ORG#a");
  EXPECT_EQ(common("a*b", "aab|c"), "aab");
  EXPECT_EQ(common("[a-m]+", "[m-z]+"), "m");
  EXPECT_EQ(common("", "a?"), "");
}

// Against the standard library's expressions, on small alphabets.
TEST(RegularLanguage, AgreesWithAnotherImplementation) {
  std::mt19937_64 chance(7);
  const auto random_expression = [&](auto&& self, int depth) -> std::string {
    switch (chance() % (depth > 3 ? 2 : 6)) {
      case 0:
        return std::string(1, "abc"[chance() % 3]);
      case 1:
        return chance() % 2 == 0 ? "[ab]" : "[^a]";
      case 2:
        return self(self, depth + 1) + self(self, depth + 1);
      case 3:
        return "(" + self(self, depth + 1) + "|" + self(self, depth + 1) + ")";
      case 4:
        return "(" + self(self, depth + 1) + ")" + std::string(1, "*+?"[chance() % 3]);
      default:
        return "(" + self(self, depth + 1) + "){1,2}";
    }
  };
  for (int round = 0; round < 300; ++round) {
    const std::string first = random_expression(random_expression, 0);
    const std::string second = random_expression(random_expression, 0);
    const RegularLanguage a = expression(first), b = expression(second);
    const std::regex reference_a(first), reference_b(second);
    bool any_common = false;
    for (int number = 0; number < 364; ++number) {  // all texts of a, b and c up to five characters
      std::string text;
      for (int rest = number; rest > 0; rest = (rest - 1) / 3) text += "abc"[(rest - 1) % 3];
      ASSERT_EQ(a.contains(text), std::regex_match(text, reference_a)) << first << " on " << text;
      any_common = any_common || (std::regex_match(text, reference_a) && std::regex_match(text, reference_b));
    }
    const auto common = RegularLanguage::common_text(a, b);
    ASSERT_TRUE(!any_common || common.has_value()) << first << " and " << second;
    if (common) {
      ASSERT_TRUE(std::regex_match(*common, reference_a) && std::regex_match(*common, reference_b))
          << first << " and " << second << " on " << *common;
    }
  }
}

}  // namespace
}  // namespace sheaf::model

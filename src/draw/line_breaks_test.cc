#include "draw/line_breaks.h"

#include <gtest/gtest.h>

#include <random>

#include "draw/text_width.h"

namespace sheaf::draw {
namespace {

std::vector<std::string> broken(std::string_view text, double width) {
  return broken_lines(text, width, [](std::string_view part) { return columns(part); });
}

using Lines = std::vector<std::string>;

TEST(LineBreaks, TextThatFitsIsOneLine) {
  EXPECT_EQ(broken("USER#ann", 8), Lines{"USER#ann"});
  EXPECT_EQ(broken("", 8), Lines{""});
}

TEST(LineBreaks, ComeBehindSpacesWhichVanishAndBehindSeparatorsOfKeys) {
  EXPECT_EQ(broken("It is slow", 6), (Lines{"It is", "slow"}));
  EXPECT_EQ(broken("ORG#acme#USER#ann", 10), (Lines{"ORG#acme#", "USER#ann"}));
  EXPECT_EQ(broken("d-1_d-e-relationship", 8), (Lines{"d-1_d-e-", "relation", "ship"}));
}

TEST(LineBreaks, ComeAnywhereWhereThereIsNoBetterPlace) {
  EXPECT_EQ(broken("01HF0000000000000000000001", 10), (Lines{"01HF000000", "0000000000", "000001"}));
  // Breaking behind the # would leave a line almost empty.
  EXPECT_EQ(broken("T#01HF00000000", 12), (Lines{"T#01HF000000", "00"}));
}

TEST(LineBreaks, WideCharactersAreNeitherHalvedNorPartedFromTheirMarks) {
  EXPECT_EQ(broken("部门和员工", 5), (Lines{"部门", "和员", "工"}));
  EXPECT_EQ(broken("aae\u0301", 2), (Lines{"aa", "e\u0301"}));
  EXPECT_EQ(broken("部", 1), Lines{"部"});
}

TEST(LineBreaks, TogetherTheLinesSayWhatTheTextSaysAndEachFits) {
  std::mt19937 dice(11);
  static constexpr std::string_view kPieces[] = {"a", "bc", " ", "#", "部", "e\u0301", "_", "ORG", "  "};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t count = dice() % 20; count > 0; --count) text += kPieces[dice() % std::size(kPieces)];
    const double width = 2 + dice() % 9;
    std::string joined;
    for (const std::string& line : broken(text, width)) {
      EXPECT_LE(columns(line), width) << text << " round " << round;
      joined += line;
    }
    std::erase(joined, ' ');
    std::erase(text, ' ');
    ASSERT_EQ(joined, text) << "round " << round;
  }
}

}  // namespace
}  // namespace sheaf::draw

#include "draw/shown_text.h"

#include <gtest/gtest.h>

#include <random>

#include "draw/text_width.h"
#include "value/utf8.h"

namespace sheaf::draw {
namespace {

TEST(ShownText, OrdinaryTextStaysAsItIs) {
  EXPECT_EQ(ShownText("ORG#acme <b>&\"'").utf8(), "ORG#acme <b>&\"'");
  EXPECT_EQ(ShownText("Grüße, 東京, Ωμέγα, 👩‍💻").utf8(),
            "Grüße, 東京, Ωμέγα, 👩‍💻");
}

TEST(ShownText, WhatHasNoShapeIsWrittenOut) {
  EXPECT_EQ(ShownText("a\nb\tc\r").utf8(), "a\\nb\\tc\\r");
  EXPECT_EQ(ShownText(std::string_view("\0\x1b[31m", 6)).utf8(), "\\u0000\\u001b[31m");
  EXPECT_EQ(ShownText("\u202egnp.exe\u200b").utf8(), "\\u202egnp.exe\\u200b");
  EXPECT_EQ(ShownText("\uFFFE|\uFEFF").utf8(), "\\ufffe|\\ufeff");
  EXPECT_EQ(ShownText("\U0001FFFF").utf8(), "\\u01ffff");
}

TEST(ShownText, BytesThatAreNoUtf8BecomeReplacements) {
  EXPECT_EQ(ShownText("a\xff"
                      "b")
                .utf8(),
            "a\uFFFDb");
  EXPECT_EQ(ShownText("\xc0\x80").utf8(), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(ShownText("\xed\xa0\x80").utf8(), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(ShownText("\xf4\x90\x80\x80").utf8(), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(ShownText("\xe6\x9d").utf8(), "\uFFFD\uFFFD");  // cut short
}

TEST(ShownText, AnyBytesAreShownAsUtf8AndShowingThemAgainChangesNothing) {
  std::mt19937 dice(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(dice() % 12, ' ');
    for (char& c : bytes) c = static_cast<char>(dice() % 2 == 0 ? dice() % 256 : 0x80 + dice() % 0x70);
    const ShownText shown(bytes);
    ASSERT_TRUE(is_utf8(shown.utf8())) << "round " << round;
    for (std::string_view rest = shown.utf8(); !rest.empty();) ASSERT_GE(take_code_point(rest), U' ');
    ASSERT_EQ(ShownText(shown.utf8()), shown) << "round " << round;
  }
}

TEST(TextWidth, CountsColumnsOfATerminal) {
  EXPECT_EQ(columns("ORG#acme"), 8);
  EXPECT_EQ(columns("部门"), 4);
  EXPECT_EQ(columns("ｆｕｌｌ"), 8);
  EXPECT_EQ(columns("한국"), 4);
  EXPECT_EQ(columns("e\u0301"), 1);  // a letter and a mark
  EXPECT_EQ(columns("👍"), 2);
  EXPECT_EQ(columns("─│┼"), 3);
  EXPECT_EQ(columns("Ωж"), 2);
  EXPECT_EQ(columns(""), 0);
}

TEST(TextWidth, IsNeverLessThanTheWidestUsualFontNeeds) {
  EXPECT_GE(ems("WWW", Typeface::kSansBold), 3 * 1.1);
  EXPECT_GE(ems("mmm", Typeface::kSans), 3 * 0.974);
  EXPECT_GE(ems("iii", Typeface::kMono), 3 * 0.602);
  EXPECT_GE(ems("東京", Typeface::kMono), 2.0);
  EXPECT_LT(ems("iii", Typeface::kSans), 1.0);  // and not without measure
}

}  // namespace
}  // namespace sheaf::draw

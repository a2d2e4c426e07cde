#include "assist/line_index.h"

#include <gtest/gtest.h>

namespace sheaf::assist {
namespace {

TEST(LineIndex, CountsUnitsOfUtf16) {
  // é has two bytes and one unit, € three and one, 𝄞 four and two.
  const std::string_view text = "aé€𝄞z\nb";
  const LineIndex lines(text);
  const auto unit = [&](uint32_t offset) { return lines.position(offset).unit; };
  EXPECT_EQ(unit(0), 0u);
  EXPECT_EQ(unit(1), 1u);
  EXPECT_EQ(unit(3), 2u);
  EXPECT_EQ(unit(6), 3u);
  EXPECT_EQ(unit(10), 5u);
  EXPECT_EQ(unit(11), 6u);
  EXPECT_EQ(lines.position(12), (EditorPosition{.line = 1, .unit = 0}));
  for (const uint32_t offset : {0u, 1u, 3u, 6u, 10u, 11u, 12u, 13u})
    EXPECT_EQ(lines.offset(lines.position(offset)), offset);
}

TEST(LineIndex, APlaceInsideOfACharacterIsItsBeginning) {
  const LineIndex lines("𝄞z");
  EXPECT_EQ(lines.offset({.line = 0, .unit = 1}), 0u);
  EXPECT_EQ(lines.position(2), (EditorPosition{.line = 0, .unit = 0}));
}

TEST(LineIndex, LinesEndAsInEditors) {
  const LineIndex lines("a\r\nb\rc\nd");
  EXPECT_EQ(lines.line_count(), 4u);
  EXPECT_EQ(lines.position(3), (EditorPosition{.line = 1, .unit = 0}));
  EXPECT_EQ(lines.position(5), (EditorPosition{.line = 2, .unit = 0}));
  EXPECT_EQ(lines.position(7), (EditorPosition{.line = 3, .unit = 0}));
}

TEST(LineIndex, WhatLiesBehindALineIsItsEnd) {
  const LineIndex lines("ab\r\ncd");
  EXPECT_EQ(lines.offset({.line = 0, .unit = 99}), 2u);
  EXPECT_EQ(lines.offset({.line = 1, .unit = 99}), 6u);
  EXPECT_EQ(lines.offset({.line = 9, .unit = 0}), 6u);
}

TEST(LineIndex, BytesThatAreNoUtf8CountAsOne) {
  const LineIndex lines("\xFF\xFEz");
  EXPECT_EQ(lines.position(2).unit, 2u);
  EXPECT_EQ(lines.offset({.line = 0, .unit = 2}), 2u);
}

}  // namespace
}  // namespace sheaf::assist

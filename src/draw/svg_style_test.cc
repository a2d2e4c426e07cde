#include "draw/svg_style.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace sheaf::draw {
namespace {

// WCAG's relative luminance of #rrggbb.
double luminance(const std::string& colour) {
  const auto part = [&](size_t at) {
    const double value = std::stoi(colour.substr(at, 2), nullptr, 16) / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

// Text needs 4.5, lines and marks 3.
TEST(SvgStyle, EverythingIsLegibleOnLightAndDarkPages) {
  const Palette& colours = palette();
  for (const auto scheme : {&Colours::light, &Colours::dark}) {
    std::vector<Colours> grounds{colours.page, colours.header, colours.partition};
    grounds.insert(grounds.end(), colours.tints.begin(), colours.tints.end());
    for (const Colours& ground : grounds) {
      EXPECT_GE(contrast(colours.ink.*scheme, ground.*scheme), 7) << ground.*scheme;
      EXPECT_GE(contrast(colours.muted.*scheme, ground.*scheme), 4.5) << ground.*scheme;
    }
    EXPECT_GE(contrast(colours.line.*scheme, colours.page.*scheme), 3);
    for (size_t hue = 0; hue < colours.accents.size(); ++hue) {
      EXPECT_GE(contrast(colours.accents[hue].*scheme, colours.page.*scheme), 3) << hue;
      EXPECT_GE(contrast(colours.accents[hue].*scheme, colours.tints[hue].*scheme), 3) << hue;
    }
  }
  EXPECT_EQ(colours.tints.size(), colours.accents.size());
}

TEST(SvgStyle, TheStyleSheetNamesEveryClassForBothSchemes) {
  const std::string sheet = style_sheet();
  const std::string dark = sheet.substr(sheet.find("@media"));
  for (Hue hue = 0; hue < 2 * palette().tints.size(); ++hue) {
    for (const std::string& name : {tint(hue), accent(hue), accent_stroke(hue)}) {
      EXPECT_LT(sheet.find("." + name + "{"), sheet.find("@media")) << name;
      EXPECT_NE(dark.find("." + name + "{"), std::string::npos) << name;
    }
  }
  EXPECT_EQ(tint(0), tint(palette().tints.size()));  // colours are used again
}

}  // namespace
}  // namespace sheaf::draw

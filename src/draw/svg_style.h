// How SVG drawings look: fonts, sizes and colours, for light and dark pages.
#pragma once

#include <string>
#include <vector>

#include "draw/grid.h"
#include "draw/text_width.h"

namespace sheaf::draw {

struct SvgFont {
  const char* name;  // its class
  Typeface typeface;
  double size;
  double line_height;
};

const SvgFont& svg_font(TextStyle style);
inline constexpr SvgFont kDrawingTitle{"t1", Typeface::kSansBold, 20, 28};
inline constexpr SvgFont kSectionTitle{"t2", Typeface::kSansBold, 15, 22};
inline constexpr SvgFont kNote{"t3", Typeface::kSans, 12, 18};
inline constexpr SvgFont kBoxTitle{"t4", Typeface::kSansBold, 14, 20};
inline constexpr SvgFont kLabel{"t5", Typeface::kSans, 12, 16};
inline constexpr SvgFont kLabelNote{"t6", Typeface::kMono, 11, 15};

double width_of(const ShownText& text, const SvgFont& font);

// Names of classes for one of the colours: its light area, its strong area, its stroke.
std::string tint(Hue hue);
std::string accent(Hue hue);
std::string accent_stroke(Hue hue);

struct Colours {
  const char* light;
  const char* dark;
};

// Of everything that text stands on or that carries meaning: what the style sheet uses, for tests.
struct Palette {
  Colours page{"#ffffff", "#0d1117"};
  Colours header{"#f1f4f8", "#1b222c"};
  Colours partition{"#f8fafc", "#141a22"};
  Colours border{"#d3dae3", "#364150"};
  Colours ink{"#1b2430", "#e4eaf1"};
  Colours muted{"#56616f", "#a3afbd"};
  Colours line{"#6b7788", "#8a97a8"};
  std::vector<Colours> tints;
  std::vector<Colours> accents;
};
const Palette& palette();

std::string style_sheet();

}  // namespace sheaf::draw

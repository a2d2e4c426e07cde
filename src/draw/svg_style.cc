#include "draw/svg_style.h"

namespace sheaf::draw {
namespace {

constexpr SvgFont kFonts[] = {
    {"h", Typeface::kSansBold, 11.5, 16},  // kHeading
    {"n", Typeface::kSans, 10.5, 15},      // kName
    {"c", Typeface::kMono, 12, 17},        // kCode
    {"p", Typeface::kSans, 12, 17},        // kPlain
    {"s", Typeface::kSansBold, 12, 17},    // kStrong
    {"m", Typeface::kSans, 11, 16},        // kMuted
};

std::string hue_class(std::string_view word, Hue hue) {
  return std::string(word) + std::to_string(hue % palette().tints.size());
}

std::string font_rule(const SvgFont& font) {
  const bool is_mono = font.typeface == Typeface::kMono;
  std::string size = std::to_string(static_cast<int>(font.size));
  if (font.size != static_cast<int>(font.size)) size += ".5";
  return "." + std::string(font.name) + "{font:" + (font.typeface == Typeface::kSansBold ? "600 " : "400 ") +
         size + "px " +
         (is_mono
              ? "ui-monospace,\"SF Mono\",Menlo,Consolas,\"DejaVu Sans Mono\",\"Liberation Mono\",monospace"
              : "system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif") +
         "}\n";
}

std::string colour_rules(const char* Colours::*scheme) {
  const Palette& colours = palette();
  std::string out;
  const auto fill = [&](std::string_view selector, const Colours& colour) {
    out += std::string(selector) + "{fill:" + colour.*scheme + "}\n";
  };
  const auto stroke = [&](std::string_view selector, const Colours& colour) {
    out += std::string(selector) + "{stroke:" + colour.*scheme + "}\n";
  };
  fill("text", colours.ink);
  fill(".h,.n,.m,.t3,.t6", colours.muted);
  fill(".page", colours.page);
  fill(".head", colours.header);
  fill(".part", colours.partition);
  stroke(".edge", colours.border);
  stroke(".line", colours.line);
  stroke(".halo", colours.page);
  for (size_t hue = 0; hue < colours.tints.size(); ++hue) {
    fill(".tint" + std::to_string(hue), colours.tints[hue]);
    fill(".hue" + std::to_string(hue), colours.accents[hue]);
    stroke(".link" + std::to_string(hue), colours.accents[hue]);
  }
  return out;
}

}  // namespace

const SvgFont& svg_font(TextStyle style) { return kFonts[static_cast<size_t>(style)]; }

double width_of(const ShownText& text, const SvgFont& font) {
  return ems(text.utf8(), font.typeface) * font.size;
}

std::string tint(Hue hue) { return hue_class("tint", hue); }
std::string accent(Hue hue) { return hue_class("hue", hue); }
std::string accent_stroke(Hue hue) { return hue_class("link", hue); }

const Palette& palette() {
  static const Palette kPalette{.tints = {{"#e3eefb", "#12263f"},
                                          {"#e2f4e6", "#10301d"},
                                          {"#fcf0d6", "#372a0c"},
                                          {"#f0e8fb", "#2a1d40"},
                                          {"#fbe5e9", "#3d1822"},
                                          {"#dcf3f4", "#0d3033"},
                                          {"#fde9dc", "#3b2211"},
                                          {"#eaedf1", "#262d36"},
                                          {"#e6e7fb", "#1c1f45"},
                                          {"#eef3d3", "#262f0a"},
                                          {"#fae4f4", "#3a1833"},
                                          {"#f1e7de", "#33251b"}},
                                .accents = {{"#2f6fc4", "#6ea8f2"},
                                            {"#2c8a4b", "#5fc484"},
                                            {"#a87400", "#e0b04a"},
                                            {"#7c50c4", "#b394ee"},
                                            {"#c23b5c", "#f28aa3"},
                                            {"#11868d", "#4fc3ca"},
                                            {"#c25a17", "#f0975c"},
                                            {"#5a6675", "#9aa7b6"},
                                            {"#4a50c8", "#9297f5"},
                                            {"#6b7d0e", "#b3c653"},
                                            {"#b03a94", "#eb8ad3"},
                                            {"#8a5a33", "#cfa27c"}}};
  return kPalette;
}

std::string style_sheet() {
  std::string out;
  for (const SvgFont& font : kFonts) out += font_rule(font);
  for (const SvgFont& font : {kDrawingTitle, kSectionTitle, kNote, kBoxTitle, kLabel, kLabelNote})
    out += font_rule(font);
  out +=
      ".middle{text-anchor:middle}\n.end{text-anchor:end}\n.id{font-weight:600;text-decoration:underline}\n"
      ".edge{stroke-width:1}\n.line{fill:none;stroke-width:1.5}\n.halo{fill:none;stroke-width:6}\n"
      ".link{fill:none;stroke-width:2;stroke-opacity:.7}\n.none{fill:none}\n";
  out += colour_rules(&Colours::light);
  out += "@media (prefers-color-scheme:dark){\n" + colour_rules(&Colours::dark) + "}\n";
  return out;
}

}  // namespace sheaf::draw

#include "draw/text_canvas.h"

#include <algorithm>

#include "draw/shown_text.h"
#include "draw/text_width.h"

namespace sheaf::draw {
namespace {

// By up, right, down, left: 0 no stroke, 1 single, 2 double. Level strokes alone are double.
struct Joint {
  uint8_t strokes[4];
  std::string_view text;
};

constexpr Joint kJoints[] = {
    {{0, 1, 0, 1}, "─"}, {{0, 1, 0, 0}, "─"}, {{0, 0, 0, 1}, "─"}, {{1, 0, 1, 0}, "│"}, {{1, 0, 0, 0}, "│"},
    {{0, 0, 1, 0}, "│"}, {{0, 1, 1, 0}, "┌"}, {{0, 0, 1, 1}, "┐"}, {{1, 1, 0, 0}, "└"}, {{1, 0, 0, 1}, "┘"},
    {{1, 1, 1, 0}, "├"}, {{1, 0, 1, 1}, "┤"}, {{0, 1, 1, 1}, "┬"}, {{1, 1, 0, 1}, "┴"}, {{1, 1, 1, 1}, "┼"},
    {{0, 2, 0, 2}, "═"}, {{0, 2, 0, 0}, "═"}, {{0, 0, 0, 2}, "═"}, {{1, 2, 1, 0}, "╞"}, {{1, 0, 1, 2}, "╡"},
    {{0, 2, 1, 2}, "╤"}, {{1, 2, 0, 2}, "╧"}, {{1, 2, 1, 2}, "╪"}, {{1, 2, 0, 0}, "╘"}, {{1, 0, 0, 2}, "╛"},
    {{0, 2, 1, 0}, "╒"}, {{0, 0, 1, 2}, "╕"},
};

constexpr std::string_view kNoPaint = "\033[0m";

std::string_view joint(uint8_t up, uint8_t right, uint8_t down, uint8_t left) {
  // A double stroke that goes on as a single one: there is no such character.
  if (right != 0 && left != 0) right = left = std::max(right, left);
  for (const Joint& each : kJoints) {
    if (each.strokes[0] == up && each.strokes[1] == right && each.strokes[2] == down &&
        each.strokes[3] == left)
      return each.text;
  }
  return " ";
}

}  // namespace

TextCanvas::TextCanvas(size_t width, size_t height)
    : width_(width), height_(height), places_(width * height) {}

void TextCanvas::level_line(size_t from_x, size_t to_x, size_t y, Stroke stroke) {
  if (from_x > to_x) std::swap(from_x, to_x);
  for (size_t x = from_x; x < to_x; ++x) {
    at(x, y).right = std::max(at(x, y).right, static_cast<uint8_t>(stroke));
    at(x + 1, y).left = std::max(at(x + 1, y).left, static_cast<uint8_t>(stroke));
  }
}

void TextCanvas::upright_line(size_t x, size_t from_y, size_t to_y) {
  if (from_y > to_y) std::swap(from_y, to_y);
  for (size_t y = from_y; y < to_y; ++y) at(x, y).down = at(x, y + 1).up = 1;
}

void TextCanvas::rectangle(size_t x, size_t y, size_t width, size_t height) {
  level_line(x, x + width, y);
  level_line(x, x + width, y + height);
  upright_line(x, y, y + height);
  upright_line(x + width, y, y + height);
}

void TextCanvas::text(size_t x, size_t y, std::string_view utf8, std::string_view paint) {
  while (!utf8.empty() && y < height_) {
    const char32_t c = take_code_point(utf8);
    const auto width = static_cast<size_t>(columns(c));
    if (width == 0) {
      if (x > 0) append_utf8(at(at(x - 1, y).is_covered ? x - 2 : x - 1, y).text, c);
      continue;
    }
    if (x + width > width_) return;
    Place& place = at(x, y);
    place.text.clear();
    append_utf8(place.text, c);
    place.paint = paint;
    if (width == 2) at(x + 1, y).is_covered = true;
    x += width;
  }
}

std::string TextCanvas::str() const {
  std::string out;
  for (size_t y = 0; y < height_; ++y) {
    std::string line;
    std::string_view paint;
    for (size_t x = 0; x < width_; ++x) {
      const Place& place = places_[y * width_ + x];
      if (place.is_covered) continue;
      if (place.paint != paint) {
        if (!paint.empty()) line += kNoPaint;
        line += paint = place.paint;
      }
      line += place.text.empty() ? joint(place.up, place.right, place.down, place.left) : place.text;
    }
    if (!paint.empty()) line += kNoPaint;
    while (line.ends_with(' ')) line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace sheaf::draw

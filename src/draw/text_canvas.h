// A sheet of characters for a terminal: lines that join where they meet, and text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::draw {

class TextCanvas {
 public:
  TextCanvas(size_t width, size_t height);

  enum class Stroke : uint8_t { kSingle = 1, kDouble = 2 };

  // From one place to another, both included.
  void level_line(size_t from_x, size_t to_x, size_t y, Stroke stroke = Stroke::kSingle);
  void upright_line(size_t x, size_t from_y, size_t to_y);
  void rectangle(size_t x, size_t y, size_t width, size_t height);
  // Over whatever is there; `utf8` has no control characters. What does not fit is cut off. `paint` is what
  // turns a terminal's colour on, and must outlive the canvas; empty: none.
  void text(size_t x, size_t y, std::string_view utf8, std::string_view paint = {});

  // Line by line, without spaces at the ends of lines.
  std::string str() const;

 private:
  struct Place {
    // Strokes towards each side, 0 for none.
    uint8_t up = 0;
    uint8_t right = 0;
    uint8_t down = 0;
    uint8_t left = 0;
    std::string text;
    std::string_view paint;
    bool is_covered = false;  // by the wide character before it
  };

  Place& at(size_t x, size_t y) { return places_[y * width_ + x]; }

  const size_t width_;
  const size_t height_;
  std::vector<Place> places_;
};

}  // namespace sheaf::draw

// Writes the elements of an SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/diagram_layout.h"
#include "draw/shown_text.h"

namespace sheaf::draw {

// Which corners of a rectangle are round.
struct Corners {
  bool top_left = false;
  bool top_right = false;
  bool bottom_right = false;
  bool bottom_left = false;
};

class SvgWriter {
 public:
  // `classes` are names of the style sheet's.
  void rectangle(double x, double y, double width, double height, std::string_view classes,
                 const Corners& corners = {}, double radius = 0);
  void circle(Point centre, double radius, std::string_view classes);
  // Straight pieces with rounded turns.
  void line(const std::vector<Point>& points, std::string_view classes, double radius = 0);
  // From one side to another, level at both ends.
  void curve(Point from, Point to, std::string_view classes);
  // `baseline.x` is where it begins, or its middle or end: classes "middle" and "end".
  void text(Point baseline, const ShownText& text, std::string_view classes);

  // What is drawn is moved by this from now on.
  void move_to(Point origin) { origin_ = origin; }

  // What another has drawn.
  void append(const SvgWriter& other) { body_ += other.body_; }

  // The whole file. Classes that `style` does not name look as the browser likes.
  std::string finish(double width, double height, const ShownText& title, std::string_view style);

 private:
  std::string place(Point point) const;

  Point origin_;
  std::string body_;
};

// Without needless digits.
std::string svg_number(double value);

}  // namespace sheaf::draw

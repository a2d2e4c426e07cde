#include "draw/svg_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/xml_text.h"

namespace sheaf::draw {
namespace {

Point towards(Point from, Point to, double distance) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  if (length == 0) return from;
  const double part = std::min(distance, length / 2) / length;
  return {from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
}

}  // namespace

std::string svg_number(double value) {
  const auto tenths = static_cast<int64_t>(std::llround(value * 10));
  std::string text = std::to_string(std::abs(tenths) / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(std::abs(tenths) % 10);
  return tenths < 0 ? "-" + text : text;
}

std::string SvgWriter::place(Point point) const {
  return svg_number(origin_.x + point.x) + " " + svg_number(origin_.y + point.y);
}

void SvgWriter::rectangle(double x, double y, double width, double height, std::string_view classes,
                          const Corners& corners, double radius) {
  const bool is_plain =
      radius == 0 || !(corners.top_left || corners.top_right || corners.bottom_right || corners.bottom_left);
  if (is_plain) {
    body_ += "<rect x=\"" + svg_number(origin_.x + x) + "\" y=\"" + svg_number(origin_.y + y) +
             "\" width=\"" + svg_number(width) + "\" height=\"" + svg_number(height) + "\" class=\"" +
             std::string(classes) + "\"/>\n";
    return;
  }
  const auto arc = [&](bool is_round, double corner_x, double corner_y, Point before, Point behind) {
    if (!is_round) return "L" + place({corner_x, corner_y});
    return "L" + place(before) + "Q" + place({corner_x, corner_y}) + " " + place(behind);
  };
  const double right = x + width;
  const double bottom = y + height;
  const double r = radius;
  std::string path = "M" + place({x + (corners.top_left ? r : 0), y});
  path += arc(corners.top_right, right, y, {right - r, y}, {right, y + r});
  path += arc(corners.bottom_right, right, bottom, {right, bottom - r}, {right - r, bottom});
  path += arc(corners.bottom_left, x, bottom, {x + r, bottom}, {x, bottom - r});
  path += arc(corners.top_left, x, y, {x, y + r}, {x + r, y});
  body_ += "<path d=\"" + path + "Z\" class=\"" + std::string(classes) + "\"/>\n";
}

void SvgWriter::circle(Point centre, double radius, std::string_view classes) {
  body_ += "<circle cx=\"" + svg_number(origin_.x + centre.x) + "\" cy=\"" +
           svg_number(origin_.y + centre.y) + "\" r=\"" + svg_number(radius) + "\" class=\"" +
           std::string(classes) + "\"/>\n";
}

void SvgWriter::line(const std::vector<Point>& points, std::string_view classes, double radius) {
  std::string path = "M" + place(points.front());
  for (size_t i = 1; i < points.size(); ++i) {
    if (i + 1 == points.size() || radius == 0) {
      path += "L" + place(points[i]);
      continue;
    }
    path += "L" + place(towards(points[i], points[i - 1], radius)) + "Q" + place(points[i]) + " " +
            place(towards(points[i], points[i + 1], radius));
  }
  body_ += "<path d=\"" + path + "\" class=\"" + std::string(classes) + "\"/>\n";
}

void SvgWriter::curve(Point from, Point to, std::string_view classes) {
  const double middle = (from.x + to.x) / 2;
  body_ += "<path d=\"M" + place(from) + "C" + place({middle, from.y}) + " " + place({middle, to.y}) + " " +
           place(to) + "\" class=\"" + std::string(classes) + "\"/>\n";
}

void SvgWriter::text(Point baseline, const ShownText& text, std::string_view classes) {
  if (text.empty()) return;
  body_ += "<text x=\"" + svg_number(origin_.x + baseline.x) + "\" y=\"" +
           svg_number(origin_.y + baseline.y) + "\" class=\"" + std::string(classes) + "\">" +
           xml_escaped(text.utf8()) + "</text>\n";
}

std::string SvgWriter::finish(double width, double height, const ShownText& title, std::string_view style) {
  const std::string size_x = svg_number(width);
  const std::string size_y = svg_number(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size_x + "\" height=\"" + size_y +
         "\" viewBox=\"0 0 " + size_x + " " + size_y + "\" role=\"img\" xml:space=\"preserve\">\n<title>" +
         xml_escaped(title.utf8()) + "</title>\n<style>\n" + std::string(style) + "</style>\n" + body_ +
         "</svg>\n";
}

}  // namespace sheaf::draw

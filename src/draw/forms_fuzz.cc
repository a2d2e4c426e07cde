// Any texts in any grid and any diagram: each form draws it, SVG is well-formed, and text for terminals has
// no control characters.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "draw/markdown_form.h"
#include "draw/svg_form.h"
#include "draw/text_form.h"
#include "draw/xml_promises.h"

namespace sheaf::draw {
namespace {

// Takes small numbers and texts off the input; zeros and nothing when it is used up.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : data_(data), size_(size) {}

  size_t number(size_t limit) {
    if (size_ == 0) return 0;
    --size_;
    return *data_++ % limit;
  }

  std::string text() {
    const size_t length = std::min(number(32), size_);
    const std::string out(data_, data_ + length);
    data_ += length;
    size_ -= length;
    return out;
  }

 private:
  const uint8_t* data_;
  size_t size_;
};

Grid any_grid(Input& input) {
  Grid grid;
  const size_t columns = 1 + input.number(6);
  for (size_t column = 0; column < columns; ++column) grid.add(header_cell(0, column, input.text()));
  grid.header_rows = 1;
  for (size_t blocks = input.number(4); blocks > 0; --blocks) {
    const size_t first = grid.rows;
    const size_t rows = 1 + input.number(3);
    grid.add({.row = first,
              .rows = rows,
              .role = Cell::Role::kMark,
              .hue = input.number(20),
              .lines = {{.text = input.text(), .style = TextStyle::kCode}}});
    for (size_t row = first; row < first + rows; ++row) {
      for (size_t column = 1; column < columns; ++column) {
        grid.add({.row = row,
                  .column = column,
                  .role = Cell::Role::kAttribute,
                  .hue = input.number(20),
                  .lines = {{.text = input.text(), .style = TextStyle::kName},
                            {.text = input.text(), .style = TextStyle::kCode}}});
      }
    }
  }
  return grid;
}

Diagram any_diagram(Input& input) {
  Diagram diagram;
  for (size_t boxes = 1 + input.number(8); boxes > 0; --boxes) {
    diagram.boxes.push_back({.title = input.text(), .subtitle = input.text(), .hue = boxes});
    for (size_t rows = input.number(4); rows > 0; --rows) {
      diagram.boxes.back().rows.push_back(
          {.name = input.text(), .type = input.text(), .is_identity = rows == 1});
    }
  }
  const auto any_end = [&] {
    return LineEnd{.box = input.number(diagram.boxes.size()),
                   .label = input.text(),
                   .multiplicity = static_cast<Multiplicity>(input.number(3))};
  };
  for (size_t lines = input.number(12); lines > 0; --lines) {
    LineEnd from = any_end();
    LineEnd to = any_end();
    diagram.connections.push_back({.from = std::move(from), .to = std::move(to), .note = input.text()});
  }
  return diagram;
}

}  // namespace
}  // namespace sheaf::draw

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sheaf::draw;
  Input input(data, size);
  const std::string title = input.text();
  std::vector<Section> sections;
  sections.push_back({.level = Section::Level::kDrawing, .title = title, .note = input.text()});
  sections.push_back(
      {.title = title, .legend = {{.name = input.text(), .hue = 3}}, .body = any_diagram(input)});
  sections.push_back({.title = input.text(), .body = any_grid(input)});
  sections.push_back(
      {.title = input.text(), .body = GridPair{.left = any_grid(input), .right = any_grid(input)}});
  const std::string svg = to_svg(sections);
  if (XmlCheck(svg).run()) abort();
  const std::string text = to_text(sections, 40 + input.number(200));
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') abort();
  }
  if (to_markdown(sections).empty()) abort();
  return 0;
}

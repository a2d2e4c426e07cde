// Boxes and the lines between them, before anybody knows where they lie.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/grid.h"
#include "draw/shown_text.h"

namespace sheaf::draw {

struct BoxRow {
  ShownText name;
  ShownText type;
  bool is_identity = false;
};

struct Box {
  ShownText title;
  ShownText subtitle;  // may be empty
  std::vector<BoxRow> rows;
  Hue hue = 0;
};

enum class Multiplicity : uint8_t { kOne, kZeroOrOne, kMany };

// One end of a line: the box that it leads to, what that is called from the other side, and how many there
// are.
struct LineEnd {
  size_t box = 0;
  ShownText label;
  Multiplicity multiplicity = Multiplicity::kMany;
};

struct Connection {
  LineEnd from;  // drawn before `to`, if the rest allows
  LineEnd to;
  ShownText note;  // how it is stored
};

struct Diagram {
  std::vector<Box> boxes;
  std::vector<Connection> connections;
};

}  // namespace sheaf::draw

#include "draw/diagram_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "draw/layered_graph.h"
#include "draw/line_tracks.h"

namespace sheaf::draw {
namespace {

struct Rectangle {
  double left, top, right, bottom;
};

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

std::string told(const Rectangle& r) {
  return "(" + std::to_string(r.left) + "," + std::to_string(r.top) + " to " + std::to_string(r.right) + "," +
         std::to_string(r.bottom) + ")";
}

// Sizes as the two forms use them.
struct Scale {
  DiagramMetrics metrics;
  double row;           // of text
  double above, below;  // what is written beside a line, from it
  double letter;
};

const Scale kTextScale{.metrics = {.port_gap = 4,
                                   .port_gap_min = 3,
                                   .port_shift = 1,
                                   .box_gap = 2,
                                   .track_gap = 2,
                                   .stub_length = 3,
                                   .group_gap = 3,
                                   .width_max = 120},
                       .row = 1,
                       .above = 1,
                       .below = 1,
                       .letter = 1};
const Scale kPixelScale{.metrics = {.port_gap = 48,
                                    .port_gap_min = 40,
                                    .port_shift = 8,
                                    .box_gap = 28,
                                    .track_gap = 18,
                                    .stub_length = 26,
                                    .group_gap = 40,
                                    .width_max = 1400},
                        .row = 20,
                        .above = 18,
                        .below = 18,
                        .letter = 7};

struct Graph {
  std::vector<BoxSize> boxes;
  std::vector<DiagramLine> lines;
};

Graph random_graph(std::mt19937& dice, const Scale& scale) {
  Graph graph;
  for (size_t count = 1 + dice() % 9; count > 0; --count) {
    graph.boxes.push_back(
        {.width = scale.letter * (8 + dice() % 20), .height = scale.row * (4 + dice() % 6)});
  }
  for (size_t count = dice() % 14; count > 0; --count) {
    graph.lines.push_back({.from = dice() % graph.boxes.size(),
                           .to = dice() % graph.boxes.size(),
                           .from_width = scale.letter * (5 + dice() % 20),
                           .to_width = scale.letter * (3 + dice() % 12)});
  }
  return graph;
}

Rectangle area(const PlacedBox& box) { return {box.x, box.y, box.x + box.width, box.y + box.height}; }

// What is written beside the two ends of a line.
std::vector<Rectangle> labels(const PlacedLine& line, const DiagramLine& asked, const Scale& scale) {
  return {{line.from.text_x, line.from.at.y - scale.above, line.from.text_x + asked.from_width,
           line.from.at.y + scale.below},
          {line.to.text_x, line.to.at.y - scale.above, line.to.text_x + asked.to_width, line.to.at.y}};
}

void check(const Graph& graph, const DiagramLayout& layout, const Scale& scale) {
  ASSERT_EQ(layout.boxes.size(), graph.boxes.size());
  ASSERT_EQ(layout.lines.size(), graph.lines.size());
  const Rectangle page{0, 0, layout.width, layout.height};
  const auto is_inside = [&](const Rectangle& r) {
    return page.left <= r.left && r.right <= page.right && page.top <= r.top && r.bottom <= page.bottom;
  };
  std::vector<Rectangle> texts;
  for (size_t i = 0; i < graph.lines.size(); ++i) {
    for (const Rectangle& label : labels(layout.lines[i], graph.lines[i], scale)) {
      EXPECT_TRUE(is_inside(label)) << told(label);
      for (const Rectangle& other : texts) EXPECT_FALSE(overlap(label, other)) << told(label) << told(other);
      texts.push_back(label);
    }
  }
  for (size_t i = 0; i < layout.boxes.size(); ++i) {
    const Rectangle box = area(layout.boxes[i]);
    EXPECT_TRUE(is_inside(box)) << told(box);
    EXPECT_GE(layout.boxes[i].width, graph.boxes[i].width);
    EXPECT_GE(layout.boxes[i].height, graph.boxes[i].height);
    for (size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(box, area(layout.boxes[j]))) << i << " and " << j;
    for (const Rectangle& text : texts) EXPECT_FALSE(overlap(box, text)) << told(box) << told(text);
  }
  for (size_t i = 0; i < layout.lines.size(); ++i) {
    const PlacedLine& line = layout.lines[i];
    ASSERT_GE(line.points.size(), 2U);
    EXPECT_EQ(line.points.front(), line.from.at);
    EXPECT_EQ(line.points.back(), line.to.at);
    // Its ends are on the sides of its boxes.
    for (const auto& [end, id] :
         {std::pair(&line.from, graph.lines[i].from), {&line.to, graph.lines[i].to}}) {
      const PlacedBox& box = layout.boxes[id];
      EXPECT_EQ(end->at.x, end->is_right_side ? box.x + box.width : box.x);
      EXPECT_GT(end->at.y, box.y);
      EXPECT_LT(end->at.y, box.y + box.height);
    }
    for (size_t point = 0; point + 1 < line.points.size(); ++point) {
      const Point a = line.points[point];
      const Point b = line.points[point + 1];
      EXPECT_TRUE(a.x == b.x || a.y == b.y) << "line " << i << " is neither level nor upright";
      EXPECT_EQ(a.x, std::floor(a.x));
      EXPECT_EQ(a.y, std::floor(a.y));
      const Rectangle stroke{std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
      for (const PlacedBox& box : layout.boxes) {
        const Rectangle inner{box.x, box.y, box.x + box.width, box.y + box.height};
        const bool touches = stroke.left < inner.right && inner.left < stroke.right &&
                             stroke.top < inner.bottom && inner.top < stroke.bottom;
        EXPECT_FALSE(touches) << "line " << i << told(stroke) << " passes a box " << told(inner);
      }
      if (a.x != b.x) continue;
      for (const Rectangle& text : texts) {
        const bool crosses =
            text.left < a.x && a.x < text.right && text.top < stroke.bottom && stroke.top < text.bottom;
        EXPECT_FALSE(crosses) << "line " << i << " crosses what is written at " << told(text);
      }
    }
  }
}

// How many pairs of level pieces of different lines lie on each other.
size_t overlapping_pieces(const DiagramLayout& layout) {
  std::vector<std::pair<size_t, std::pair<Point, Point>>> level;
  for (size_t i = 0; i < layout.lines.size(); ++i) {
    const auto& points = layout.lines[i].points;
    for (size_t p = 0; p + 1 < points.size(); ++p) {
      if (points[p].y == points[p + 1].y)
        level.push_back({i, std::minmax(points[p], points[p + 1],
                                        [](const Point& a, const Point& b) { return a.x < b.x; })});
    }
  }
  size_t count = 0;
  for (const auto& [i, a] : level) {
    for (const auto& [j, b] : level) {
      if (i < j && a.first.y == b.first.y && a.first.x < b.second.x && b.first.x < a.second.x) ++count;
    }
  }
  return count;
}

class DiagramLayoutTest : public testing::TestWithParam<const Scale*> {};

// A23: no label overlaps a box, no line passes one.
TEST_P(DiagramLayoutTest, NothingOverlapsWhateverTheGraph) {
  const Scale& scale = *GetParam();
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    std::mt19937 dice(seed);
    const Graph graph = random_graph(dice, scale);
    const DiagramLayout layout = lay_out(graph.boxes, graph.lines, scale.metrics);
    check(graph, layout, scale);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST_P(DiagramLayoutTest, LinesDoNotLieOnEachOther) {
  const Scale& scale = *GetParam();
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    std::mt19937 dice(seed);
    const Graph graph = random_graph(dice, scale);
    EXPECT_EQ(overlapping_pieces(lay_out(graph.boxes, graph.lines, scale.metrics)), 0U) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Scales, DiagramLayoutTest, testing::Values(&kTextScale, &kPixelScale),
                         [](const auto& scale) { return scale.index == 0 ? "Text" : "Pixels"; });

TEST(DiagramLayout, OneToManyGoesFromLeftToRightInAStraightLine) {
  const DiagramLayout layout =
      lay_out({{10, 5}, {12, 9}}, {{.from = 0, .to = 1, .from_width = 4, .to_width = 4}}, kTextScale.metrics);
  EXPECT_LT(layout.boxes[0].x + layout.boxes[0].width, layout.boxes[1].x);
  EXPECT_EQ(layout.lines[0].points.size(), 2U);
}

TEST(DiagramLayout, EachOfTwoBoxesIsConnectedToEachOfTwo) {
  std::vector<DiagramLine> lines;
  for (const size_t from : {0, 1}) {
    for (const size_t to : {2, 3}) lines.push_back({.from = from, .to = to, .from_width = 6, .to_width = 6});
  }
  const std::vector<BoxSize> boxes(4, {10, 10});
  EXPECT_EQ(overlapping_pieces(lay_out(boxes, lines, kTextScale.metrics)), 0U);
  const std::vector<BoxSize> large(4, {120, 100});
  EXPECT_EQ(overlapping_pieces(lay_out(large, lines, kPixelScale.metrics)), 0U);
}

TEST(DiagramLayout, ACircleIsBrokenAtItsLastLine) {
  const LayeredGraph graph = make_layers(3, {{0, 1}, {1, 2}, {2, 0}});
  EXPECT_EQ(graph.nodes[0].layer, 0U);
  EXPECT_EQ(graph.nodes[1].layer, 1U);
  EXPECT_EQ(graph.nodes[2].layer, 2U);
  EXPECT_EQ(graph.is_reversed, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(graph.line_paths[2].size(), 2U);  // over one layer
}

TEST(DiagramLayout, LayersAreOrderedSoThatLinesDoNotCrossIfTheyNeedNot) {
  // As declared, all three would cross.
  const LayeredGraph graph = make_layers(6, {{0, 5}, {1, 4}, {2, 3}});
  EXPECT_EQ(count_crossings(graph), 0U);
  // A tree of two levels, children declared in turn.
  EXPECT_EQ(count_crossings(make_layers(8, {{0, 1}, {0, 2}, {1, 3}, {2, 4}, {1, 5}, {2, 6}, {1, 7}})), 0U);
  // K(2,2) must cross once.
  EXPECT_EQ(count_crossings(make_layers(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}})), 1U);
}

TEST(DiagramLayout, BoxesThatNothingLeadsToStandBesideWhatTheyLeadTo) {
  // 3 -> 2 begins one layer before 2, not at the far left.
  const LayeredGraph graph = make_layers(4, {{0, 1}, {1, 2}, {3, 2}});
  EXPECT_EQ(graph.nodes[3].layer, 1U);
}

TEST(DiagramLayout, GroupsThatNothingConnectsStandApart) {
  EXPECT_EQ(connected_groups(5, {{0, 3}, {1, 4}}), (std::vector<std::vector<size_t>>{{0, 3}, {1, 4}, {2}}));
}

TEST(LineTracks, LinesThatGoTheSameWayDoNotCross) {
  const Tracks down = assign_tracks({{.left_y = 1, .right_y = 11}, {.left_y = 3, .right_y = 13}}, 1);
  EXPECT_LT(down.track[1], down.track[0]);
  const Tracks up = assign_tracks({{.left_y = 11, .right_y = 1}, {.left_y = 13, .right_y = 3}}, 1);
  EXPECT_LT(up.track[0], up.track[1]);
}

TEST(LineTracks, LinesThatDoNotMeetShareATrackAndStraightOnesNeedNone) {
  const Tracks tracks = assign_tracks(
      {{.left_y = 1, .right_y = 4}, {.left_y = 10, .right_y = 20}, {.left_y = 30, .right_y = 30}}, 1);
  EXPECT_EQ(tracks.count, 1U);
  EXPECT_EQ(tracks.track, (std::vector<size_t>{0, 0, 0}));
}

TEST(LineTracks, TellsOfLinesThatChangePlacesExactly) {
  const Tracks tracks = assign_tracks({{.left_y = 1, .right_y = 11}, {.left_y = 11, .right_y = 1}}, 1);
  EXPECT_EQ(tracks.overlaps.size(), 1U);
}

}  // namespace
}  // namespace sheaf::draw

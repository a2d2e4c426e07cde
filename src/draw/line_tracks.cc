#include "draw/line_tracks.h"

#include <algorithm>
#include <cmath>

namespace sheaf::draw {
namespace {

constexpr size_t kOverlapCost = 1000;
constexpr size_t kImprovedMax = 40;  // more lines than people can follow: the first order must do

bool is_between(double y, const Crossover& upright) {
  return std::min(upright.left_y, upright.right_y) < y && y < std::max(upright.left_y, upright.right_y);
}

// The level part of `first` behind its track and that of `second` before its track, if `first` stands left.
bool overlap(const Crossover& first, const Crossover& second, double gap_min) {
  if (first.is_loop) return false;
  const auto is_near = [&](double y) { return std::abs(first.right_y - y) < gap_min; };
  return is_near(second.left_y) || (second.is_loop && is_near(second.right_y));
}

size_t cost(const Crossover& first, const Crossover& second, double gap_min) {
  size_t total = overlap(first, second, gap_min) ? kOverlapCost : 0;
  if (is_between(second.left_y, first)) ++total;
  if (second.is_loop && is_between(second.right_y, first)) ++total;
  if (!first.is_loop && is_between(first.right_y, second)) ++total;
  return total;
}

class TrackOrder {
 public:
  TrackOrder(const std::vector<Crossover>& crossovers, double gap_min)
      : crossovers_(crossovers), gap_min_(gap_min) {
    for (size_t i = 0; i < crossovers.size(); ++i) {
      if (crossovers[i].needs_track()) order_.push_back(i);
    }
  }

  Tracks run() {
    sort();
    improve();
    Tracks tracks{.track = std::vector<size_t>(crossovers_.size(), 0)};
    for (size_t i = 0; i < order_.size(); ++i) {
      const Crossover& here = crossovers_[order_[i]];
      size_t& track = tracks.track[order_[i]];
      for (size_t j = 0; j < i; ++j) {
        const Crossover& before = crossovers_[order_[j]];
        // Those that do not meet can share one.
        if (meet(before, here)) track = std::max(track, tracks.track[order_[j]] + 1);
        if (overlap(before, here, gap_min_)) tracks.overlaps.emplace_back(order_[j], order_[i]);
      }
      tracks.count = std::max(tracks.count, track + 1);
    }
    return tracks;
  }

 private:
  bool meet(const Crossover& a, const Crossover& b) const {
    return std::min(a.left_y, a.right_y) - gap_min_ < std::max(b.left_y, b.right_y) &&
           std::min(b.left_y, b.right_y) - gap_min_ < std::max(a.left_y, a.right_y);
  }

  // Of lines that go down the lowest turns first, of those that go up the highest: so none of them cross.
  void sort() {
    std::stable_sort(order_.begin(), order_.end(), [&](size_t i, size_t j) {
      const Crossover& a = crossovers_[i];
      const Crossover& b = crossovers_[j];
      if (a.is_loop != b.is_loop) return a.is_loop;
      const bool a_falls = a.right_y > a.left_y;
      const bool b_falls = b.right_y > b.left_y;
      if (a_falls != b_falls) return a_falls;
      return a_falls ? a.left_y > b.left_y : a.left_y < b.left_y;
    });
  }

  size_t total() const {
    size_t sum = 0;
    for (size_t i = 0; i < order_.size(); ++i) {
      for (size_t j = i + 1; j < order_.size(); ++j)
        sum += cost(crossovers_[order_[i]], crossovers_[order_[j]], gap_min_);
    }
    return sum;
  }

  // Moves one at a time to where it does best.
  void improve() {
    if (order_.size() > kImprovedMax) return;
    size_t best = total();
    for (bool is_better = true; is_better && best > 0;) {
      is_better = false;
      for (size_t from = 0; from < order_.size(); ++from) {
        for (size_t to = 0; to < order_.size(); ++to) {
          const std::vector<size_t> before = order_;
          const size_t moved = order_[from];
          order_.erase(order_.begin() + static_cast<ptrdiff_t>(from));
          order_.insert(order_.begin() + static_cast<ptrdiff_t>(to), moved);
          const size_t now = total();
          if (now < best) {
            best = now;
            is_better = true;
          } else {
            order_ = before;
          }
        }
      }
    }
  }

  const std::vector<Crossover>& crossovers_;
  const double gap_min_;
  std::vector<size_t> order_;
};

}  // namespace

Tracks assign_tracks(const std::vector<Crossover>& crossovers, double gap_min) {
  return TrackOrder(crossovers, gap_min).run();
}

}  // namespace sheaf::draw

#include "plans/intervals.h"

#include <algorithm>
#include <set>

namespace sheaf::plans {
namespace {

// Values lie between these, with others between any two of them: before all words of templates, between them,
// or behind.
constexpr std::string_view kFirst = "&", kLast = "~~", kAboveAll = "\x7f";
constexpr std::string_view kPlaces[] = {"&", "M", "~"};
constexpr size_t kNamesMax = 4;
constexpr double kOfAKind = 100;

std::string value_number(size_t number, size_t place) {
  return std::string(kPlaces[place]) + static_cast<char>('d' + 3 * number);
}

const std::string& value_of(const std::string& name,
                            const std::vector<std::pair<std::string, std::string>>& in) {
  return std::find_if(in.begin(), in.end(), [&](const auto& each) { return each.first == name; })->second;
}

// Whether two holes of a kind always hold the same. An edge's end may lie in the other end.
bool is_same(const model::Hole& a, const model::Hole& b, const model::ItemKind& kind) {
  const auto told_by_other = [&](const model::HoleSource& source) {
    const bool is_inside =
        kind.relation && source.root == model::HoleSource::Root::kEdgeEnd && !source.path.ends.empty() &&
        source.path.ends.front() == model::EndId{.relation = *kind.relation, .side = 1 - source.side};
    if (!is_inside) return source;
    model::HoleSource other = source;
    other.side = 1 - source.side;
    other.path.ends = {source.path.ends.begin() + 1, source.path.ends.end()};
    return other;
  };
  return told_by_other(a.source) == told_by_other(b.source);
}

}  // namespace

Interval::Interval(std::vector<KeyRange> ranges, std::vector<std::string> partition)
    : ranges_(std::move(ranges)), partition_(std::move(partition)) {
  std::set<std::string> names(partition_.begin(), partition_.end());
  for (const KeyRange& range : ranges_) names.insert(range.bound.begin(), range.bound.end());
  std::vector<size_t> order;
  for (size_t i = 0; i < names.size(); ++i) order.push_back(i);
  size_t places = 1;
  for (size_t i = 0; i < std::min(names.size(), kNamesMax); ++i) places *= std::size(kPlaces);
  do {
    for (size_t place = 0; place < places; ++place) {
      Values values;
      size_t at = 0, rest = place;
      for (const std::string& name : names) {
        values.emplace_back(name, value_number(order[at++], rest % std::size(kPlaces)));
        rest /= std::size(kPlaces);
      }
      orders_.push_back(std::move(values));
    }
  } while (names.size() < kNamesMax && std::next_permutation(order.begin(), order.end()));
}

Interval::Bounds Interval::bounds(const KeyRange& range, const Values& values) const {
  Bounds made;
  size_t holes = 0;
  if (range.sk != nullptr) {
    for (const auto& piece : range.sk->pieces()) {
      if (const auto* text = std::get_if<std::string>(&piece)) {
        made.low += *text;
        continue;
      }
      if (holes == range.bound.size()) break;
      made.low += value_of(range.bound[holes++], values);
    }
  }
  made.high = made.low + (range.is_whole ? "" : std::string(kAboveAll));
  return made;
}

// What each piece of the sort keys that the kind can have in this partition may be.
std::vector<std::vector<std::string>> Interval::samples(const Neighbour& neighbour,
                                                        const Values& values) const {
  std::vector<std::vector<std::string>> pieces;
  if (neighbour.sk == nullptr) return pieces;
  const std::vector<const model::Hole*> in_partition = neighbour.pk->holes();
  for (const auto& piece : neighbour.sk->pieces()) {
    std::vector<std::string>& choices = pieces.emplace_back();
    if (const auto* text = std::get_if<std::string>(&piece)) {
      choices.push_back(*text);
      continue;
    }
    const model::Hole& hole = std::get<model::Hole>(piece);
    for (size_t i = 0; i < in_partition.size(); ++i) {
      if (is_same(*in_partition[i], hole, *neighbour.kind) && in_partition[i]->holds_value())
        choices = {value_of(partition_[i], values)};
    }
    if (!choices.empty()) continue;
    choices = {std::string(kFirst), std::string(kLast)};
    for (const auto& [name, value] : values) {
      choices.push_back(value);
      choices.push_back(value + "d");
    }
  }
  return pieces;
}

// Whether a key that begins like this, with the pieces from `next` on, lies in `all` and in none of `own`.
// What cannot is not gone through to its end.
bool Interval::has_key(const std::string& start, const std::vector<std::vector<std::string>>& pieces,
                       size_t next, const Bounds& all, const std::vector<Bounds>& own) {
  if (start > all.high || (start < all.low && !all.low.starts_with(start))) return false;
  const bool is_end = next == pieces.size();
  for (const Bounds& one : own) {
    const bool is_range = one.high != one.low;
    if (is_range ? start.starts_with(one.low) : is_end && start == one.low) return false;
  }
  if (is_end) return all.contains(start);
  return std::any_of(pieces[next].begin(), pieces[next].end(), [&](const std::string& choice) {
    return has_key(start + choice, pieces, next + 1, all, own);
  });
}

std::vector<Interval::Strangers> Interval::strangers(const std::vector<Neighbour>& neighbours) const {
  std::vector<Strangers> all_strangers;
  for (const Neighbour& neighbour : neighbours) {
    const bool is_there = std::any_of(orders_.begin(), orders_.end(), [&](const Values& values) {
      Bounds all = bounds(ranges_.front(), values);
      std::vector<Bounds> own;
      for (const KeyRange& range : ranges_) {
        const Bounds one = bounds(range, values);
        all = {.low = std::min(all.low, one.low), .high = std::max(all.high, one.high)};
        if (range.kind == neighbour.kind) own.push_back(one);
      }
      return has_key("", samples(neighbour, values), 0, all, own);
    });
    if (!is_there) continue;
    const auto pieces = samples(neighbour, orders_.front());
    const bool is_one =
        std::all_of(pieces.begin(), pieces.end(), [](const auto& choices) { return choices.size() == 1; });
    all_strangers.push_back({.kind = neighbour.kind, .count = is_one ? 1 : kOfAKind});
  }
  return all_strangers;
}

bool Interval::comes_last(size_t at, bool is_backward) const {
  return std::all_of(orders_.begin(), orders_.end(), [&](const Values& values) {
    const Bounds last = bounds(ranges_[at], values);
    for (size_t i = 0; i < ranges_.size(); ++i) {
      if (i == at) continue;
      const Bounds other = bounds(ranges_[i], values);
      if (is_backward ? other.low <= last.high : other.high >= last.low) return false;
    }
    return true;
  });
}

}  // namespace sheaf::plans

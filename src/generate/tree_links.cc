#include <algorithm>

#include "generate/links.h"

namespace sheaf::generate {
namespace {

Link link(int parent_side, uint64_t parent, uint64_t child) {
  Link made;
  made.ordinals[parent_side] = parent;
  made.ordinals[1 - parent_side] = child;
  return made;
}

// Those of one parent have positions side by side, those of the most popular first.
class TreeLinks final : public Links {
 public:
  explicit TreeLinks(const TreeOptions& options)
      : parent_side_(options.parent_side),
        parents_(options.parents),
        linked_(options.linked),
        order_(options.is_in_order ? Place::kOrdinal : Place::kChance),
        children_(options.key, options.children),
        shares_({.holders = options.parents.count(),
                 .total = options.linked,
                 .max = options.max,
                 .skew = options.skew}) {}

  uint64_t total() const override { return linked_; }

  std::optional<Link> at(uint64_t position) const override {
    return link(parent_side_, parents_.ordinal(shares_.owner(position)), child(position));
  }

  uint64_t degree(int side, uint64_t ordinal) const override {
    if (side == parent_side_) return shares_.count(parents_.rank(ordinal));
    return place(ordinal) < linked_ ? 1 : 0;
  }

  uint64_t position(int side, uint64_t ordinal, uint64_t number) const override {
    return side == parent_side_ ? shares_.first(parents_.rank(ordinal)) + number : place(ordinal);
  }

  uint64_t most(int side) const override { return side == parent_side_ ? shares_.most() : 1; }

 private:
  enum class Place { kOrdinal, kChance };

  uint64_t child(uint64_t position) const {
    return order_ == Place::kOrdinal ? position : children_.forward(position);
  }
  uint64_t place(uint64_t ordinal) const {
    return order_ == Place::kOrdinal ? ordinal : children_.backward(ordinal);
  }

  const int parent_side_;
  const Population parents_;
  const uint64_t linked_;
  const Place order_;
  const Permutation children_;
  const Shares shares_;
};

// Of entities with entities of their own kind: the more popular are parents of the less popular. So there are
// no circles, unless all of them must have a parent.
class RankedLinks final : public Links {
 public:
  explicit RankedLinks(const TreeOptions& options)
      : parent_side_(options.parent_side),
        members_(options.parents),
        linked_(options.linked),
        // Child `position + shift` has a parent of lower rank, because a rank has at least as many children
        // as the later ones, and the last is nobody's parent: the parent of position q has at most the rank
        // (q + 1) * (count - 1) / linked. If all have one, rank 0 has its parent last, who is somebody else.
        shift_(linked_ == members_.count() ? 1 : members_.count() - linked_),
        shares_({.holders = members_.count() - (linked_ < members_.count() ? 1 : 0),
                 .total = options.linked,
                 .max = std::min(options.max, std::max<uint64_t>(members_.count(), 2) - 1),
                 .skew = options.skew}) {}

  uint64_t total() const override { return linked_; }

  std::optional<Link> at(uint64_t position) const override {
    return link(parent_side_, members_.ordinal(shares_.owner(position)), members_.ordinal(child(position)));
  }

  uint64_t degree(int side, uint64_t ordinal) const override {
    const uint64_t rank = members_.rank(ordinal);
    if (side == parent_side_) return rank < shares_.holders() ? shares_.count(rank) : 0;
    return place(rank) < linked_ ? 1 : 0;
  }

  uint64_t position(int side, uint64_t ordinal, uint64_t number) const override {
    const uint64_t rank = members_.rank(ordinal);
    return side == parent_side_ ? shares_.first(rank) + number : place(rank);
  }

  uint64_t most(int side) const override { return side == parent_side_ ? shares_.most() : 1; }

 private:
  uint64_t child(uint64_t position) const { return (position + shift_) % members_.count(); }
  uint64_t place(uint64_t rank) const {
    return rank >= shift_ ? rank - shift_ : rank + members_.count() - shift_;
  }

  const int parent_side_;
  const Population members_;
  const uint64_t linked_;
  const uint64_t shift_;
  const Shares shares_;
};

}  // namespace

std::unique_ptr<Links> tree_links(const TreeOptions& options) {
  if (options.is_with_itself) return std::make_unique<RankedLinks>(options);
  return std::make_unique<TreeLinks>(options);
}

}  // namespace sheaf::generate

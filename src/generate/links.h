// Who is linked with whom by one relation, as a function: nothing is kept, however many links there are, and
// either side can be asked for its links. Links have numbers, their positions; the same two are linked once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "generate/permutation.h"
#include "generate/shares.h"

namespace sheaf::generate {

// The entities of one kind, by number. Rank 0 is the most popular one, in all relations.
class Population {
 public:
  Population(uint64_t key, uint64_t count) : order_(key, count) {}

  uint64_t count() const { return order_.count(); }
  uint64_t rank(uint64_t ordinal) const { return order_.backward(ordinal); }
  uint64_t ordinal(uint64_t rank) const { return order_.forward(rank); }

 private:
  Permutation order_;
};

struct Link {
  uint64_t ordinals[2] = {0, 0};  // of the holders of the first and of the second end
};

class Links {
 public:
  virtual ~Links() = default;

  // Positions are below this.
  virtual uint64_t total() const = 0;
  // Nothing: this link is left out, because it would lead from one to itself.
  virtual std::optional<Link> at(uint64_t position) const = 0;
  // How many positions the holder of an end has; some of them may be left out.
  virtual uint64_t degree(int side, uint64_t ordinal) const = 0;
  // The position of the `number`-th of them.
  virtual uint64_t position(int side, uint64_t ordinal, uint64_t number) const = 0;
  // The most positions that a holder of the end has.
  virtual uint64_t most(int side) const = 0;
  // Whether some links are left out.
  virtual bool has_gaps() const { return false; }
};

// Parents and children; also 1--1, where a parent has one child at most.
struct TreeOptions {
  uint64_t key = 0;
  int parent_side = 0;  // the end that parents hold
  Population parents;
  uint64_t children = 0;
  uint64_t linked = 0;  // of the children; at most parents * max
  uint64_t max = 0;     // children of one
  Skew skew;
  bool is_in_order = false;     // children lie one parent after the other
  bool is_with_itself = false;  // parents are children, too; then nobody is a parent of their own
};
std::unique_ptr<Links> tree_links(const TreeOptions& options);

// Links of two sides that have many of each other.
struct NetOptions {
  uint64_t key = 0;
  Population sides[2];
  uint64_t total = 0;
  uint64_t max[2] = {0, 0};  // that a holder of the end has; total is no more than either side can have
  Skew skew;
  bool leaves_out_loops = false;  // both sides are the same entities
};
// Nobody has more than the other side allows for: of the most that one of the first has, times the most that
// one of the second has, the links are at least about the double. If they are denser than that, all of the
// first side have the same number.
std::unique_ptr<Links> net_links(const NetOptions& options);

// Links without a direction among entities of one kind, never from one to itself. Either side is the first.
struct MutualOptions {
  uint64_t key = 0;
  Population members;
  uint64_t total =
      0;             // as wished for; what comes out is the nearest that is possible, and no more if max is 1
  uint64_t max = 0;  // of one member
  Skew skew;
};
std::unique_ptr<Links> mutual_links(const MutualOptions& options);

}  // namespace sheaf::generate

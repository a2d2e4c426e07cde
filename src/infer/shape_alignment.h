// Whether keys of two kinds of items are written alike.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "infer/kind.h"

namespace sheaf::infer {

// The values of `child` that stand where those of `parent` do, as long as the two are alike.
struct Alignment {
  std::map<size_t, size_t> values;  // of the parent's, those of the child
  bool is_parent_whole = false;     // all of the parent's key
  std::string rest;                 // the literal that follows in the child's, if so
  bool is_child_whole = false;

  // The child's values for these of the parent's, in their order; none if one is missing.
  std::vector<size_t> values_of(const std::vector<size_t>& of_parent) const;
};

Alignment align(const Shape& parent, const Shape& child);

// The child's values that stand for the parent's identity, in its order, if the key of one of its indexes is
// that of the parent's partition, in the table or in that index; none if it is not.
std::vector<size_t> identity_in_index(const Kind& parent, const Kind& child, const IndexShape& index);

}  // namespace sheaf::infer

#include "infer/shape_alignment.h"

namespace sheaf::infer {

std::vector<size_t> Alignment::values_of(const std::vector<size_t>& of_parent) const {
  std::vector<size_t> found;
  for (const size_t value : of_parent) {
    const auto of_child = values.find(value);
    if (of_child == values.end()) return {};
    found.push_back(of_child->second);
  }
  return found;
}

Alignment align(const Shape& parent, const Shape& child) {
  Alignment found;
  size_t i = 0;
  for (; i < parent.pieces.size() && i < child.pieces.size(); ++i) {
    const Piece& a = parent.pieces[i];
    const Piece& b = child.pieces[i];
    if (a.is_attribute || b.is_attribute || a.value.has_value() != b.value.has_value()) return found;
    if (!a.value) {
      if (a.literal == b.literal) continue;
      found.is_parent_whole = i + 1 == parent.pieces.size() && b.literal.starts_with(a.literal);
      if (found.is_parent_whole) found.rest = b.literal.substr(a.literal.size());
      return found;
    }
    if (!a.holds_value() || !b.holds_value()) return found;
    found.values.emplace(*a.value, *b.value);
  }
  found.is_parent_whole = i == parent.pieces.size();
  found.is_child_whole = i == child.pieces.size();
  if (found.is_parent_whole && !found.is_child_whole && !child.pieces[i].value)
    found.rest = child.pieces[i].literal;
  return found;
}

std::vector<size_t> identity_in_index(const Kind& parent, const Kind& child, const IndexShape& index) {
  std::vector<const Shape*> candidates = {&parent.pk};
  for (const IndexShape& theirs : parent.indexes) {
    if (theirs.index == index.index && parent.table == child.table) candidates.push_back(&theirs.pk);
  }
  for (const Shape* shape : candidates) {
    const Alignment alignment = align(*shape, index.pk);
    if (!alignment.is_parent_whole || !alignment.is_child_whole) continue;
    std::vector<size_t> values = alignment.values_of(parent.identity());
    if (!values.empty()) return values;
  }
  return {};
}

}  // namespace sheaf::infer

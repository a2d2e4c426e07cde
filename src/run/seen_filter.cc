#include "run/seen_filter.h"

#include <functional>

namespace sheaf::run {
namespace {

// Of ten million 13 bits each.
constexpr size_t kBits = size_t{1} << 27;
constexpr size_t kPlaces = 4;

// Calls `on_place` for the places of a text in the filter, until it says false.
template <typename OnPlace>
bool all_places(std::string_view text, OnPlace on_place) {
  const uint64_t hash = std::hash<std::string_view>()(text);
  const uint64_t step = (hash >> 32) | 1;
  for (size_t i = 0; i < kPlaces; ++i) {
    if (!on_place((hash + i * step) % kBits)) return false;
  }
  return true;
}

}  // namespace

bool SeenFilter::add(std::string_view text) {
  if (words_.empty()) words_.resize(kBits / 64);
  bool had_all = true;
  all_places(text, [&](uint64_t place) {
    const uint64_t bit = uint64_t{1} << (place % 64);
    had_all = had_all && (words_[place / 64] & bit) != 0;
    words_[place / 64] |= bit;
    return true;
  });
  return had_all;
}

bool SeenFilter::may_have(std::string_view text) const {
  return !words_.empty() &&
         all_places(text, [&](uint64_t place) { return (words_[place / 64] >> (place % 64) & 1) != 0; });
}

}  // namespace sheaf::run

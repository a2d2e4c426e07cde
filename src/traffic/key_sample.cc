#include "traffic/key_sample.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sheaf::traffic {
namespace {

bool is_lower(const SampledKey& a, const SampledKey& b) { return a.rank < b.rank; }

}  // namespace

void merge(std::vector<SampledKey>& keys, std::vector<SampledKey> others) {
  keys.insert(keys.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  if (keys.size() <= kSampleMax) return;
  std::nth_element(keys.begin(), keys.begin() + kSampleMax, keys.end(), is_lower);
  keys.resize(kSampleMax);
}

void KeySample::insert(SampledKey key) {
  if (keys_.size() == kSampleMax) {
    std::pop_heap(keys_.begin(), keys_.end(), is_lower);
    keys_.back() = std::move(key);
  } else {
    keys_.push_back(std::move(key));
  }
  std::push_heap(keys_.begin(), keys_.end(), is_lower);
  if (keys_.size() == kSampleMax) limit_ = keys_.front().rank;
}

std::vector<SampledKey> KeySample::take() {
  limit_ = UINT64_MAX;
  return std::exchange(keys_, {});
}

}  // namespace sheaf::traffic

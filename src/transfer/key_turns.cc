#include "transfer/key_turns.h"

#include <algorithm>

namespace sheaf::transfer {

bool KeyTurns::enter(uint64_t number, const std::vector<std::string>& keys) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_stopped_ || next_ == number; });
  if (is_stopped_) return false;
  std::vector<uint64_t> before;
  for (const std::string& key : keys) {
    const auto [found, is_new] = last_.emplace(key, number);
    if (is_new) continue;
    if (found->second != number) before.push_back(found->second);
    found->second = number;
  }
  inside_.insert(number);
  ++next_;
  changed_.notify_all();
  changed_.wait(lock, [&] {
    return is_stopped_ ||
           std::none_of(before.begin(), before.end(), [&](uint64_t each) { return inside_.contains(each); });
  });
  return !is_stopped_;
}

void KeyTurns::leave(uint64_t number, const std::vector<std::string>& keys) {
  const std::lock_guard lock(mutex_);
  inside_.erase(number);
  for (const std::string& key : keys) {
    const auto found = last_.find(key);
    if (found != last_.end() && found->second == number) last_.erase(found);
  }
  changed_.notify_all();
}

void KeyTurns::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

}  // namespace sheaf::transfer

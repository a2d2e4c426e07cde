#include "http/deadlines.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace sheaf::http {

void Deadlines::set(Timed& timed, int64_t due_ms) {
  timed.due_ms_ = due_ms;
  if (timed.tick_ != Timed::kUnlinked) {
    if (timed.tick_ * kTickMs <= due_ms) return;  // looked at before that, and then moved on
    unlink(timed);
  }
  link(timed);
}

void Deadlines::clear(Timed& timed) {
  if (timed.tick_ != Timed::kUnlinked) unlink(timed);
}

void Deadlines::run(int64_t now_ms) {
  const int64_t now_tick = now_ms / kTickMs;
  tick_ = std::max(tick_, now_tick - kSlots);  // after a long sleep, once around is enough
  while (tick_ < now_tick) {
    ++tick_;
    // What is linked again goes at most kSlots - 1 ticks ahead, so never into this slot.
    while (Timed* timed = slots_[slot_of(tick_)]) {
      unlink(*timed);
      if (timed->due_ms_ <= now_ms) {
        timed->on_deadline();
      } else {
        link(*timed);
      }
    }
  }
}

int64_t Deadlines::next_ms() const {
  const size_t first = slot_of(tick_ + 1);
  for (size_t i = 0; i <= occupied_.size(); ++i) {
    const size_t word = (first / kWordBits + i) % occupied_.size();
    uint64_t bits = occupied_[word];
    if (i == 0) bits &= ~uint64_t{0} << (first % kWordBits);
    if (bits == 0) continue;
    const size_t slot = word * kWordBits + static_cast<size_t>(std::countr_zero(bits));
    const int64_t ahead = static_cast<int64_t>((slot + kSlots - first) % kSlots);
    return (tick_ + 1 + ahead) * kTickMs;
  }
  return kNever;
}

void Deadlines::link(Timed& timed) {
  const int64_t due_tick = timed.due_ms_ / kTickMs + (timed.due_ms_ % kTickMs != 0);
  timed.tick_ = std::clamp(due_tick, tick_ + 1, tick_ + kSlots - 1);
  const size_t slot = slot_of(timed.tick_);
  timed.previous_ = nullptr;
  timed.next_ = slots_[slot];
  if (timed.next_ != nullptr) timed.next_->previous_ = &timed;
  slots_[slot] = &timed;
  occupied_[slot / kWordBits] |= uint64_t{1} << (slot % kWordBits);
}

void Deadlines::unlink(Timed& timed) {
  const size_t slot = slot_of(timed.tick_);
  if (timed.previous_ != nullptr) {
    timed.previous_->next_ = timed.next_;
  } else {
    assert(slots_[slot] == &timed);
    slots_[slot] = timed.next_;
    if (timed.next_ == nullptr) occupied_[slot / kWordBits] &= ~(uint64_t{1} << (slot % kWordBits));
  }
  if (timed.next_ != nullptr) timed.next_->previous_ = timed.previous_;
  timed.tick_ = Timed::kUnlinked;
}

}  // namespace sheaf::http

// Deadlines by the thousand. A wheel of coarse ticks: moving a deadline later, which is what every request
// does, is one store; the wheel finds out when it comes by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sheaf::http {

// Something that wants to know when a moment has passed. Destroy it only after Deadlines::clear.
class Timed {
 public:
  Timed() = default;
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  // Its deadline is over, and it has none until it is set again.
  virtual void on_deadline() = 0;

 protected:
  virtual ~Timed() = default;

 private:
  friend class Deadlines;
  Timed* previous_ = nullptr;
  Timed* next_ = nullptr;
  int64_t due_ms_ = 0;
  int64_t tick_ = kUnlinked;  // when the wheel looks at it; at or before the deadline's own tick
  static constexpr int64_t kUnlinked = -1;
};

// Used from one thread. Times are milliseconds of any clock that does not run backwards. A deadline is
// noticed up to kTickMs late, never early.
class Deadlines {
 public:
  static constexpr int64_t kTickMs = 32;
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  explicit Deadlines(int64_t now_ms) : tick_(now_ms / kTickMs) {}

  void set(Timed& timed, int64_t due_ms);
  void clear(Timed& timed);
  // Calls on_deadline for what is due. It may set, clear and destroy any of them.
  void run(int64_t now_ms);
  // When run has something to look at; kNever if nothing is set.
  int64_t next_ms() const;

 private:
  static constexpr int64_t kSlots = 1024;
  static constexpr int64_t kWordBits = 64;

  static size_t slot_of(int64_t tick) { return static_cast<size_t>(tick % kSlots); }
  void link(Timed& timed);
  void unlink(Timed& timed);

  int64_t tick_;  // the last that was run
  std::array<Timed*, kSlots> slots_{};
  std::array<uint64_t, kSlots / kWordBits> occupied_{};
};

}  // namespace sheaf::http

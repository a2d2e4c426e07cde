// How far a long command is, on a terminal: one line that is written over.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sheaf::cmd {

// Says nothing if the standard error is no terminal. One thread at a time.
class Progress {
 public:
  Progress(std::string one, std::string many) : one_(std::move(one)), many_(std::move(many)) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Several times a second at most is anything written: how many, of how many, how many a second.
  void tell(uint64_t done, std::optional<uint64_t> all);

 private:
  using Clock = std::chrono::steady_clock;

  const std::string one_, many_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point told_{};
  bool is_told_ = false;
};

}  // namespace sheaf::cmd

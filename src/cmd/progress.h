// How far a long command is, on a terminal: one line that is written over. With SHEAF_PROGRESS=lines in the
// environment, for programs: lines that begin with "progress: ".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace sheaf::cmd {

// Says nothing if the standard error is no terminal, unless lines are wanted. One thread at a time.
class Progress {
 public:
  Progress(std::string one, std::string many);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Several times a second at most is anything written: how many, of how many, how many a second.
  void tell(uint64_t done, std::optional<uint64_t> all);

  // For work whose end is known by another measure than what is counted.
  struct Amount {
    uint64_t done = 0;           // since the beginning, for the rate
    uint64_t bytes = 0;          // likewise; 0: they are not told
    std::optional<double> part;  // of the whole, from 0 to 1
  };
  // Likewise, with the bytes a second and the time that is left.
  void tell(const Amount& amount);
  // Work stands still for so long, for this reason. Told now and then, to programs as well: else it looks as
  // if nothing happened.
  void tell_waiting(const std::string& why, std::chrono::milliseconds since);
  // Nobody has answered for so long. Likewise.
  void tell_silence(std::chrono::milliseconds since);
  // It is to end, and waits for so many requests.
  void tell_ending(size_t requests);

 private:
  using Clock = std::chrono::steady_clock;

  // Something that is not about how far the work is.
  void tell_line(const std::string& line);
  bool is_due();
  bool is_waiting_due(std::chrono::milliseconds since);
  void write(const std::string& line) const;

  const std::string one_, many_;
  const Clock::time_point begin_ = Clock::now();
  const bool is_in_lines_;
  Clock::time_point told_{}, told_waiting_{};
  bool is_told_ = false;
  std::optional<double> first_part_;  // of what others did before, if the work goes on
};

// 45 s, 3 min 20 s, 2 h 5 min
std::string duration_text(double seconds);

}  // namespace sheaf::cmd

// Commands of `sheaf` that a page has asked for. Each runs in a process of its own, as on a command line, in
// a directory that is thrown away: what the page shows is what the program says, and nothing that it does can
// harm the server.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "sheaf/result.h"

#include "workbench/command_check.h"

namespace sheaf::workbench {

struct CommandState {
  std::string id;
  bool is_running = true;
  int status = 0;              // of the exit; 128 and more: it was ended by a signal
  std::string output, errors;  // so far; errors end with why it was ended, if it was for a limit
  std::string progress;        // the last that it told
  std::map<std::string, std::string> files;  // that it has written, when it is done
};

// Thread-safe.
class CommandRuns {
 public:
  struct Options {
    std::string program;  // the path of `sheaf`
    size_t running_max = 2;
    size_t kept_max = 40;                       // those that ended longest ago are forgotten
    size_t kept_bytes_max = size_t{256} << 20;  // of all together; likewise, but not the one that ended last
    size_t bytes_max = size_t{64} << 20;  // of what one says; of files that it is given; of those it writes
    size_t files_max = 200;               // that it has written and are kept
    uint64_t disk_bytes_max = uint64_t{2} << 30;  // of its directory
    std::chrono::milliseconds time_max{1'800'000};
    std::chrono::milliseconds unseen_max{60'000};  // nobody looks at it for so long: it is asked to end
    std::chrono::milliseconds patience{10'000};    // with one that was asked to: then it is ended
    size_t waiting_max = 3;  // that look at the same time; others have their answer at once
  };

  explicit CommandRuns(Options options) : options_(std::move(options)) {}
  // Ends those that run.
  ~CommandRuns();
  CommandRuns(const CommandRuns&) = delete;
  CommandRuns& operator=(const CommandRuns&) = delete;

  // Its id. kInvalid if it may not be run; kTooLarge; kThrottled while too many run; kUnavailable if the
  // system has no room for it.
  Result<std::string> start(const Command& command);
  // How it is, after so long at most, or as soon as it is done. Nothing if there is none of this id.
  std::optional<CommandState> look(std::string_view id, std::chrono::milliseconds wait);
  // False if there is none of this id, or it is done.
  bool stop(std::string_view id);
  // Nobody waits from now on.
  void close();

 private:
  struct Run;

  Result<std::shared_ptr<Run>> begin(const Command& command) const;
  std::shared_ptr<Run> find(std::string_view id) const;
  void follow(Run& run);
  void end(Run& run);
  void hold_to_limits(Run& run);
  void forget_old(const Run& but);

  const Options options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_closed_ = false;
  size_t starting_ = 0;  // that run as soon as their files are written
  size_t waiting_ = 0;   // threads that look
  // Oldest first. Shared with the threads that look at one while it is forgotten.
  std::deque<std::shared_ptr<Run>> runs_;
};

}  // namespace sheaf::workbench

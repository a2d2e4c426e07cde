// Commands of `sheaf` that a page has asked for. Each runs in a process of its own, as on a command line, in
// a directory that is thrown away: what the page shows is what the program says, and nothing that it does can
// harm the server.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::workbench {

struct Command {
  std::vector<std::string> arguments;  // behind `sheaf`; @server stands for the server's URL
  std::string server{};
  std::map<std::string, std::string> files;          // by their names, for the arguments to name them
  std::map<std::string, std::string> environment{};  // besides what every program needs
};

struct CommandState {
  std::string id;
  bool is_running = true;
  int status = 0;                            // of the exit; 128 and more: it was ended by a signal
  std::string output, errors;                // so far
  std::string progress;                      // the last that it told
  std::map<std::string, std::string> files;  // that it has written, when it is done
};

// Only what works on models that it is given, or on the server itself, and on no files but its own: kInvalid,
// with the reason, for anything else.
Result<void> check_command(const Command& command);
// Whether it makes work for minutes, as measuring does.
bool keeps_busy(const Command& command);

// Thread-safe.
class CommandRuns {
 public:
  struct Options {
    std::string program;  // the path of `sheaf`
    size_t running_max = 2;
    size_t kept_max = 40;                 // those that ended longest ago are forgotten
    size_t bytes_max = size_t{64} << 20;  // of what one says, and of the files that it is given
    std::chrono::seconds time_max{1800};
  };

  explicit CommandRuns(Options options) : options_(std::move(options)) {}
  // Ends those that run.
  ~CommandRuns();
  CommandRuns(const CommandRuns&) = delete;
  CommandRuns& operator=(const CommandRuns&) = delete;

  // Its id. kInvalid if it may not be run; kThrottled while too many run.
  Result<std::string> start(const Command& command);
  // How it is, after so long at most, or as soon as it is done. Nothing if there is none of this id.
  std::optional<CommandState> look(std::string_view id, std::chrono::milliseconds wait);
  // False if there is none of this id, or it is done.
  bool stop(std::string_view id);
  // Nobody waits from now on.
  void close();

 private:
  struct Run;

  void follow(const std::shared_ptr<Run>& run);
  void forget_old();

  const Options options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_closed_ = false;
  std::deque<std::shared_ptr<Run>> runs_;  // oldest first
};

}  // namespace sheaf::workbench

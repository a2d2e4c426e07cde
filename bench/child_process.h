// The processes that a benchmark starts. None outlives its owner: they are stopped when that goes, and the
// kernel ends them if this process dies without a chance to.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::bench {

// From now on SIGINT, SIGTERM and SIGHUP end what waits, and `interrupted` says so: the work is given up as
// after an error, and everything is cleaned up on the way out.
void watch_for_interruption();
bool interrupted();
inline Error interruption() { return {Code::kUnavailable, "interrupted"}; }

// Interrupted by a signal or not, so long or shorter.
void sleep_ms(double milliseconds);
// Of a clock that never goes back.
double now_seconds();

struct Command {
  std::vector<std::string> words;
  std::string log_path;  // where its output goes
  std::string user;      // to run as, if this process is root's
  int stop_signal = SIGTERM;
};

class ChildProcess {
 public:
  static Result<ChildProcess> start(const Command& command);
  // A copy of this process that does `work` and ends. Only while this process has a single thread.
  static Result<ChildProcess> fork(const std::function<void()>& work);

  ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { stop(); }

  // Asks it to stop, waits, and kills it and its process group if it does not.
  void stop();
  // False once it ended by itself.
  bool running();
  // Whether it ended by itself and had no complaint.
  bool succeeded() const;
  // The processor time that it, and the processes which it started and which still run, have used so far:
  // what /proc/PID/stat shows, without its steps of 10 ms.
  double cpu_us() const;
  double resident_megabytes() const;
  // The last lines that it wrote.
  std::string last_words() const;

 private:
  ChildProcess(pid_t pid, Command command) : pid_(pid), command_(std::move(command)) {}

  pid_t pid_ = -1;
  int status_ = 0;
  Command command_;
};

// Runs it to its end; an error if that is not a success.
Result<void> run_to_end(const Command& command);

// Where a program is, of those on PATH and in `directories`; empty if nowhere.
std::string find_program(const std::string& name, const std::vector<std::string>& directories = {});

}  // namespace sheaf::bench

// A command as a process: in a directory, with an environment of its own, and nothing else of the server's.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sheaf/result.h"

namespace sheaf::workbench {

// By which `sheaf` is told to confine itself (cmd/confinement.h): the directory, and the port of the server.
inline constexpr const char* kConfinedVariable = "SHEAF_CONFINED";
inline constexpr const char* kConfinedPortVariable = "SHEAF_CONFINED_PORT";

// Not thread-safe: whoever signals must not do so while another reaps.
class CommandProcess {
 public:
  struct Start {
    std::string program;
    std::vector<std::string> arguments;  // behind the program's name
    std::map<std::string, std::string> environment;
    std::string directory;
    uint64_t file_bytes_max;  // it gets SIGXFSZ for a file of more
  };

  // kUnavailable, with the system's reason, if it cannot be.
  static Result<std::unique_ptr<CommandProcess>> begin(const Start& start);
  // Ends it, if it was not reaped.
  ~CommandProcess();
  CommandProcess(const CommandProcess&) = delete;
  CommandProcess& operator=(const CommandProcess&) = delete;

  // To be read from.
  int output() const { return output_; }
  int errors() const { return errors_; }
  // To it and all that it has begun. Nothing happens once it was reaped: its number may be another's by then.
  void signal(int number) const;
  // It keeps its number until it is reaped.
  bool has_ended() const;
  // Its status as a shell tells it: 128 and more if a signal ended it. Waits for it, and ends what it has
  // left behind. Once.
  int reap();

 private:
  CommandProcess() = default;

  pid_t id_ = -1;
  int output_ = -1;
  int errors_ = -1;
};

}  // namespace sheaf::workbench

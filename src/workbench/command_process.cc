#include "workbench/command_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace sheaf::workbench {
namespace {

struct Pipe {
  std::array<int, 2> ends{-1, -1};

  bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
  int take_read() { return std::exchange(ends[0], -1); }
  int write() const { return ends[1]; }
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) ::close(end);
    }
  }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Whether it has ended; it is there to be reaped. One that others have reaped has ended, too.
bool look_at(pid_t process, int flags) {
  siginfo_t info{};
  int failed = 0;
  do failed = waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT | flags);
  while (failed != 0 && errno == EINTR);
  return failed != 0 || info.si_pid == process;
}

}  // namespace

Result<std::unique_ptr<CommandProcess>> CommandProcess::begin(const Start& start) {
  Pipe output, errors;
  if (!output.open() || !errors.open()) return Error{Code::kUnavailable, "the system has no pipes left"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write(), STDERR_FILENO);
  // Whatever a library of the server's has left open stays with the server.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawn_file_actions_addchdir_np(&actions, start.directory.c_str());
  // The server has blocked signals and ignores some; its commands must not.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> words{start.program}, settings;
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  for (const auto& [name, value] : start.environment) settings.push_back(name + "=" + value);
  std::unique_ptr<CommandProcess> process(new CommandProcess);
  const int failed = posix_spawn(&process->id_, start.program.c_str(), &actions, &attributes,
                                 pointers(words).data(), pointers(settings).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    process->id_ = -1;
    return Error{Code::kUnavailable, std::string("the command cannot be started: ") + std::strerror(failed)};
  }
  // It has begun a moment ago, which is too short to write much: what it writes from now on counts.
  const rlimit file_size{.rlim_cur = start.file_bytes_max, .rlim_max = start.file_bytes_max};
  const rlimit core_size{.rlim_cur = 0, .rlim_max = 0};
  prlimit(process->id_, RLIMIT_FSIZE, &file_size, nullptr);
  prlimit(process->id_, RLIMIT_CORE, &core_size, nullptr);
  process->output_ = output.take_read();
  process->errors_ = errors.take_read();
  return process;
}

CommandProcess::~CommandProcess() {
  if (id_ > 0) {
    signal(SIGKILL);
    reap();
  }
  if (output_ >= 0) ::close(output_);
  if (errors_ >= 0) ::close(errors_);
}

void CommandProcess::signal(int number) const {
  if (id_ > 0) kill(-id_, number);
}

bool CommandProcess::has_ended() const { return look_at(id_, WNOHANG); }

int CommandProcess::reap() {
  look_at(id_, 0);
  signal(SIGKILL);
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace sheaf::workbench

#include "bench/child_process.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/try.h"

namespace sheaf::bench {
namespace {

constexpr double kStopSeconds = 10;

volatile std::sig_atomic_t signal_seen = 0;

double seconds_of(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double cpu_us_of(pid_t pid) {
  clockid_t clock = 0;
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return seconds_of(time) * 1e6;
}

// What a new process does before anything else. The parent is checked because it may have died before the
// kernel was asked to tell.
void settle(pid_t parent) {
  ::setpgid(0, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

bool become(const std::string& user) {
  const passwd* const entry = ::getpwnam(user.c_str());
  return entry != nullptr && ::initgroups(user.c_str(), entry->pw_gid) == 0 && ::setgid(entry->pw_gid) == 0 &&
         ::setuid(entry->pw_uid) == 0;
}

[[noreturn]] void execute(const Command& command, int log, pid_t parent) {
  if (!command.user.empty() && ::geteuid() == 0 && !become(command.user)) ::_exit(126);
  settle(parent);  // a change of the user makes the kernel forget what it does
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), 0);
  for (const int output : {1, 2})
    if (log >= 0) ::dup2(log, output);
  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  ::_exit(127);
}

Error system_error(const std::string& what) { return {Code::kIo, what + ": " + std::strerror(errno)}; }

}  // namespace

void watch_for_interruption() {
  struct sigaction action {};
  action.sa_handler = [](int) { signal_seen = 1; };  // without SA_RESTART: what waits is to wake up
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return signal_seen != 0; }

void sleep_ms(double milliseconds) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(milliseconds / 1e3);
  time.tv_nsec = static_cast<long>((milliseconds - static_cast<double>(time.tv_sec) * 1e3) * 1e6);
  ::nanosleep(&time, nullptr);
}

double now_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return seconds_of(time);
}

Result<ChildProcess> ChildProcess::start(const Command& command) {
  int log = -1;
  if (!command.log_path.empty()) {
    log = ::open(command.log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log < 0) return system_error(command.log_path);
  }
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) execute(command, log, parent);
  if (log >= 0) ::close(log);
  if (pid < 0) return system_error("fork");
  ::setpgid(pid, pid);
  return ChildProcess(pid, command);
}

Result<ChildProcess> ChildProcess::fork(const std::function<void()>& work) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return system_error("fork");
  if (pid == 0) {
    settle(parent);
    work();
    ::_exit(0);
  }
  ::setpgid(pid, pid);
  return ChildProcess(pid, {.words = {"a copy of the benchmark"}});
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, -1);
    status_ = other.status_;
    command_ = std::move(other.command_);
  }
  return *this;
}

void ChildProcess::stop() {
  if (pid_ < 0) return;
  ::kill(pid_, command_.stop_signal);
  const double give_up = now_seconds() + kStopSeconds;
  while (running() && now_seconds() < give_up) sleep_ms(2);
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

bool ChildProcess::running() {
  if (pid_ < 0) return false;
  if (::waitpid(pid_, &status_, WNOHANG) == 0) return true;
  pid_ = -1;
  return false;
}

bool ChildProcess::succeeded() const { return pid_ < 0 && WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

double ChildProcess::cpu_us() const {
  if (pid_ < 0) return 0;
  double sum = cpu_us_of(pid_);
  const std::string id = std::to_string(pid_);
  std::ifstream children("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; children >> child;) sum += cpu_us_of(child);
  return sum;
}

double ChildProcess::resident_megabytes() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmRSS:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

std::string ChildProcess::last_words() const {
  constexpr size_t kBytesMax = 800;
  std::ostringstream text;
  text << std::ifstream(command_.log_path).rdbuf();
  std::string words = text.str();
  if (words.size() > kBytesMax) words.erase(0, words.size() - kBytesMax);
  return command_.words[0] + ": " + (words.empty() ? "(it wrote nothing)" : words);
}

Result<void> run_to_end(const Command& command) {
  ChildProcess process = TRY(ChildProcess::start(command));
  while (process.running()) {
    if (interrupted()) return interruption();
    sleep_ms(5);
  }
  if (!process.succeeded()) return Error{Code::kIo, process.last_words()};
  return {};
}

std::string find_program(const std::string& name, const std::vector<std::string>& directories) {
  std::vector<std::string> places = directories;
  const char* const path = std::getenv("PATH");
  std::istringstream parts(path == nullptr ? "" : path);
  for (std::string part; std::getline(parts, part, ':');) places.push_back(part);
  for (const std::string& place : places) {
    const std::string file = place + "/" + name;
    if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return file;
  }
  return "";
}

}  // namespace sheaf::bench

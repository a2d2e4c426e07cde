#include "workbench/command_runs.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/try.h"

namespace sheaf::workbench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kProgress = "progress: ";
constexpr size_t kArgumentsMax = 200;

constexpr std::string_view kModelCommands[] = {"advise",   "apply",   "audit",  "check",   "claims", "client",
                                               "cost",     "draw",    "errors", "explain", "export", "fmt",
                                               "generate", "import",  "infer",  "json",    "lint",   "load",
                                               "measure",  "migrate", "plan",   "run",     "test"};
constexpr std::string_view kCommands[] = {"lint-table", "watch"};
// Places that are not the command's own.
constexpr std::string_view kForeign[] = {"--credentials", "--profile", "--ca-file"};

template <typename List>
bool is_among(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// A name in the command's own directory.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
         });
}

bool leaves_directory(std::string_view argument) {
  const size_t equals = argument.find('=');
  const std::string_view value =
      argument.starts_with("--") && equals != std::string_view::npos ? argument.substr(equals + 1) : argument;
  return value.starts_with('/') || value.starts_with('~') || value == ".." || value.starts_with("../") ||
         value.ends_with("/..") || value.find("/../") != std::string_view::npos;
}

std::string new_id() {
  std::random_device source;
  std::string id;
  for (int i = 0; i < 4; ++i) {
    std::array<char, 9> part;
    std::snprintf(part.data(), part.size(), "%08x", source());
    id += part.data();
  }
  return id;
}

Result<fs::path> make_directory(const std::map<std::string, std::string>& files) {
  std::string path = (fs::temp_directory_path() / "sheaf-workbench-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    return Error{Code::kUnavailable, "no directory can be made for the command: " + path};
  for (const auto& [name, text] : files) {
    std::ofstream file(fs::path(path) / name, std::ios::binary);
    file << text;
    if (!file.flush()) return Error{Code::kUnavailable, "cannot write " + name + " for the command"};
  }
  return fs::path(path);
}

std::map<std::string, std::string> files_in(const fs::path& directory,
                                            const std::map<std::string, std::string>& given,
                                            size_t bytes_max) {
  std::map<std::string, std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file(error) || entry.file_size(error) > bytes_max) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const auto before = given.find(name);
    if (before == given.end() || before->second != text.str()) files.emplace(name, std::move(text).str());
  }
  return files;
}

}  // namespace

struct CommandRuns::Run {
  struct Pipe {
    int read = -1;
    int write = -1;

    bool open() {
      std::array<int, 2> ends;
      if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
      read = ends[0];
      write = ends[1];
      return true;
    }
    void close_write() {
      if (write >= 0) ::close(write);
      write = -1;
    }
    ~Pipe() {
      if (read >= 0) ::close(read);
      close_write();
    }
  };

  CommandState state;
  fs::path directory;
  std::map<std::string, std::string> given;
  pid_t process = -1;
  Pipe output, errors;
  std::string line;  // of errors, not ended yet
  Clock::time_point begun = Clock::now();
  std::thread thread;

  ~Run() {
    std::error_code ignored;
    if (!directory.empty()) fs::remove_all(directory, ignored);
  }

  Result<void> spawn(const std::string& program, const Command& command);
  void take_errors(std::string_view text);
};

Result<void> CommandRuns::Run::spawn(const std::string& program, const Command& command) {
  if (!output.open() || !errors.open()) return Error{Code::kUnavailable, "the system has no pipes left"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors.write, STDERR_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  // The server has blocked signals and ignores some; its commands must not.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&usual, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> words{program};
  for (const std::string& argument : command.arguments)
    words.push_back(argument == "@server" ? command.server : argument);
  std::map<std::string, std::string> environment = command.environment;
  environment.insert({{"SHEAF_PROGRESS", "lines"}, {"LANG", "C.UTF-8"}, {"HOME", directory.string()}});
  std::vector<std::string> settings;
  for (const auto& [name, value] : environment) settings.push_back(name + "=" + value);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  const int failed = posix_spawn(&process, program.c_str(), &actions, &attributes, pointers(words).data(),
                                 pointers(settings).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  output.close_write();
  errors.close_write();
  if (failed != 0) return Error{Code::kUnavailable, "the command cannot be started"};
  return {};
}

// Whole lines; those of progress are kept apart.
void CommandRuns::Run::take_errors(std::string_view text) {
  line += text;
  for (size_t end = line.find('\n'); end != std::string::npos; end = line.find('\n')) {
    const std::string_view one = std::string_view(line).substr(0, end);
    if (one.starts_with(kProgress)) {
      state.progress = one.substr(kProgress.size());
    } else {
      state.errors += std::string(one) + "\n";
    }
    line.erase(0, end + 1);
  }
}

Result<void> check_command(const Command& command) {
  const auto refused = [](const std::string& why) { return Error{Code::kInvalid, why}; };
  const std::vector<std::string>& words = command.arguments;
  if (words.empty() || words.size() > kArgumentsMax) return refused("that is no command");
  const bool is_model = words[0] == "model";
  if (is_model ? words.size() < 2 || !is_among(kModelCommands, words[1]) : !is_among(kCommands, words[0]))
    return refused("sheaf " + words[0] + (words.size() > 1 ? " " + words[1] : "") +
                   " cannot be run from a page; use a terminal");
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view option = std::string_view(words[i]).substr(0, words[i].find('='));
    if (is_among(kForeign, option) || leaves_directory(words[i]))
      return refused("a page has no files but those that it sends: " + words[i]);
    if (option == "--endpoint" && (words[i] != option || i + 1 == words.size() || words[i + 1] != "@server"))
      return refused("a page asks its own server alone: --endpoint @server");
    if (words[i].find('\0') != std::string::npos) return refused("an argument has a zero byte in it");
  }
  for (const auto& [name, text] : command.files) {
    if (!is_plain_name(name)) return refused("a file cannot be called " + name);
  }
  return {};
}

bool keeps_busy(const Command& command) {
  return command.arguments.size() > 1 &&
         (command.arguments[1] == "measure" || is_among(command.arguments, "--measure"));
}

CommandRuns::~CommandRuns() {
  std::deque<std::shared_ptr<Run>> runs;
  {
    std::lock_guard lock(mutex_);
    runs.swap(runs_);
    for (const auto& run : runs) {
      if (run->state.is_running) kill(-run->process, SIGKILL);
    }
  }
  for (const auto& run : runs) run->thread.join();
}

Result<std::string> CommandRuns::start(const Command& command) {
  TRY(check_command(command));
  size_t bytes = 0;
  for (const auto& [name, text] : command.files) bytes += text.size();
  if (bytes > options_.bytes_max) return Error{Code::kTooLarge, "the files of the command are too large"};
  std::unique_lock lock(mutex_);
  const auto running =
      std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->state.is_running; });
  if (static_cast<size_t>(running) >= options_.running_max)
    return Error{Code::kThrottled, "other commands are still running: wait for them, or stop them"};
  auto run = std::make_shared<Run>();
  run->state.id = new_id();
  run->directory = TRY(make_directory(command.files));
  run->given = command.files;
  TRY(run->spawn(options_.program, command));
  runs_.push_back(run);
  forget_old();
  run->thread = std::thread([this, run] { follow(run); });
  return run->state.id;
}

// Called with the lock held.
void CommandRuns::forget_old() {
  for (size_t i = 0; i < runs_.size() && runs_.size() > options_.kept_max;) {
    if (runs_[i]->state.is_running) {
      ++i;
      continue;
    }
    runs_[i]->thread.join();  // it is about to end
    runs_.erase(runs_.begin() + static_cast<ptrdiff_t>(i));
  }
}

void CommandRuns::follow(const std::shared_ptr<Run>& run) {
  std::array<pollfd, 2> watched{{{.fd = run->output.read, .events = POLLIN, .revents = 0},
                                 {.fd = run->errors.read, .events = POLLIN, .revents = 0}}};
  std::vector<char> buffer(64 << 10);
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    poll(watched.data(), watched.size(), 1000);
    const bool is_late = Clock::now() - run->begun > options_.time_max;
    if (is_late) kill(-run->process, SIGKILL);
    for (size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      const ssize_t count = read(watched[i].fd, buffer.data(), buffer.size());
      if (count <= 0) {
        watched[i].fd = -1;
        continue;
      }
      std::lock_guard lock(mutex_);
      const std::string_view text(buffer.data(), static_cast<size_t>(count));
      if (run->state.output.size() + run->state.errors.size() + text.size() > options_.bytes_max) {
        run->state.errors += "sheaf: it says too much for a page\n";
        kill(-run->process, SIGKILL);
        watched[0].fd = watched[1].fd = -1;
        break;
      }
      i == 0 ? void(run->state.output += text) : run->take_errors(text);
      changed_.notify_all();
    }
  }
  int status = 0;
  waitpid(run->process, &status, 0);
  std::map<std::string, std::string> files = files_in(run->directory, run->given, options_.bytes_max);
  std::lock_guard lock(mutex_);
  run->state.errors += run->line;
  run->state.files = std::move(files);
  run->state.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run->state.is_running = false;
  changed_.notify_all();
}

std::optional<CommandState> CommandRuns::look(std::string_view id, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->state.id == id; });
  if (found == runs_.end()) return std::nullopt;
  const std::shared_ptr<Run> run = *found;
  changed_.wait_for(lock, wait, [&] { return is_closed_ || !run->state.is_running; });
  return run->state;
}

void CommandRuns::close() {
  std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

bool CommandRuns::stop(std::string_view id) {
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->state.id == id; });
  if (found == runs_.end() || !(*found)->state.is_running) return false;
  kill(-(*found)->process, SIGTERM);
  return true;
}

}  // namespace sheaf::workbench

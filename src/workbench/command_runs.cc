#include "workbench/command_runs.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <random>
#include <system_error>
#include <thread>
#include <vector>

#include "base/try.h"
#include "workbench/command_directory.h"
#include "workbench/command_process.h"

namespace sheaf::workbench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view kProgress = "progress: ";
constexpr milliseconds kLookEvery{500};  // at what it takes
constexpr size_t kNamedMax = 10;         // files that were left out

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

// "8000" of http://127.0.0.1:8000
std::string port_of(std::string_view url) {
  const std::string_view port = url.substr(url.rfind(':') + 1);
  return std::string(port.substr(0, port.find_first_not_of("0123456789")));
}

std::string told(const WrittenFiles& files) {
  if (files.left_out.empty()) return "";
  std::string text = "sheaf: files that are too much for a page were left out: ";
  const size_t named = std::min(files.left_out.size(), kNamedMax);
  for (size_t i = 0; i < named; ++i) text += (i == 0 ? "" : ", ") + files.left_out[i];
  if (files.left_out.size() > named)
    text += " and " + std::to_string(files.left_out.size() - named) + " more";
  return text + "\n";
}

}  // namespace

struct CommandRuns::Run {
  CommandState state;
  CommandDirectory directory;
  std::unique_ptr<CommandProcess> process;
  std::string line;  // of errors, not ended yet
  std::string why;   // it was ended: a line for errors
  const Clock::time_point begun = Clock::now();
  Clock::time_point seen = begun;
  size_t watchers = 0;                      // who look at it now
  std::optional<Clock::time_point> ending;  // since when it is asked to end
  std::vector<pollfd> watched;              // output and errors; -1 for one that is closed
  std::thread thread;

  size_t said_bytes() const {
    return state.output.size() + state.errors.size() + state.progress.size() + line.size();
  }
  size_t bytes() const {
    size_t bytes = said_bytes();
    for (const auto& [name, text] : state.files) bytes += name.size() + text.size();
    return bytes;
  }
  // For a reason that is told; the first counts.
  void end_for(std::string_view reason, int signal) {
    if (why.empty()) why = "sheaf: " + std::string(reason) + "\n";
    if (!ending) ending = Clock::now();
    process->signal(signal);
  }
  bool is_silent() const { return watched[0].fd < 0 && watched[1].fd < 0; }
  void take_errors(std::string_view text);
  void take(std::mutex& mutex, std::vector<char>& buffer, size_t bytes_max);
};

// Whole lines; those of progress are kept apart.
void CommandRuns::Run::take_errors(std::string_view text) {
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    line += text.substr(0, end);
    if (line.starts_with(kProgress)) {
      state.progress = line.substr(kProgress.size());
    } else {
      state.errors += line + "\n";
    }
    line.clear();
    text.remove_prefix(end + 1);
  }
  line += text;
}

// What is there of what it says, once poll has told that there is some.
void CommandRuns::Run::take(std::mutex& mutex, std::vector<char>& buffer, size_t bytes_max) {
  for (size_t i = 0; i < watched.size(); ++i) {
    if (watched[i].fd < 0 || watched[i].revents == 0) continue;
    const ssize_t count = read(watched[i].fd, buffer.data(), buffer.size());
    if (count <= 0) {
      watched[i].fd = -1;
      continue;
    }
    std::lock_guard lock(mutex);
    const std::string_view text(buffer.data(), static_cast<size_t>(count));
    if (said_bytes() + text.size() > bytes_max) {
      end_for("it says too much for a page", SIGKILL);
      watched[0].fd = watched[1].fd = -1;
      return;
    }
    i == 0 ? void(state.output += text) : take_errors(text);
  }
}

CommandRuns::~CommandRuns() {
  std::deque<std::shared_ptr<Run>> runs;
  {
    std::lock_guard lock(mutex_);
    runs.swap(runs_);
    for (const auto& run : runs) run->process->signal(SIGKILL);
  }
  for (const auto& run : runs) run->thread.join();
}

Result<std::shared_ptr<CommandRuns::Run>> CommandRuns::begin(const Command& command) const {
  const auto run = std::make_shared<Run>();
  run->state.id = new_id();
  run->directory = TRY(CommandDirectory::make(command.files));
  const std::string& directory = run->directory.path();
  CommandProcess::Start start{.program = options_.program,
                              .environment = command.environment,
                              .directory = directory,
                              .file_bytes_max = options_.disk_bytes_max};
  for (const std::string& argument : command.arguments)
    start.arguments.push_back(argument == "@server" ? command.server : argument);
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"SHEAF_PROGRESS", "lines"},
                                    {"LANG", "C.UTF-8"},
                                    {"HOME", directory},
                                    {"TMPDIR", directory},
                                    {kConfinedVariable, directory}})
    start.environment[name] = value;
  if (asks_server(command)) start.environment[kConfinedPortVariable] = port_of(command.server);
  run->process = TRY(CommandProcess::begin(start));
  run->watched = {{.fd = run->process->output(), .events = POLLIN, .revents = 0},
                  {.fd = run->process->errors(), .events = POLLIN, .revents = 0}};
  return run;
}

Result<std::string> CommandRuns::start(const Command& command) {
  TRY(check_command(command));
  size_t bytes = 0;
  for (const auto& [name, text] : command.files) bytes += text.size();
  if (bytes > options_.bytes_max) return Error{Code::kTooLarge, "the files of the command are too large"};
  {
    std::lock_guard lock(mutex_);
    const auto running =
        std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->state.is_running; });
    if (static_cast<size_t>(running) + starting_ >= options_.running_max)
      return Error{Code::kThrottled, "other commands are still running: wait for them, or stop them"};
    ++starting_;
  }
  // It may take a while to write the files: others look at theirs meanwhile.
  Result<std::shared_ptr<Run>> begun = begin(command);
  std::lock_guard lock(mutex_);
  --starting_;
  const std::shared_ptr<Run> run = TRY(std::move(begun));
  try {
    run->thread = std::thread([this, run] { follow(*run); });
  } catch (const std::system_error& error) {
    return Error{Code::kUnavailable, std::string("the command cannot be followed: ") + error.what()};
  }
  runs_.push_back(run);
  forget_old(*run);
  return run->state.id;
}

// Called with the lock held.
void CommandRuns::forget_old(const Run& but) {
  size_t bytes = 0;
  for (const auto& run : runs_) bytes += run->bytes();
  for (auto each = runs_.begin();
       each != runs_.end() && (runs_.size() > options_.kept_max || bytes > options_.kept_bytes_max);) {
    Run& run = **each;
    if (run.state.is_running || &run == &but) {
      ++each;
      continue;
    }
    bytes -= run.bytes();
    run.thread.join();  // it is about to end, and wants the lock no more
    each = runs_.erase(each);
  }
}

void CommandRuns::follow(Run& run) {
  std::vector<char> buffer(64 << 10);
  milliseconds pause{1};
  Clock::time_point look_at = Clock::now();
  // It is not enough that it is silent: one that closes its output may go on.
  while (!run.process->has_ended()) {
    const bool is_silent = run.is_silent();
    poll(run.watched.data(), run.watched.size(), static_cast<int>((is_silent ? pause : kLookEvery).count()));
    if (is_silent) {
      pause = std::min(pause * 2, kLookEvery);
    } else {
      run.take(mutex_, buffer, options_.bytes_max);
    }
    if (Clock::now() < look_at) continue;
    hold_to_limits(run);
    look_at = Clock::now() + kLookEvery;
  }
  // What it said last is still in the pipes: each is empty after one time. Others that have them may not end.
  for (int i = 0; i < 2 && poll(run.watched.data(), run.watched.size(), 0) > 0; ++i)
    run.take(mutex_, buffer, options_.bytes_max);
  end(run);
}

void CommandRuns::hold_to_limits(Run& run) {
  const uint64_t disk_bytes = run.directory.bytes();
  std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (now - run.begun > options_.time_max) {
    run.end_for("it takes too long for a page", SIGKILL);
  } else if (disk_bytes > options_.disk_bytes_max) {
    run.end_for("it writes too much for a page", SIGKILL);
  } else if (run.ending) {
    if (now - *run.ending > options_.patience) run.process->signal(SIGKILL);
  } else if (run.watchers == 0 && now - run.seen > options_.unseen_max) {
    run.end_for("nobody has asked for it any more", SIGTERM);
  }
}

void CommandRuns::end(Run& run) {
  int status = 0;
  {
    std::lock_guard lock(mutex_);  // nobody signals a process meanwhile that is no more
    status = run.process->reap();
  }
  const bool is_too_much = run.directory.bytes() > options_.disk_bytes_max || status == 128 + SIGXFSZ;
  WrittenFiles files = run.directory.written(options_.bytes_max, options_.files_max);
  run.directory.remove();
  std::lock_guard lock(mutex_);
  CommandState& state = run.state;
  state.errors += run.line;
  run.line = {};
  if (is_too_much && run.why.empty()) run.why = "sheaf: it writes too much for a page\n";
  const std::string told_by_us = told(files) + run.why;
  if (!told_by_us.empty() && !state.errors.empty() && state.errors.back() != '\n') state.errors += "\n";
  state.errors += told_by_us;
  state.files = std::move(files.texts);
  state.status = is_too_much && status == 0 ? 128 + SIGXFSZ : status;
  state.is_running = false;
  forget_old(run);
  changed_.notify_all();
}

// Called with the lock held.
std::shared_ptr<CommandRuns::Run> CommandRuns::find(std::string_view id) const {
  const auto found =
      std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->state.id == id; });
  return found == runs_.end() ? nullptr : *found;
}

std::optional<CommandState> CommandRuns::look(std::string_view id, milliseconds wait) {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Run> run = find(id);
  if (run == nullptr) return std::nullopt;
  // Each that waits keeps a thread of the server from others, who may only want to know how theirs is.
  if (wait.count() > 0 && waiting_ < options_.waiting_max) {
    ++waiting_;
    ++run->watchers;
    changed_.wait_for(lock, wait, [&] { return is_closed_ || !run->state.is_running; });
    --run->watchers;
    --waiting_;
  }
  run->seen = Clock::now();
  return run->state;
}

void CommandRuns::close() {
  std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

bool CommandRuns::stop(std::string_view id) {
  std::lock_guard lock(mutex_);
  const std::shared_ptr<Run> run = find(id);
  if (run == nullptr || !run->state.is_running) return false;
  run->process->signal(SIGTERM);
  if (!run->ending) run->ending = Clock::now();
  return true;
}

}  // namespace sheaf::workbench

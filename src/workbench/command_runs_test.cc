#include "workbench/command_runs.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace sheaf::workbench {
namespace {

using std::chrono::milliseconds;

// Of the environment, for a while.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* const name_;
  std::optional<std::string> before_;
};

// A program that does what its last argument says, as a shell would: these tests are about what is around it.
class CommandRunsTest : public testing::Test {
 protected:
  CommandRunsTest() {
    std::string path = (std::filesystem::temp_directory_path() / "sheaf-runs-XXXXXX").string();
    directory_ = mkdtemp(path.data());
    program_ = directory_ / "program";
    std::ofstream(program_) << "#!/bin/sh\neval \"$4\"\n";
    chmod(program_.c_str(), 0755);
  }
  ~CommandRunsTest() override { std::filesystem::remove_all(directory_); }

  CommandRuns::Options options() const { return {.program = program_.string()}; }
  static Command does(const std::string& script, std::map<std::string, std::string> files = {}) {
    return {.arguments = {"model", "check", "model.sheaf", script}, .files = std::move(files)};
  }
  static CommandState done(CommandRuns& runs, const Command& command) {
    const Result<std::string> id = runs.start(command);
    EXPECT_TRUE(id.ok()) << id.error().message;
    std::optional<CommandState> state;
    do {
      state = runs.look(id.ok() ? *id : "", milliseconds(1000));
    } while (state && state->is_running);
    EXPECT_TRUE(state);
    return state.value_or(CommandState{});
  }

  std::filesystem::path directory_, program_;
};

TEST_F(CommandRunsTest, TellsWhatTheProgramSays) {
  CommandRuns runs(options());
  const CommandState state = done(
      runs,
      does("echo out; echo err >&2; echo 'progress: 3 of 4' >&2; echo more >&2; printf unended >&2; exit 3"));
  EXPECT_EQ(state.status, 3);
  EXPECT_EQ(state.output, "out\n");
  EXPECT_EQ(state.errors, "err\nmore\nunended");
  EXPECT_EQ(state.progress, "3 of 4");
}

TEST_F(CommandRunsTest, HasFilesOfItsOwn) {
  CommandRuns runs(options());
  const CommandState state =
      done(runs, does("cat model.sheaf; echo new > made.txt; echo changed >> data.json; pwd; ls /tmp/none",
                      {{"model.sheaf", "model m {}\n"}, {"data.json", "{}\n"}}));
  EXPECT_TRUE(state.output.starts_with("model m {}\n")) << state.output;
  EXPECT_EQ(state.files,
            (std::map<std::string, std::string>{{"made.txt", "new\n"}, {"data.json", "{}\nchanged\n"}}));
  const std::string where = state.output.substr(11, state.output.size() - 12);
  EXPECT_TRUE(where.find("sheaf-workbench-") != std::string::npos) << where;
}

TEST_F(CommandRunsTest, LeavesNothingBehind) {
  std::string where;
  {
    CommandRuns runs(options());
    where = done(runs, does("pwd; mkdir -p a/b; echo x > a/b/c")).output;
    where.pop_back();
    EXPECT_NE(where.find("sheaf-workbench-"), std::string::npos) << where;
    EXPECT_FALSE(std::filesystem::exists(where)) << "as soon as it has ended";
    const Result<std::string> id = runs.start(does("pwd; sleep 600"));
    ASSERT_TRUE(id.ok());
    while (where = runs.look(*id, milliseconds(0))->output, where.empty()) continue;
    where.pop_back();
    EXPECT_TRUE(std::filesystem::exists(where));
  }
  EXPECT_FALSE(std::filesystem::exists(where));
}

TEST_F(CommandRunsTest, KnowsWhatItIsGivenAndNoMore) {
  setenv("SHEAF_SECRET_OF_THE_SERVER", "secret", 1);
  CommandRuns runs(options());
  Command command = does("env");
  command.environment["AWS_ACCESS_KEY_ID"] = "key";
  const std::string environment = done(runs, command).output;
  EXPECT_NE(environment.find("AWS_ACCESS_KEY_ID=key\n"), std::string::npos);
  EXPECT_NE(environment.find("SHEAF_PROGRESS=lines\n"), std::string::npos);
  EXPECT_EQ(environment.find("SECRET"), std::string::npos) << environment;
  // The port of the server is told to those alone who ask it.
  EXPECT_EQ(environment.find("SHEAF_CONFINED_PORT"), std::string::npos) << environment;
  command.arguments.insert(command.arguments.end(), {"--endpoint", "@server"});
  command.server = "http://127.0.0.1:8123";
  EXPECT_NE(done(runs, command).output.find("SHEAF_CONFINED_PORT=8123\n"), std::string::npos);
}

TEST_F(CommandRunsTest, IsConfinedToItsDirectory) {
  CommandRuns runs(options());
  Command command = does("pwd; echo $SHEAF_CONFINED; echo $HOME; echo $TMPDIR");
  for (const char* name : {"SHEAF_CONFINED", "HOME", "TMPDIR"}) command.environment[name] = "/";
  const std::string told = done(runs, command).output;
  const std::string where = told.substr(0, told.find('\n') + 1);
  EXPECT_GT(where.size(), 2u);
  EXPECT_EQ(told, where + where + where + where);
}

TEST_F(CommandRunsTest, HasNothingThatTheServerHasOpen) {
  const int open_file = dup(STDERR_FILENO);  // others inherit it
  ASSERT_GT(open_file, 2);
  CommandRuns runs(options());
  const std::string check =
      "[ -e /proc/self/fd/" + std::to_string(open_file) + " ] && echo there || echo none";
  EXPECT_EQ(done(runs, does(check)).output, "none\n");
  close(open_file);
}

TEST_F(CommandRunsTest, TellsWhichFilesHaveChangedOfThoseItWasGiven) {
  CommandRuns runs(options());
  const CommandState state = done(runs, does("printf 2 > b; printf 1 > a; touch c; rm d; ln -s /etc/passwd e",
                                             {{"a", "1"}, {"b", "1"}, {"c", ""}, {"d", "1"}}));
  EXPECT_EQ(state.files, (std::map<std::string, std::string>{{"b", "2"}}));
}

TEST_F(CommandRunsTest, IsStoppedWithAllThatItHasBegun) {
  CommandRuns runs(options());
  const Result<std::string> id = runs.start(does("echo begun; sleep 600 & sleep 600"));
  ASSERT_TRUE(id.ok());
  EXPECT_TRUE(runs.look(*id, milliseconds(0))->is_running);
  EXPECT_TRUE(runs.stop(*id));
  std::optional<CommandState> state;
  do state = runs.look(*id, milliseconds(1000));
  while (state->is_running);
  EXPECT_EQ(state->status, 128 + 15);
  EXPECT_FALSE(runs.stop(*id));
  EXPECT_FALSE(runs.stop("none"));
  EXPECT_FALSE(runs.look("none", milliseconds(0)));
}

TEST_F(CommandRunsTest, EndsWithTheServer) {
  {
    CommandRuns runs(options());
    ASSERT_TRUE(runs.start(does("sleep 600 & sleep 600")).ok());
  }
  SUCCEED();  // it has not waited
}

TEST_F(CommandRunsTest, HasLimits) {
  CommandRuns::Options small = options();
  small.running_max = 1;
  small.kept_max = 2;
  small.bytes_max = 1000;
  CommandRuns runs(small);
  const std::string first = done(runs, does("true")).id;
  for (int i = 0; i < 2; ++i) (void)done(runs, does("true"));
  EXPECT_FALSE(runs.look(first, milliseconds(0)));
  const CommandState much = done(runs, does("yes | head -c 5000; sleep 600"));
  EXPECT_EQ(much.status, 128 + 9);
  EXPECT_NE(much.errors.find("it says too much"), std::string::npos);
  EXPECT_EQ(runs.start(does("true", {{"a", std::string(1001, 'x')}})).error().code, Code::kTooLarge);
  const Result<std::string> id = runs.start(does("sleep 600"));
  ASSERT_TRUE(id.ok());
  EXPECT_EQ(runs.start(does("true")).error().code, Code::kThrottled);
  runs.stop(*id);
}

TEST_F(CommandRunsTest, DoesNotRunForEver) {
  CommandRuns::Options short_lived = options();
  short_lived.time_max = std::chrono::seconds(0);
  CommandRuns runs(short_lived);
  EXPECT_EQ(done(runs, does("sleep 600")).status, 128 + 9);
}

TEST_F(CommandRunsTest, IsUnavailableWithoutAPlaceForItsFiles) {
  CommandRuns runs(options());
  {
    const Setting place("TMPDIR", directory_ / "none");
    const Result<std::string> started = runs.start(does("true"));
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().code, Code::kUnavailable);
    EXPECT_NE(started.error().message.find("No such file"), std::string::npos) << started.error().message;
  }
  EXPECT_EQ(done(runs, does("true")).status, 0);
}

TEST_F(CommandRunsTest, LeavesNothingBehindIfAFileCannotBeWritten) {
  const std::filesystem::path place = directory_ / "place";
  std::filesystem::create_directory(place);
  const Setting setting("TMPDIR", place);
  CommandRuns runs(options());
  rlimit usual{};
  getrlimit(RLIMIT_FSIZE, &usual);
  const rlimit small{.rlim_cur = 10, .rlim_max = usual.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const Result<std::string> started =
      runs.start(does("true", {{"a", "a"}, {"b", std::string(100'000, 'b')}}));
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error(), (Error{Code::kUnavailable, "cannot write b for the command"}));
  EXPECT_TRUE(std::filesystem::is_empty(place));
}

TEST_F(CommandRunsTest, SaysWhyItCannotBeStarted) {
  CommandRuns runs({.program = (directory_ / "none").string()});
  const Result<std::string> started = runs.start(does("true"));
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error(),
            (Error{Code::kUnavailable, "the command cannot be started: No such file or directory"}));
}

TEST_F(CommandRunsTest, CountsALineThatDoesNotEnd) {
  CommandRuns::Options small = options();
  small.bytes_max = 1000;
  CommandRuns runs(small);
  const auto in_parts = [](const std::string& last) {
    return does("head -c 600 /dev/zero >&2; sleep 0.3; head -c " + last + " /dev/zero >&2; sleep 0.3");
  };
  const CommandState fits = done(runs, in_parts("400"));
  EXPECT_EQ(fits.status, 0);
  EXPECT_EQ(fits.errors.size(), 1000u);
  const CommandState much = done(runs, in_parts("401"));
  EXPECT_EQ(much.status, 128 + 9);
  EXPECT_TRUE(much.errors.ends_with("sheaf: it says too much for a page\n")) << much.errors;
}

TEST_F(CommandRunsTest, NamesFilesThatAreTooMuch) {
  CommandRuns::Options small = options();
  small.bytes_max = 1000;
  CommandRuns runs(small);
  const std::string write = "for f in a b; do head -c 500 /dev/zero > $f; done; printf said >&2; ";
  const CommandState fits = done(runs, does(write));
  EXPECT_EQ(fits.files.size(), 2u);
  EXPECT_EQ(fits.errors, "said");
  const CommandState much = done(runs, does(write + "printf x >> b; printf y > c"));
  EXPECT_EQ(much.files.size(), 2u);
  EXPECT_FALSE(much.files.contains("b"));
  EXPECT_EQ(much.errors, "said\nsheaf: files that are too much for a page were left out: b\n");
  small.files_max = 3;
  CommandRuns few(small);
  const CommandState many =
      done(few, does("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo > f$i; done"));
  EXPECT_EQ(many.files.size(), 3u);
  EXPECT_TRUE(many.errors.ends_with(", f7 and 2 more\n")) << many.errors;
}

TEST_F(CommandRunsTest, ForgetsTheOldestOfTooManyBytes) {
  CommandRuns::Options small = options();
  small.kept_bytes_max = 3000;
  CommandRuns runs(small);
  const Command says = does("head -c 700 /dev/zero; head -c 299 /dev/zero > f");  // and its name
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(done(runs, says).id);
  EXPECT_TRUE(runs.look(ids[0], milliseconds(0)));
  ids.push_back(done(runs, does("printf x")).id);
  EXPECT_FALSE(runs.look(ids[0], milliseconds(0)));
  EXPECT_TRUE(runs.look(ids[1], milliseconds(0)));
  // The one that ended last is kept, whatever it has.
  const std::string large = done(runs, does("head -c 9000 /dev/zero")).id;
  EXPECT_TRUE(runs.look(large, milliseconds(0)));
  EXPECT_FALSE(runs.look(ids[3], milliseconds(0)));
}

TEST_F(CommandRunsTest, DoesNotFillTheDisk) {
  CommandRuns::Options small = options();
  small.disk_bytes_max = 100'000;
  CommandRuns runs(small);
  const std::string reason = "sheaf: it writes too much for a page\n";
  const CommandState fits = done(runs, does("head -c 100000 /dev/zero > a"));
  EXPECT_EQ(fits.status, 0);
  EXPECT_EQ(fits.errors, "");
  const CommandState much = done(runs, does("sleep 0.3; exec head -c 100001 /dev/zero > a"));
  EXPECT_EQ(much.status, 128 + SIGXFSZ);
  EXPECT_TRUE(much.errors.ends_with(reason)) << much.errors;
  EXPECT_EQ(much.files.at("a").size(), 100'000u) << "it cannot write the last byte";
  // Also in several files, below.
  const std::string two = "mkdir d; head -c 60000 /dev/zero > a; head -c 60000 /dev/zero > d/b; ";
  const CommandState many = done(runs, does(two + "sleep 600"));
  EXPECT_EQ(many.status, 128 + SIGKILL);
  EXPECT_EQ(many.errors, reason);
  const CommandState quick = done(runs, does(two));
  EXPECT_EQ(quick.status, 128 + SIGXFSZ);
  EXPECT_EQ(quick.errors, reason);
}

TEST_F(CommandRunsTest, RunsNoMoreThanItMayWhenManyAreStartedAtOnce) {
  CommandRuns runs(options());
  std::atomic<int> started = 0, throttled = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const Result<std::string> id = runs.start(does("sleep 600", {{"a", std::string(1 << 20, 'a')}}));
      ++(id.ok() ? started : throttled);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(started, 2);
  EXPECT_EQ(throttled, 4);
}

TEST_F(CommandRunsTest, LetsOnlySomeWait) {
  CommandRuns::Options narrow = options();
  narrow.waiting_max = 2;
  CommandRuns runs(narrow);
  const Result<std::string> id = runs.start(does("sleep 600"));
  ASSERT_TRUE(id.ok());
  std::atomic<int> waiting = 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      while (runs.look(*id, std::chrono::minutes(5))->is_running)
        std::this_thread::sleep_for(milliseconds(1));
      --waiting;
    });
  }
  // As soon as both wait, others have their answer at once.
  const auto asked = [&] {
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_TRUE(runs.look(*id, milliseconds(500))->is_running);
    return std::chrono::steady_clock::now() - begun;
  };
  int tries = 0;
  while (asked() >= milliseconds(500) && ++tries < 20) std::this_thread::sleep_for(milliseconds(100));
  EXPECT_LT(tries, 20);
  EXPECT_EQ(waiting, 2);
  EXPECT_TRUE(runs.stop(*id));
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CommandRunsTest, EndsWhenNobodyLooksAtIt) {
  CommandRuns::Options impatient = options();
  impatient.unseen_max = milliseconds(1000);
  CommandRuns runs(impatient);
  const Result<std::string> id = runs.start(does("sleep 600"));
  ASSERT_TRUE(id.ok());
  // Who waits looks at it.
  EXPECT_TRUE(runs.look(*id, milliseconds(2500))->is_running);
  std::this_thread::sleep_for(milliseconds(3000));
  std::optional<CommandState> state = runs.look(*id, milliseconds(0));
  while (state->is_running) state = runs.look(*id, milliseconds(20'000));
  EXPECT_EQ(state->status, 128 + SIGTERM);
  EXPECT_EQ(state->errors, "sheaf: nobody has asked for it any more\n");
}

TEST_F(CommandRunsTest, IsEndedIfItDoesNotHearThatItIsToEnd) {
  CommandRuns::Options impatient = options();
  impatient.patience = milliseconds(100);
  CommandRuns runs(impatient);
  const Result<std::string> id = runs.start(does("trap '' TERM; echo begun; while :; do sleep 1; done"));
  ASSERT_TRUE(id.ok());
  while (runs.look(*id, milliseconds(0))->output.empty()) continue;
  EXPECT_TRUE(runs.stop(*id));
  std::optional<CommandState> state;
  do state = runs.look(*id, milliseconds(1000));
  while (state->is_running);
  EXPECT_EQ(state->status, 128 + SIGKILL);
}

TEST_F(CommandRunsTest, DoesNotRunForEverInSilence) {
  CommandRuns::Options short_lived = options();
  short_lived.time_max = milliseconds(200);
  CommandRuns runs(short_lived);
  const CommandState state = done(runs, does("exec >&- 2>&-; sleep 600"));
  EXPECT_EQ(state.status, 128 + SIGKILL);
  EXPECT_EQ(state.errors, "sheaf: it takes too long for a page\n");
}

}  // namespace
}  // namespace sheaf::workbench

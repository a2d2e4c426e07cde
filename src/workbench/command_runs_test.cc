#include "workbench/command_runs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace sheaf::workbench {
namespace {

using std::chrono::milliseconds;

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
    where = done(runs, does("pwd")).output;
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

TEST_F(CommandRunsTest, IsNoWayToOtherFilesOrServers) {
  const auto refusal = [](std::vector<std::string> arguments, std::map<std::string, std::string> files = {}) {
    const Result<void> checked =
        check_command({.arguments = std::move(arguments), .files = std::move(files)});
    return checked.ok() ? "taken" : checked.error().message;
  };
  EXPECT_EQ(refusal({"model", "explain", "model.sheaf", "--json"}), "taken");
  EXPECT_EQ(refusal({"model", "infer", "--endpoint", "@server"}), "taken");
  EXPECT_EQ(refusal({"model", "load", "model.sheaf", "--data", "scratch"}), "taken");
  EXPECT_EQ(refusal({}), "that is no command");
  EXPECT_EQ(refusal({"serve", "--in-memory"}),
            "sheaf serve --in-memory cannot be run from a page; use a terminal");
  EXPECT_EQ(refusal({"model"}), "sheaf model cannot be run from a page; use a terminal");
  EXPECT_EQ(refusal({"model", "lsp"}), "sheaf model lsp cannot be run from a page; use a terminal");
  const std::string files = "a page has no files but those that it sends: ";
  for (const std::string path :
       {"/etc/passwd", "../x", "..", "a/../../x", "./..", "~/x", "--data=/etc", "--data=../x"})
    EXPECT_EQ(refusal({"model", "check", path}), files + path);
  EXPECT_EQ(refusal({"model", "infer", "--credentials", "x"}), files + "--credentials");
  const std::string own = "a page asks its own server alone: --endpoint @server";
  EXPECT_EQ(refusal({"model", "infer", "--endpoint", "http://elsewhere"}), own);
  EXPECT_EQ(refusal({"model", "infer", "--endpoint=http://elsewhere"}), own);
  EXPECT_EQ(refusal({"model", "infer", "--endpoint"}), own);
  for (const std::string name : {"../x", "/x", ".x", "-x", "a/b", ""})
    EXPECT_EQ(refusal({"model", "check", "x"}, {{name, ""}}), "a file cannot be called " + name);
}

}  // namespace
}  // namespace sheaf::workbench

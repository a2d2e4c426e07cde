#include "workbench/command_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace sheaf::workbench {
namespace {

std::unique_ptr<CommandProcess> begun(const std::string& script) {
  auto process = CommandProcess::begin(
      {.program = "/bin/sh", .arguments = {"-c", script}, .directory = "/tmp", .file_bytes_max = 1 << 20});
  EXPECT_TRUE(process.ok());
  return std::move(*process);
}

// The first number that it tells.
pid_t number_of(const CommandProcess& process) {
  std::array<char, 20> text{};
  EXPECT_GT(read(process.output(), text.data(), text.size() - 1), 0);
  return static_cast<pid_t>(std::strtol(text.data(), nullptr, 10));
}

TEST(CommandProcess, KeepsItsNumberUntilItIsReaped) {
  const std::unique_ptr<CommandProcess> process = begun("echo $$; exit 7");
  const pid_t number = number_of(*process);
  while (!process->has_ended()) continue;
  EXPECT_EQ(kill(number, 0), 0) << "nobody else can have it while it may still be signalled";
  process->signal(SIGTERM);
  EXPECT_EQ(process->reap(), 7);
  EXPECT_EQ(kill(number, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  process->signal(SIGKILL);  // to nobody
}

TEST(CommandProcess, EndsWhatItHasLeftBehind) {
  const std::unique_ptr<CommandProcess> process = begun("sleep 600 & echo $!");
  const pid_t left = number_of(*process);
  while (!process->has_ended()) continue;
  EXPECT_EQ(kill(left, 0), 0);
  EXPECT_EQ(process->reap(), 0);
  // Its pipe is closed with it.
  std::array<char, 1> none;
  EXPECT_EQ(read(process->output(), none.data(), none.size()), 0);
}

TEST(CommandProcess, EndsWithItsOwner) {
  std::unique_ptr<CommandProcess> process = begun("echo $$; exec sleep 600");
  const pid_t number = number_of(*process);
  EXPECT_FALSE(process->has_ended());
  process.reset();
  EXPECT_EQ(kill(number, 0), -1);
}

TEST(CommandProcess, TellsTheSignalThatHasEndedIt) {
  const std::unique_ptr<CommandProcess> process = begun("kill -TERM $$");
  EXPECT_EQ(process->reap(), 128 + SIGTERM);
}

}  // namespace
}  // namespace sheaf::workbench

#include "cmd/standard_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>

namespace sheaf::cmd {
namespace {

// What `work` returns in a process of its own, which has these files closed.
int without(std::initializer_list<int> files, const std::function<int()>& work) {
  std::fflush(nullptr);  // or the child may say again what was said before
  const pid_t child = fork();
  if (child == 0) {
    for (const int file : files) close(file);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StandardFiles, NobodyElseTakesTheirPlace) {
  for (const auto& closed : {std::initializer_list<int>{0}, {1}, {2}, {1, 2}, {0, 2}, {0, 1, 2}}) {
    EXPECT_EQ(without(closed,
                      [] {
                        if (!hold_standard_files().ok()) return 1;
                        return open("/dev/null", O_RDWR) > STDERR_FILENO ? 0 : 2;
                      }),
              0);
  }
}

TEST(StandardFiles, WhoWritesToOneThatIsClosedLearnsOfIt) {
  EXPECT_EQ(without({STDOUT_FILENO},
                    [] {
                      if (!hold_standard_files().ok()) return 1;
                      return write(STDOUT_FILENO, "x", 1) < 0 && errno == EBADF ? 0 : 2;
                    }),
            0);
}

TEST(StandardFiles, ThatCannotBeHeldAreToldOf) {
  const auto told = [] {
    const Result<void> held = hold_standard_files("/nowhere/at/all");
    if (held.ok()) return 1;
    return held.error().message ==
                   "a standard file is closed, and /nowhere/at/all cannot be opened in its place: No such "
                   "file or directory"
               ? 0
               : 2;
  };
  EXPECT_EQ(without({STDIN_FILENO}, told), 0);
  EXPECT_EQ(without({STDERR_FILENO}, told), 0);
  EXPECT_EQ(without({}, told), 1) << "there is no need of it";
}

}  // namespace
}  // namespace sheaf::cmd

#include "cmd/confinement.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

#include "base/temp_directory.h"

namespace sheaf::cmd {
namespace {

// What is done to a process cannot be undone: each test has one of its own.
class ConfinementTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_confine()) GTEST_SKIP() << "this kernel has no Landlock";
    std::ofstream(own_.path("mine")) << "mine";
    std::ofstream(other_.path("theirs")) << "theirs";
  }

  // What `work` returns in a process that is confined to own_; -1 if it could not be.
  int confined(const std::function<int()>& work, std::optional<uint16_t> port = std::nullopt) const {
    std::fflush(nullptr);  // or the child may say again what was said before
    const pid_t child = fork();
    if (child == 0) {
      const Result<bool> done = confine_to({.directory = own_.path(), .port = port});
      _exit(done.ok() && *done ? work() : 255);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 255 ? WEXITSTATUS(status) : -1;
  }
  // 0, or the reason why it cannot be opened.
  static int opened(const std::string& path, int flags) {
    const int file = open(path.c_str(), flags, 0600);
    if (file < 0) return errno;
    close(file);
    return 0;
  }

  TempDirectory own_, other_;
};

TEST_F(ConfinementTest, LeavesTheDirectory) {
  EXPECT_EQ(confined([&] { return opened(own_.path("mine"), O_RDONLY); }), 0);
  EXPECT_EQ(confined([&] { return opened(own_.path("mine"), O_WRONLY | O_TRUNC); }), 0);
  EXPECT_EQ(confined([&] { return opened(own_.path("new"), O_WRONLY | O_CREAT); }), 0);
  EXPECT_EQ(confined([&] { return opened(own_.path(), O_RDONLY | O_DIRECTORY); }), 0);
  const int moved = confined([&] {
    const std::string below = own_.path("below");
    if (mkdir(below.c_str(), 0700) != 0) return errno;
    if (rename(own_.path("new").c_str(), (below + "/new").c_str()) != 0) return errno;
    return unlink((below + "/new").c_str()) != 0 || rmdir(below.c_str()) != 0 ? errno : 0;
  });
  EXPECT_EQ(moved, 0);
}

TEST_F(ConfinementTest, TakesAllOtherFiles) {
  EXPECT_EQ(confined([&] { return opened(other_.path("theirs"), O_RDONLY); }), EACCES);
  EXPECT_EQ(confined([&] { return opened(other_.path("theirs"), O_WRONLY); }), EACCES);
  EXPECT_EQ(confined([&] { return opened(other_.path("new"), O_WRONLY | O_CREAT); }), EACCES);
  EXPECT_EQ(confined([&] { return opened(other_.path(), O_RDONLY | O_DIRECTORY); }), EACCES);
  EXPECT_EQ(confined([&] { return opened("/etc/passwd", O_RDONLY); }), EACCES);
  EXPECT_EQ(confined([&] { return unlink(other_.path("theirs").c_str()) != 0 ? errno : 0; }), EACCES);
  EXPECT_EQ(confined([&] { return opened(own_.path("../" + other_.path() + "/theirs"), O_RDONLY) != 0; }), 1);
  const int linked = confined(
      [&] { return symlink(other_.path("theirs").c_str(), own_.path("link").c_str()) != 0 ? errno : 0; });
  EXPECT_EQ(linked, EACCES);
}

TEST_F(ConfinementTest, HoldsForThreadsAndRunsNoPrograms) {
  const int in_thread = confined([&] {
    int result = 0;
    std::thread([&] { result = opened(other_.path("theirs"), O_RDONLY); }).join();
    return result;
  });
  EXPECT_EQ(in_thread, EACCES);
  const int executed = confined([] {
    execl("/bin/true", "true", nullptr);
    return errno;
  });
  EXPECT_EQ(executed, EACCES);
}

TEST_F(ConfinementTest, ConnectsToOnePortAlone) {
  const auto listener = [](uint16_t& port) {
    const int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(number, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(number, 8), 0);
    EXPECT_EQ(getsockname(number, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port = ntohs(address.sin_port);
    return number;
  };
  const auto connected = [](uint16_t port) {
    const int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int failed = connect(number, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    const int reason = failed != 0 ? errno : 0;
    close(number);
    return reason;
  };
  uint16_t server = 0, other = 0;
  const int server_socket = listener(server), other_socket = listener(other);
  EXPECT_EQ(confined([&] { return connected(server); }, server), 0);
  // Kernels before 6.7 leave connections alone.
  const int refused = confined([&] { return connected(other); }, server);
  if (refused != 0) {
    EXPECT_EQ(refused, EACCES);
    EXPECT_EQ(confined([&] { return connected(server); }), EACCES);
  }
  close(server_socket);
  close(other_socket);
}

TEST_F(ConfinementTest, IsAskedForByTheEnvironment) {
  const auto with_variable = [&](const char* value) {
    std::fflush(nullptr);  // or the child may say again what was said before
    const pid_t child = fork();
    if (child == 0) {
      if (value != nullptr) setenv("SHEAF_CONFINED", value, 1);
      _exit(!confine().ok() ? 200 : opened(other_.path("theirs"), O_RDONLY));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(with_variable(nullptr), 0);
  EXPECT_EQ(with_variable(own_.path().c_str()), EACCES);
  EXPECT_EQ(with_variable(own_.path("none").c_str()), 200) << "it does not go on as if it were confined";
}

}  // namespace
}  // namespace sheaf::cmd

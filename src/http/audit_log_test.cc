#include "http/audit_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "base/temp_directory.h"

namespace sheaf::http {
namespace {

constexpr int64_t kStartUs = 1'769'860'800'123'456;  // 2026-01-31T12:00:00.123Z

constexpr AuditEvent kEvent{.peer = "127.0.0.1",
                            .access_key_id = "AKIDEXAMPLE",
                            .operation = "CreateTable",
                            .table = "orders",
                            .outcome = "ok",
                            .request_id = "4K2"};

class AuditLines : public testing::Test {
 protected:
  AuditLog::Sink sink() {
    return [this](std::string_view line) { lines_.emplace_back(line); };
  }

  ManualClock clock_{kStartUs};
  std::vector<std::string> lines_;
};

TEST_F(AuditLines, SayWhoDidWhat) {
  AuditLog log(clock_, sink());
  log.control_operation(kEvent);
  log.denial({.peer = "::1", .operation = "PutItem", .outcome = "InvalidSignatureException"});
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_EQ(
      lines_[0],
      R"({"time":"2026-01-31T12:00:00.123Z","event":"control","peer":"127.0.0.1","access_key_id":"AKIDEXAMPLE",)"
      R"("operation":"CreateTable","table":"orders","outcome":"ok","request_id":"4K2"})");
  EXPECT_EQ(lines_[1],
            R"({"time":"2026-01-31T12:00:00.123Z","event":"denial","peer":"::1","operation":"PutItem",)"
            R"("outcome":"InvalidSignatureException"})");
}

TEST_F(AuditLines, StayOneLineWhateverTheyContain) {
  AuditLog log(clock_, sink());
  log.denial(
      {.access_key_id = std::string_view("a\"b\\c\n\r\t\0\x1b[31m", 14), .table = "gr\xc3\xbc\xdf\x7f"});
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_NE(lines_[0].find(R"("access_key_id":"a\"b\\c\u000a\u000d\u0009\u0000\u001b[31m")"),
            std::string::npos)
      << lines_[0];
  EXPECT_NE(lines_[0].find(R"("table":"gr\u00c3\u00bc\u00df\u007f")"), std::string::npos) << lines_[0];
}

TEST_F(AuditLines, AreBounded) {
  AuditLog log(clock_, sink());
  const std::string whole(kAuditValueBytesMax, 'x');
  const std::string longer = whole + "y";
  log.control_operation({.table = whole});
  log.control_operation({.table = longer});
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_TRUE(lines_[0].ends_with("\"table\":\"" + whole + "\"}"));
  EXPECT_TRUE(lines_[1].ends_with("\"table\":\"" + whole + "...\"}"));
  const std::string worst(10'000, '\0');
  log.denial({worst, worst, worst, worst, worst, worst});
  EXPECT_LT(lines_[2].size(), 10'000u);
}

TEST_F(AuditLines, AFloodOfDenialsIsCountedNotWritten) {
  AuditLog log(clock_, sink(), {.denials_per_second_max = 3});
  for (int i = 0; i < 1000; ++i) log.denial(kEvent);
  EXPECT_EQ(lines_.size(), 3u);
  EXPECT_EQ(log.denials_left_out(), 997u);

  clock_.advance_us(1'000'000);
  for (int i = 0; i < 5; ++i) log.denial(kEvent);
  ASSERT_EQ(lines_.size(), 7u);
  EXPECT_EQ(lines_[3], R"({"time":"2026-01-31T12:00:01.123Z","event":"denials_left_out","count":997})");
  EXPECT_EQ(log.denials_left_out(), 999u);
}

TEST_F(AuditLines, ControlOperationsAreWrittenAllTheSame) {
  AuditLog log(clock_, sink(), {.denials_per_second_max = 1});
  for (int i = 0; i < 10; ++i) log.denial(kEvent);
  for (int i = 0; i < 10; ++i) log.control_operation(kEvent);
  ASSERT_EQ(lines_.size(), 12u);
  EXPECT_NE(lines_[1].find("\"count\":9"), std::string::npos);
  EXPECT_NE(lines_[11].find("\"event\":\"control\""), std::string::npos);
}

TEST_F(AuditLines, WhatWasLeftOutIsToldAtTheEnd) {
  {
    AuditLog log(clock_, sink(), {.denials_per_second_max = 1});
    for (int i = 0; i < 4; ++i) log.denial(kEvent);
    EXPECT_EQ(lines_.size(), 1u);
  }
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_NE(lines_[1].find("\"count\":3"), std::string::npos);
}

TEST_F(AuditLines, AClockThatGoesBackDoesNotSilenceTheLog) {
  AuditLog log(clock_, sink(), {.denials_per_second_max = 1});
  log.denial(kEvent);
  clock_.advance_us(-3'600'000'000);
  log.denial(kEvent);
  EXPECT_EQ(lines_.size(), 2u);
}

class AuditFile : public testing::Test {
 protected:
  std::string content() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  mode_t mode() const {
    struct stat status;
    return ::stat(path_.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
  }

  TempDirectory directory_;
  std::string path_ = directory_.path("audit.log");
  ManualClock clock_{kStartUs};
};

TEST_F(AuditFile, IsCreatedForItsOwnerAlone) {
  const mode_t before = ::umask(0);
  const auto log = AuditLog::open(path_, clock_);
  ::umask(before);
  ASSERT_TRUE(log.ok()) << log.error().message;
  EXPECT_EQ(mode(), 0600u);
}

TEST_F(AuditFile, IsAppendedTo) {
  for (int i = 0; i < 2; ++i) {
    auto log = AuditLog::open(path_, clock_);
    ASSERT_TRUE(log.ok());
    (*log)->control_operation({.operation = "CreateTable"});
  }
  const std::string line =
      R"({"time":"2026-01-31T12:00:00.123Z","event":"control","operation":"CreateTable"})"
      "\n";
  EXPECT_EQ(content(), line + line);
}

TEST_F(AuditFile, IsOpenedAnewAfterItWasPutAway) {
  auto log = AuditLog::open(path_, clock_);
  ASSERT_TRUE(log.ok());
  (*log)->control_operation({.operation = "CreateTable"});
  std::filesystem::rename(path_, path_ + ".1");
  ASSERT_TRUE((*log)->reopen().ok());
  (*log)->control_operation({.operation = "DeleteTable"});
  EXPECT_NE(content().find("DeleteTable"), std::string::npos);
  EXPECT_EQ(content().find("CreateTable"), std::string::npos);
}

TEST_F(AuditFile, StaysInUseIfItCannotBeOpenedAnew) {
  auto log = AuditLog::open(path_, clock_);
  ASSERT_TRUE(log.ok());
  std::filesystem::rename(path_, path_ + ".1");
  std::filesystem::create_directory(path_);
  EXPECT_FALSE((*log)->reopen().ok());
  (*log)->control_operation({.operation = "DeleteTable"});
  EXPECT_GT(std::filesystem::file_size(path_ + ".1"), 0u);
}

TEST_F(AuditFile, IsRefusedIfOthersCanWriteToIt) {
  for (const mode_t right : {S_IWGRP, S_IWOTH}) {
    std::ofstream(path_) << "";
    ASSERT_EQ(::chmod(path_.c_str(), 0600 | right), 0);
    const auto log = AuditLog::open(path_, clock_);
    ASSERT_FALSE(log.ok());
    EXPECT_NE(log.error().message.find("chmod 600"), std::string::npos) << log.error().message;
  }
}

TEST_F(AuditFile, IsRefusedIfItIsSomethingElse) {
  EXPECT_FALSE(AuditLog::open(directory_.path(), clock_).ok());
  EXPECT_FALSE(AuditLog::open(directory_.path("no/such/place"), clock_).ok());
  std::filesystem::create_symlink("elsewhere", path_);
  EXPECT_FALSE(AuditLog::open(path_, clock_).ok());
}

TEST_F(AuditFile, IsNotInheritedByOtherPrograms) {
  const auto log = AuditLog::open(path_, clock_);
  ASSERT_TRUE(log.ok());
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (std::filesystem::read_symlink(entry.path(), gone) != path_) continue;
    ++found;
    EXPECT_NE(::fcntl(std::stoi(entry.path().filename()), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_EQ(found, 1);
}

TEST_F(AuditFile, LinesThatTheDiskDoesNotTakeAreCounted) {
  // A limit on the size of files stands in for a full disk: the line that crosses it is torn.
  struct Limits {
    rlimit before;
    sighandler_t handler;
    Limits() {
      ::getrlimit(RLIMIT_FSIZE, &before);
      handler = ::signal(SIGXFSZ, SIG_IGN);
    }
    ~Limits() {
      ::setrlimit(RLIMIT_FSIZE, &before);
      ::signal(SIGXFSZ, handler);
    }
  } const limits;
  auto log = AuditLog::open(path_, clock_);
  ASSERT_TRUE(log.ok());
  const rlimit small{100, limits.before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  for (int i = 0; i < 3; ++i) (*log)->control_operation({.operation = "CreateTable"});
  EXPECT_EQ((*log)->lines_lost(), 2u);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limits.before), 0);
  (*log)->control_operation({.operation = "DeleteTable"});
  EXPECT_EQ((*log)->lines_lost(), 2u);
  EXPECT_TRUE(
      content().ends_with("\n{\"time\":\"2026-01-31T12:00:00.123Z\",\"event\":\"control\",\"operation\":"
                          "\"DeleteTable\"}\n"))
      << content();
}

TEST_F(AuditFile, ThreadsDoNotMixTheirLines) {
  auto log = AuditLog::open(path_, clock_, {.denials_per_second_max = 1'000'000});
  ASSERT_TRUE(log.ok());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&log] {
      for (int i = 0; i < 100; ++i) {
        (*log)->control_operation(kEvent);
        (*log)->denial(kEvent);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::ifstream file(path_);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    EXPECT_TRUE(line.starts_with("{\"time\"") && line.ends_with("\"request_id\":\"4K2\"}")) << line;
  }
  EXPECT_EQ(lines, 800);
}

}  // namespace
}  // namespace sheaf::http

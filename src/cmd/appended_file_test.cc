#include "cmd/appended_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/temp_directory.h"

namespace sheaf::cmd {
namespace {

class AppendedFileTest : public ::testing::Test {
 protected:
  std::string contents() const {
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(std::string_view text) const { std::ofstream(path_, std::ios::binary) << text; }
  void append(std::string_view lines) const {
    Result<AppendedFile> file = AppendedFile::open(path_);
    ASSERT_TRUE(file.ok()) << file.error().message;
    const Result<void> done = file->append(lines);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }

  TempDirectory directory_;
  const std::string path_ = directory_.path("lines");
};

TEST_F(AppendedFileTest, IsMadeForItsOwnerAndGrows) {
  append("a\n");
  append("b\nc\n");
  EXPECT_EQ(contents(), "a\nb\nc\n");
  EXPECT_EQ(std::filesystem::status(path_).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(AppendedFileTest, HalfALineIsCutOff) {
  write("a\nhal");
  append("b\n");
  EXPECT_EQ(contents(), "a\nb\n");
  write("half of the first");
  append("b\n");
  EXPECT_EQ(contents(), "b\n");
}

TEST_F(AppendedFileTest, WhatIsNoFileIsRefused) {
  EXPECT_FALSE(AppendedFile::open(directory_.path("")).ok());
  EXPECT_FALSE(AppendedFile::open(directory_.path("nowhere") + "/lines").ok());
  EXPECT_EQ(AppendedFile::open("/dev/null").error().code, Code::kInvalid);
}

}  // namespace
}  // namespace sheaf::cmd

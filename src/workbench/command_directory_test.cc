#include "workbench/command_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/temp_directory.h"

namespace sheaf::workbench {
namespace {

namespace fs = std::filesystem;

void make_old(const fs::path& path) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(2));
}

TEST(CommandDirectory, WhatAKilledProcessLeftIsRemovedAndNothingElse) {
  const TempDirectory place;
  const auto make = [&](const std::string& name) {
    const fs::path path = place.path(name);
    fs::create_directories(path / "below");
    make_old(path);
    return path;
  };
  const fs::path left = make("sheaf-workbench-aaaaaa"), held = make("sheaf-workbench-bbbbbb"),
                 new_one = make("sheaf-workbench-cccccc"), other = make("sheaf-measure-aaaaaa");
  fs::last_write_time(new_one, fs::file_time_type::clock::now());
  fs::create_directory_symlink(other, place.path("sheaf-workbench-dddddd"));
  const int lock = ::open(held.c_str(), O_RDONLY | O_DIRECTORY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);

  EXPECT_EQ(remove_abandoned_directories(place.path("")), 1u);
  EXPECT_FALSE(fs::exists(left));
  for (const fs::path& kept : {held, new_one, other}) EXPECT_TRUE(fs::exists(kept / "below")) << kept;

  // Nobody holds it any more, as after a kill.
  ::close(lock);
  EXPECT_EQ(remove_abandoned_directories(place.path("")), 1u);
  EXPECT_FALSE(fs::exists(held));
}

TEST(CommandDirectory, OneThatIsInUseIsHeld) {
  Result<CommandDirectory> made = CommandDirectory::make({{"a", "text"}});
  ASSERT_TRUE(made.ok()) << made.error().message;
  const CommandDirectory moved = std::move(*made);
  make_old(moved.path());
  remove_abandoned_directories(fs::path(moved.path()).parent_path());
  EXPECT_TRUE(fs::exists(fs::path(moved.path()) / "a"));
}

}  // namespace
}  // namespace sheaf::workbench

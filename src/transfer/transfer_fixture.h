// For tests: a folder for files, and a database in memory.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/temp_directory.h"
#include "transfer/load.h"
#include "transfer/whole_file.h"

namespace sheaf::transfer {

class TransferTest : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) {
    EXPECT_TRUE(write_whole_file(folder_.path(name), text).ok());
    return folder_.path(name);
  }
  static std::string problem(const Result<Loaded>& loaded) {
    return loaded.ok() ? "" : loaded.error().message;
  }

  TempDirectory folder_;
  std::unique_ptr<Database> database_ = Database::open_in_memory();
};

}  // namespace sheaf::transfer

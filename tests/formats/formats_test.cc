// Data directories of every format that was ever released open and hold what they held.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/temp_directory.h"
#include "faults/consistency_check.h"
#include "formats/contents.h"
#include "store/data_directory.h"

namespace sheaf::formats {
namespace {

class Formats : public testing::TestWithParam<int> {
 protected:
  Formats() {
    std::filesystem::copy(sample(), copy_, std::filesystem::copy_options::recursive);
    open();
  }

  static std::string sample() { return std::string(SHEAF_SAMPLES) + "/" + std::to_string(GetParam()); }

  void open() {
    database_.reset();
    Result<std::unique_ptr<Database>> opened = open_sample(copy_, clock_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    database_ = std::move(*opened);
  }

  std::string told() {
    Result<std::string> text = tell(*database_);
    return text.ok() ? *text : text.error().message;
  }

  ManualClock clock_{kReadUs};
  TempDirectory directory_;
  const std::string copy_ = directory_.path() + "/data";
  std::unique_ptr<Database> database_;
};

TEST_P(Formats, HoldWhatTheyHeld) {
  std::stringstream expected;
  expected << std::ifstream(sample() + ".txt").rdbuf();
  EXPECT_EQ(told(), expected.str());
  open();
  EXPECT_EQ(told(), expected.str());
}

TEST_P(Formats, WorkThatWasBegunIsFinished) {
  EXPECT_EQ(faults::settle(*database_), "");
  const faults::ConsistencyReport report = faults::check_consistency(*database_);
  EXPECT_EQ(report.problems, std::vector<std::string>());
  EXPECT_EQ(report.unfinished, 0u);
  EXPECT_EQ(*database_->list_tables(), (std::vector<std::string>{"orders", "plain"}));
  const TableDescription plain = *database_->describe_table("plain");
  EXPECT_EQ(plain.indexes.at(0).status, IndexStatus::kActive);
  EXPECT_EQ(plain.indexes.at(0).item_count, plain.item_count);
  EXPECT_FALSE(database_->get_item({.table = "orders", .key = {{"pk", "customer#1"}, {"sk", -19'000}}})->item)
      << "was due";
  EXPECT_TRUE(database_->get_item({.table = "orders", .key = {{"pk", "customer#2"}, {"sk", -18'000}}})->item);
}

// They were not there in the first versions.
TEST_P(Formats, ContributorInsightsAreOffAndCanBeTurnedOn) {
  const std::vector<std::string> tables = *database_->list_tables();
  EXPECT_FALSE(tables.empty());
  for (const std::string& table : tables) {
    EXPECT_EQ(*database_->describe_contributor_insights({.table = table}),
              (ContributorInsights{.table = table}));
  }
  ASSERT_TRUE(database_->update_contributor_insights({.table = "plain"}).ok());
  open();
  EXPECT_TRUE(database_->describe_contributor_insights({.table = "plain"})->enabled);
  EXPECT_EQ(database_->list_contributor_insights("")->size(), 1u);
}

TEST_P(Formats, TokensThatWereUsedAreKnown) {
  const std::string before = told();
  const Result<TransactWritten> again = database_->transact_write_items(transfer());
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(told(), before);
  TransactWriteItems other = transfer();
  other.actions.pop_back();
  EXPECT_FALSE(database_->transact_write_items(other).ok());
}

TEST_P(Formats, TakeNewWrites) {
  ASSERT_TRUE(
      database_->put_item({.table = "orders", .item = {{"pk", "new"}, {"sk", 1}, {"due", "now"}}}).ok());
  open();
  EXPECT_TRUE(database_->get_item({.table = "orders", .key = {{"pk", "new"}, {"sk", 1}}})->item);
  EXPECT_EQ(faults::settle(*database_), "");
  EXPECT_EQ(faults::check_consistency(*database_).problems, std::vector<std::string>());
}

std::vector<int> formats() {
  std::vector<int> versions;
  for (int version = 1; version <= store::kFormatVersion; ++version) versions.push_back(version);
  return versions;
}

INSTANTIATE_TEST_SUITE_P(Samples, Formats, testing::ValuesIn(formats()), testing::PrintToStringParamName());

}  // namespace
}  // namespace sheaf::formats

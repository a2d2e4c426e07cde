// Contributor Insights over the protocol, and as other endpoints tell them.
#include <gtest/gtest.h>

#include "api/database_fixture.h"
#include "remote/round_trip_fixture.h"

namespace sheaf::remote {
namespace {

class RemoteInsights : public ::testing::Test {
 protected:
  RemoteInsights() {
    CreateTable table = table_of("Things", "pk", "sk");
    table.global_indexes = {index_of("index", "g")};
    must(trip_.local.create_table(table));
    must(trip_.local.create_table(table_of("Others", "pk")));
  }

  // The same here and there, to the millisecond.
  void expect_same(std::optional<std::string> index = {}) {
    ContributorInsights there =
        must(remote_->describe_contributor_insights({.table = "Things", .index = index}));
    ContributorInsights here =
        must(trip_.local.describe_contributor_insights({.table = "Things", .index = index}));
    EXPECT_EQ(there.changed_us, here.changed_us / 1000 * 1000);
    there.changed_us = here.changed_us;
    EXPECT_EQ(there, here);
  }
  // An endpoint that answers each question with the next of these.
  std::unique_ptr<RemoteDatabase> answering(std::vector<std::string> answers) {
    return trip_.remote([this, answers](const Question& question, const auto&) -> Exchanged {
      bodies_.emplace_back(question.body);
      return Reply{.status = 200, .body = answers.at(bodies_.size() - 1)};
    });
  }

  RoundTrip trip_;
  std::unique_ptr<RemoteDatabase> remote_ = trip_.remote();
  std::vector<std::string> bodies_;
};

constexpr auto kOfThrottled = InsightsMode::kThrottledKeys;

TEST_F(RemoteInsights, AreTurnedOnAndOff) {
  expect_same();
  EXPECT_TRUE(must(remote_->update_contributor_insights({.table = "Things"})).enabled);
  expect_same();
  trip_.clock.advance_us(1'000'000);
  const ContributorInsights throttled =
      must(remote_->update_contributor_insights({.table = "Things", .index = "index", .mode = kOfThrottled}));
  EXPECT_EQ(throttled.mode, kOfThrottled);
  EXPECT_EQ(throttled.index, "index");
  EXPECT_EQ(throttled.rules.size(), 1u);
  expect_same("index");
  EXPECT_EQ(must(remote_->list_contributor_insights("")), must(trip_.local.list_contributor_insights("")));
  EXPECT_EQ(must(remote_->list_contributor_insights("")).size(), 2u);
  must(remote_->update_contributor_insights({.table = "Things", .mode = kOfThrottled}));
  expect_same();
  must(remote_->update_contributor_insights({.table = "Things"}));
  expect_same();
  EXPECT_FALSE(must(remote_->update_contributor_insights({.table = "Things", .enabled = false})).enabled);
  expect_same();
  EXPECT_EQ(must(remote_->list_contributor_insights("Others")), std::vector<ContributorInsights>());
}

TEST_F(RemoteInsights, RefusalsAreThoseOfTheEndpoint) {
  for (const char* index : {"none", "", "ab"}) {
    const UpdateContributorInsights request{.table = "Things", .index = index};
    EXPECT_EQ(refusal(remote_->update_contributor_insights(request)),
              refusal(trip_.local.update_contributor_insights(request)));
  }
  EXPECT_EQ(refusal(remote_->describe_contributor_insights({.table = "Nothing"})),
            refusal(trip_.local.describe_contributor_insights({.table = "Nothing"})));
  EXPECT_EQ(refusal(remote_->list_contributor_insights("Nothing")),
            refusal(trip_.local.list_contributor_insights("Nothing")));
}

TEST_F(RemoteInsights, AllPagesAreReadAlsoBehindEmptyOnes) {
  const auto database = answering(
      {R"({"ContributorInsightsSummaries":[],"NextToken":"1"})",
       R"({"ContributorInsightsSummaries":[{"TableName":"b","ContributorInsightsStatus":"ENABLED"}],"NextToken":"2"})",
       R"({"ContributorInsightsSummaries":[{"TableName":"a","IndexName":"i","ContributorInsightsStatus":"ENABLING",)"
       R"("ContributorInsightsMode":"THROTTLED_KEYS"},{"TableName":"a","ContributorInsightsStatus":"FAILED"},)"
       R"({"TableName":"c","ContributorInsightsStatus":"DISABLING"}]})"});
  EXPECT_EQ(
      must(database->list_contributor_insights("")),
      (std::vector<ContributorInsights>{{.table = "a", .index = "i", .enabled = true, .mode = kOfThrottled},
                                        {.table = "b", .enabled = true}}));
  EXPECT_EQ(bodies_, (Texts{"{}", R"({"NextToken":"1"})", R"({"NextToken":"2"})"}));
}

TEST_F(RemoteInsights, WhatIsBeingTurnedOnIsOnAndWhatFailedIsOff) {
  const auto told = [&](const std::string& status) {
    bodies_.clear();
    return must(
        answering({R"({"TableName":"Things","ContributorInsightsStatus":")" + status +
                   R"(","ContributorInsightsMode":"THROTTLED_KEYS","LastUpdateDateTime":1576629654.78})"})
            ->describe_contributor_insights({.table = "Things"}));
  };
  for (const char* status : {"ENABLED", "ENABLING"}) EXPECT_TRUE(told(status).enabled) << status;
  for (const char* status : {"DISABLED", "DISABLING", "FAILED"}) EXPECT_FALSE(told(status).enabled) << status;
  EXPECT_EQ(told("ENABLED").mode, kOfThrottled);
  EXPECT_EQ(told("ENABLED").changed_us, 1'576'629'654'780'000);
}

TEST_F(RemoteInsights, AnswersThatAreNoneAreNotTakenForAnything) {
  const auto code = [&](const std::string& answer) {
    bodies_.clear();
    return refusal(answering({answer})->describe_contributor_insights({.table = "Things"})).code;
  };
  EXPECT_EQ(code(R"({"TableName":7})"), Code::kCorrupt);
  EXPECT_EQ(code(R"({"ContributorInsightsRuleList":[7]})"), Code::kCorrupt);
  EXPECT_EQ(code(R"({"ContributorInsightsRuleList":{}})"), Code::kCorrupt);
  bodies_.clear();
  EXPECT_EQ(
      refusal(answering({R"({"ContributorInsightsSummaries":[7]})"})->list_contributor_insights("")).code,
      Code::kCorrupt);
}

}  // namespace
}  // namespace sheaf::remote

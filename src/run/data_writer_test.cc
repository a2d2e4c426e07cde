#include "run/data_writer.h"

#include <gtest/gtest.h>

#include "base/try.h"
#include "run/running_model.h"

namespace sheaf::run {
namespace {

constexpr const char* kWrittenModel = R"(model written {
  entity User { id id; email unique; timestamps }
  entity Club { id id; name }
  rel Club *--* User as members / clubs { size of members max 100; via edges }
})";

std::string users(size_t count) {
  std::string json;
  for (size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    json += (i == 0 ? "" : ",") + (R"({"id":"u)" + number + R"(","email":"e)" + number + R"("})");
  }
  return R"({"User":[)" + json + "]}";
}

class DataWriting : public testing::Test {
 protected:
  Result<Written> write(std::string_view json, DataWriterOptions options) {
    const Data data = TRY(read_data(running_.model(), running_.layout(), json));
    DataWriter writer(running_.database(), running_.model(), running_.layout(), std::move(options));
    TRY(writer.write(data));
    return writer.written();
  }
  std::string refusal(std::string_view json, WhatIsThere what_is_there = WhatIsThere::kIsKept) {
    const Result<Written> written = write(json, {.what_is_there = what_is_there});
    return written.ok() ? "" : written.error().message;
  }
  Audit audited() { return *audit(running_.database(), running_.model(), running_.layout(), {}); }

  RunningModel running_{kWrittenModel, "{}"};
};

TEST_F(DataWriting, ThatIsEndedLeavesNoGuardWithoutWhatItGuards) {
  for (int batches = 0; batches < 4; ++batches) {
    RunningModel running(kWrittenModel, "{}");
    int left = batches;
    DataWriter writer(running.database(), running.model(), running.layout(),
                      {.is_ended = [&] { return left-- == 0; }});
    const auto data = read_data(running.model(), running.layout(), users(100));
    ASSERT_TRUE(writer.write(*data).ok());
    EXPECT_TRUE(writer.written().is_ended);
    // Of 25 requests in a batch 12 are users.
    EXPECT_EQ(writer.written().items, 12u * static_cast<size_t>(batches));
    const auto found = audit(running.database(), running.model(), running.layout(), {});
    EXPECT_EQ(found->findings.size(), 0u);
    EXPECT_EQ(found->entities, writer.written().items);
  }
}

TEST_F(DataWriting, LeavesWhatIsTheSameButForItsTimes) {
  EXPECT_EQ(write(users(30), {.what_is_there = WhatIsThere::kIsKept})->items, 30u);
  const auto again = write(users(40), {.what_is_there = WhatIsThere::kIsKept});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->there, 30u);
  EXPECT_EQ(again->items, 10u);
  EXPECT_EQ(again->replaced, 0u);
  EXPECT_EQ(write(users(40), {})->items, 40u);
}

TEST_F(DataWriting, WritesOverWhatDiffersOnlyIfItIsTold) {
  const std::string first = R"({"Club":[{"id":"c","name":"Chess"}]})";
  const std::string other = R"({"Club":[{"id":"b","name":"Boxing"},{"id":"c","name":"Cards"}]})";
  ASSERT_EQ(refusal(first), "");
  EXPECT_EQ(refusal(other), "there is already a Club c, and it differs from this one");
  EXPECT_EQ(audited().entities, 1u);  // nothing of it was written
  const auto written = write(other, {.what_is_there = WhatIsThere::kIsReplaced});
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(written->items, 2u);
  EXPECT_EQ(written->replaced, 1u);
}

TEST_F(DataWriting, TakesNoValueThatSomebodyElseHas) {
  ASSERT_EQ(refusal(users(1)), "");
  const std::string other = R"({"User":[{"id":"x","email":"e0"}]})";
  for (const WhatIsThere how : {WhatIsThere::kIsKept, WhatIsThere::kIsReplaced})
    EXPECT_EQ(refusal(other, how), "there is already a User with the email e0");
  EXPECT_EQ(audited().findings.size(), 0u);
}

// Lines are written piece by piece: into tables that were empty as well.
TEST_F(DataWriting, TakesNoValueThatAnEarlierPieceHas) {
  for (const WhatIsThere how : {WhatIsThere::kIsKept, WhatIsThere::kIsReplaced}) {
    RunningModel running(kWrittenModel, "{}");
    DataWriter writer(running.database(), running.model(), running.layout(), {.what_is_there = how});
    const auto write = [&](std::string_view json) -> Result<void> {
      const Data data = TRY(read_data(running.model(), running.layout(), json));
      return writer.write(data);
    };
    ASSERT_TRUE(write(users(30)).ok());
    const auto taken = write(R"({"User":[{"id":"u31","email":"e31"},{"id":"x","email":"e0"}]})");
    ASSERT_FALSE(taken.ok());
    EXPECT_EQ(taken.error(), (Error{Code::kInvalid, "there is already a User with the email e0"}));
    EXPECT_EQ(writer.written().items, 30u);
    EXPECT_TRUE(write(R"({"User":[{"id":"u31","email":"e31"}]})").ok());
    const auto found = audit(running.database(), running.model(), running.layout(), {});
    EXPECT_EQ(found->findings.size(), 0u);
    EXPECT_EQ(found->entities, 31u);
  }
}

TEST_F(DataWriting, TakesNobodyOfAnEarlierPieceTwice) {
  DataWriter writer(running_.database(), running_.model(), running_.layout(),
                    {.what_is_there = WhatIsThere::kIsKept});
  const auto write = [&](std::string_view json) -> Result<void> {
    const Data data = TRY(read_data(running_.model(), running_.layout(), json));
    return writer.write(data);
  };
  const std::string chess = R"({"Club":[{"id":"c","name":"Chess"}]})";
  ASSERT_TRUE(write(chess).ok());
  ASSERT_TRUE(write(chess).ok());
  EXPECT_EQ(writer.written().there, 1u);
  EXPECT_EQ(write(R"({"Club":[{"id":"c","name":"Cards"}]})").error().code, Code::kInUse);
}

TEST(DataWritingOfPairs, TakesNoEndThatAnEarlierPieceHas) {
  RunningModel running(R"(model pairs {
    entity User { id id; email unique }
    entity Seat { id id }
    rel User 1--1 Seat as seat / user { on delete unlink; via edges }
  })",
                       "{}");
  DataWriter writer(running.database(), running.model(), running.layout(),
                    {.what_is_there = WhatIsThere::kIsKept});
  const auto write = [&](std::string_view json) -> Result<void> {
    const Data data = TRY(read_data(running.model(), running.layout(), json));
    return writer.write(data);
  };
  ASSERT_TRUE(
      write(R"({"Seat":[{"id":"s"}],"User":[{"id":"u","email":"e"}],"links":{"User.seat":[["u","s"]]}})")
          .ok());
  const auto taken = write(R"({"User":[{"id":"v","email":"f"}],"links":{"User.seat":[["v","s"]]}})");
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().message, "the Seat s is linked already by its end user");
}

TEST_F(DataWriting, TakesLinksThatAreThereForTheSame) {
  const std::string linked =
      R"({"Club":[{"id":"c","name":"Chess"}],"User":[{"id":"u","email":"e"}],"links":{"Club.members":[["c","u"]]}})";
  EXPECT_EQ(write(linked, {.what_is_there = WhatIsThere::kIsKept})->items, 3u);
  EXPECT_EQ(write(linked, {.what_is_there = WhatIsThere::kIsKept})->there, 3u);
}

}  // namespace
}  // namespace sheaf::run

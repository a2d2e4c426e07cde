#include "remote/client.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "remote/round_trip_fixture.h"

namespace sheaf::remote {
namespace {

const Reply kDone{.status = 200, .body = "{}"};
const Reply kThrottled{
    .status = 400, .body = R"({"__type":"x#ProvisionedThroughputExceededException","message":"slow down"})"};
const Reply kInternal{.status = 500, .body = R"({"__type":"x#InternalServerError","message":"oh"})"};
const Reply kUnavailable{.status = 503,
                         .body = R"({"__type":"x#ServiceUnavailableException","message":"soon"})"};
const Reply kInvalidRequest{.status = 400, .body = R"({"__type":"x#ValidationException","message":"no"})"};
const Silence kNotHeard{.may_be_heard = false, .why = "nobody is there"};
const Silence kLost{.may_be_heard = true, .why = "the answer was lost"};

class ClientTest : public ::testing::Test {
 protected:
  // The answers in their order; the last one from then on.
  std::unique_ptr<Client> client(std::deque<Exchanged> answers, ClientOptions options = {}) {
    options.sleep = [this](int64_t delay_us) { slept_us_.push_back(delay_us); };
    auto transport = std::make_unique<ScriptedTransport>(
        [this, answers = std::move(answers)](const Question& question) mutable {
          asked_.emplace_back(question.target);
          Exchanged next = answers.front();
          if (answers.size() > 1) answers.pop_front();
          return next;
        });
    return std::make_unique<Client>(std::move(transport), std::move(options));
  }
  // How often a question was asked, and what became of it: 'done', or the code.
  struct Course {
    size_t asked;
    std::optional<Code> code;
    bool operator==(const Course&) const = default;
  };
  Course course(std::deque<Exchanged> answers, Doing doing, ClientOptions options = {}) {
    asked_.clear();
    slept_us_.clear();
    const Result<Answer> answer =
        client(std::move(answers), std::move(options))->demand("PutItem", "{}", doing);
    return {.asked = asked_.size(), .code = answer.ok() ? std::nullopt : std::optional(answer.error().code)};
  }

  std::vector<std::string> asked_;
  std::vector<int64_t> slept_us_;
};

constexpr Doing kAllDoings[] = {Doing::kReading, Doing::kWriting, Doing::kWritingOnce};

TEST_F(ClientTest, AsksForTheOperation) {
  EXPECT_TRUE(client({kDone})->call("PutItem", "{}", Doing::kWriting).ok());
  EXPECT_TRUE(client({kDone})->call_streams("GetRecords", "{}").ok());
  EXPECT_EQ(asked_,
            (std::vector<std::string>{"DynamoDB_20120810.PutItem", "DynamoDBStreams_20120810.GetRecords"}));
}

TEST_F(ClientTest, NothingIsAnAnswerToo) {
  for (const char* nothing : {"", "\"\""}) {
    const Result<Answer> answer =
        client({Reply{.status = 200, .body = nothing}})->call("TagResource", "{}", Doing::kWriting);
    ASSERT_TRUE(answer.ok());
    EXPECT_FALSE(answer->exception());
    EXPECT_TRUE(answer->json().is_object());
  }
}

TEST_F(ClientTest, AnAnswerIsAnAnswerAlsoIfItIsARefusal) {
  const Result<Answer> answer = client({kInvalidRequest})->call("PutItem", "{}", Doing::kReading);
  ASSERT_TRUE(answer.ok());
  ASSERT_TRUE(answer->exception());
  EXPECT_EQ(answer->exception()->name, "ValidationException");
  for (const Doing doing : kAllDoings)
    EXPECT_EQ(course({kInvalidRequest}, doing), (Course{1, Code::kInvalid}));
  EXPECT_TRUE(slept_us_.empty());
}

TEST_F(ClientTest, AsksAgainWhenItWasThrottledOrNotHeard) {
  for (const Doing doing : kAllDoings) {
    EXPECT_EQ(course({kThrottled, kNotHeard, kUnavailable, kDone}, doing), (Course{4, std::nullopt}));
    EXPECT_EQ(slept_us_.size(), 3u);
  }
}

TEST_F(ClientTest, GivesUpAfterSomeTime) {
  for (const Doing doing : kAllDoings) {
    EXPECT_EQ(course({kThrottled}, doing), (Course{8, Code::kLimitExceeded}));
    EXPECT_EQ(course({kNotHeard}, doing), (Course{8, Code::kUnavailable}));
    EXPECT_EQ(course({kUnavailable}, doing), (Course{8, Code::kUnavailable}));
    EXPECT_EQ(course({kThrottled}, doing, {.retries = {.attempts_max = 1}}),
              (Course{1, Code::kLimitExceeded}));
  }
}

// Not as an error, which would have to leave out for which of them it was.
TEST_F(ClientTest, ATransactionThatStaysThrottledIsAnsweredWithItsReasons) {
  const Reply cancelled{.status = 400,
                        .body = R"({"__type":"x#TransactionCanceledException","Message":"m",)"
                                R"("CancellationReasons":[{"Code":"None"},{"Code":"ThrottlingError"}]})"};
  for (const Doing doing : {Doing::kReading, Doing::kWriting}) {
    asked_.clear();
    const Result<Answer> answer = client({cancelled})->call("TransactWriteItems", "{}", doing);
    EXPECT_EQ(asked_.size(), 8u);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_TRUE(answer->exception());
    EXPECT_EQ(answer->exception()->name, "TransactionCanceledException");
    simdjson::dom::array reasons;
    EXPECT_EQ(answer->json()["CancellationReasons"].get(reasons), simdjson::SUCCESS);
    EXPECT_EQ(reasons.size(), 2u);
    EXPECT_TRUE(client({cancelled, kDone})->demand("TransactWriteItems", "{}", doing).ok());
  }
  // Unless it may have been done.
  EXPECT_EQ(course({kLost, cancelled}, Doing::kWriting), (Course{8, Code::kUnknown}));
}

TEST_F(ClientTest, AnAnswerThatWasLostIsAskedForAgainWhereThatDoesNoHarm) {
  for (const Exchanged& lost :
       {Exchanged(kLost), Exchanged(kInternal), Exchanged(Reply{.status = 200, .body = "{"}),
        Exchanged(Reply{.status = 502, .body = "<html>"})}) {
    EXPECT_EQ(course({lost, kDone}, Doing::kReading), (Course{2, std::nullopt}));
    EXPECT_EQ(course({lost, kDone}, Doing::kWriting), (Course{2, std::nullopt}));
    EXPECT_EQ(course({lost, kDone}, Doing::kWritingOnce), (Course{1, Code::kUnknown}));
    EXPECT_EQ(course({lost, kDone}, Doing::kWritingOnce, {.repeat_lost_writes = true}),
              (Course{2, std::nullopt}));
  }
}

// What may have been done once may have been done, whatever is said later.
TEST_F(ClientTest, AWriteThatMayHaveBeenDoneIsNotCalledUndone) {
  EXPECT_EQ(course({kLost, kThrottled}, Doing::kWriting), (Course{8, Code::kUnknown}));
  EXPECT_EQ(course({kLost, kNotHeard}, Doing::kWriting), (Course{8, Code::kUnknown}));
  EXPECT_EQ(course({kThrottled, kLost, kDone}, Doing::kWritingOnce), (Course{2, Code::kUnknown}));
  EXPECT_EQ(course({kLost, kThrottled}, Doing::kReading), (Course{8, Code::kLimitExceeded}));
  EXPECT_EQ(course({kLost}, Doing::kReading), (Course{8, Code::kUnavailable}));
}

TEST_F(ClientTest, DoesNotAskAgainWhoIsNotTrusted) {
  const Silence distrusted{.is_final = true, .why = "the certificate is not trusted"};
  EXPECT_EQ(course({distrusted, kDone}, Doing::kReading), (Course{1, Code::kDenied}));
}

TEST_F(ClientTest, WaitsLongerEachTimeButNotAllAlike) {
  std::set<int64_t> first_delays;
  for (int i = 0; i < 20; ++i) {
    course({kThrottled}, Doing::kReading);
    ASSERT_EQ(slept_us_.size(), 7u);
    first_delays.insert(slept_us_[0]);
    int64_t delay_us_max = 25'000;
    for (const int64_t delay_us : slept_us_) {
      EXPECT_GE(delay_us, 0);
      EXPECT_LE(delay_us, delay_us_max);
      delay_us_max *= 2;
    }
  }
  EXPECT_GT(first_delays.size(), 10u);
}

TEST(RetryPolicy, DoublesUpToALimit) {
  const RetryPolicy policy{.first_delay_us = 100, .delay_us_max = 1000};
  EXPECT_EQ(retry_delay_us(policy, 1, 1), 100);
  EXPECT_EQ(retry_delay_us(policy, 2, 1), 200);
  EXPECT_EQ(retry_delay_us(policy, 4, 1), 800);
  EXPECT_EQ(retry_delay_us(policy, 5, 1), 1000);
  EXPECT_EQ(retry_delay_us(policy, 1000, 1), 1000);
  EXPECT_EQ(retry_delay_us(policy, 3, 0.5), 200);
  EXPECT_EQ(retry_delay_us(policy, 3, 0), 0);
  EXPECT_EQ(retry_delay_us({}, 40, 1), 20'000'000);
}

TEST(RandomUuid, HasItsFormAndIsNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = random_uuid();
    ASSERT_EQ(uuid.size(), 36u);
    EXPECT_EQ(uuid[14], '4');
    EXPECT_EQ(uuid[8], '-');
    EXPECT_EQ(uuid[23], '-');
    EXPECT_EQ(uuid.find_first_not_of("0123456789abcdef-"), std::string::npos) << uuid;
    EXPECT_TRUE(seen.insert(uuid).second);
  }
}

}  // namespace
}  // namespace sheaf::remote

// What a program sees when answers get lost: nothing twice that it wanted once.
#include <gtest/gtest.h>

#include "api/database_fixture.h"
#include "remote/round_trip_fixture.h"

namespace sheaf::remote {
namespace {

class LostAnswersTest : public ::testing::Test {
 protected:
  LostAnswersTest() {
    must(trip_.local.create_table(table_of("Things", "pk")));
    must(trip_.local.put_item({.table = "Things", .item = {{"pk", "a"}, {"v", 1}}}));
  }

  // The endpoint does what it is asked for; its first answer does not arrive.
  std::unique_ptr<RemoteDatabase> losing(ClientOptions options = {}) {
    lost_ = false;
    asked_ = 0;
    return trip_.remote(
        [this](const Question& question, const RoundTrip::Ask& ask) -> Exchanged {
          ++asked_;
          Reply reply = ask(question);
          if (std::exchange(lost_, true)) return reply;
          return Silence{.may_be_heard = true, .why = "the answer was lost"};
        },
        std::move(options));
  }
  std::string value() {
    const Got got = must(trip_.local.get_item({.table = "Things", .key = {{"pk", "a"}}, .consistent = true}));
    return got.item ? got.item->to_json() : "none";
  }

  RoundTrip trip_;
  bool lost_ = false;
  int asked_ = 0;
  const UpdateItem count_{
      .table = "Things", .key = {{"pk", "a"}}, .update = "ADD v :one", .values = {{":one", 1}}};
};

TEST_F(LostAnswersTest, ReadsAreAskedAgain) {
  EXPECT_TRUE(must(losing()->get_item({.table = "Things", .key = {{"pk", "a"}}})).item);
  EXPECT_EQ(asked_, 2);
  EXPECT_EQ(must(losing()->scan({.table = "Things"})).count, 1u);
  EXPECT_EQ(must(losing()->list_tables()), (Texts{"Things"}));
  EXPECT_EQ(
      must(losing()->transact_get_items({.gets = {{.table = "Things", .key = {{"pk", "a"}}}}})).items.size(),
      1u);
  EXPECT_EQ(must(losing()->describe_table("Things")).name, "Things");
}

TEST_F(LostAnswersTest, WritesThatAreTheSameOnceAndTwiceAreAskedAgain) {
  EXPECT_TRUE(must(losing()->put_item({.table = "Things", .item = {{"pk", "a"}, {"v", 2}}})).condition_met);
  EXPECT_EQ(asked_, 2);
  EXPECT_TRUE(must(losing()->delete_item({.table = "Things", .key = {{"pk", "a"}}})).condition_met);
  EXPECT_EQ(value(), "none");
  must(losing()->batch_write_items(
      {.tables = {{"Things", {{.put = true, .item = {{"pk", "a"}, {"v", 3}}}}}}}));
  EXPECT_EQ(asked_, 2);
  EXPECT_EQ(value(), R"({"pk":{"S":"a"},"v":{"N":"3"}})");
  must(losing()->tag_table("Things", {{"a", "b"}}));
  EXPECT_TRUE(must(losing()->update_contributor_insights({.table = "Things"})).enabled);
}

TEST_F(LostAnswersTest, WritesThatLookAtWhatIsThereAreUnknown) {
  EXPECT_EQ(refusal(losing()->update_item(count_)).code, Code::kUnknown);
  EXPECT_EQ(asked_, 1);
  EXPECT_EQ(value(), R"({"pk":{"S":"a"},"v":{"N":"2"}})");
  const PutItem conditional{
      .table = "Things", .item = {{"pk", "b"}}, .condition = "attribute_not_exists(pk)"};
  EXPECT_EQ(refusal(losing()->put_item(conditional)).code, Code::kUnknown);
  const DeleteItem returning{.table = "Things", .key = {{"pk", "b"}}, .return_values = ReturnValues::kAllOld};
  EXPECT_EQ(refusal(losing()->delete_item(returning)).code, Code::kUnknown);
  EXPECT_EQ(refusal(losing()->create_table(table_of("Others", "pk"))).code, Code::kUnknown);
  EXPECT_EQ(refusal(losing()->delete_table("Others")).code, Code::kUnknown);
  EXPECT_EQ(refusal(losing()->update_time_to_live("Things", "t", true)).code, Code::kUnknown);
}

TEST_F(LostAnswersTest, WhoWantsItAsTheSdksDoItGetsIt) {
  must(losing({.repeat_lost_writes = true})->update_item(count_));
  EXPECT_EQ(value(), R"({"pk":{"S":"a"},"v":{"N":"3"}})") << "counted twice";
}

TEST_F(LostAnswersTest, ATransactionIsDoneOnceHoweverOftenItIsAskedFor) {
  const TransactWritten written = must(losing()->transact_write_items({.actions = {count_}}));
  EXPECT_EQ(asked_, 2);
  EXPECT_TRUE(written.applied);
  EXPECT_FALSE(written.replayed) << "the program asked once";
  EXPECT_EQ(value(), R"({"pk":{"S":"a"},"v":{"N":"2"}})");
  must(losing()->transact_write_items({.actions = {count_}, .token = "mine"}));
  EXPECT_EQ(value(), R"({"pk":{"S":"a"},"v":{"N":"3"}})");
  EXPECT_TRUE(must(trip_.remote()->transact_write_items({.actions = {count_}, .token = "mine"})).replayed);
}

TEST_F(LostAnswersTest, EachTransactionHasATokenOfItsOwn) {
  const auto remote = trip_.remote();
  for (int i = 0; i < 3; ++i) must(remote->transact_write_items({.actions = {count_}}));
  EXPECT_EQ(value(), R"({"pk":{"S":"a"},"v":{"N":"4"}})");
}

}  // namespace
}  // namespace sheaf::remote

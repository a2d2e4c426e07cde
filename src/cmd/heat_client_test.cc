#include "cmd/heat_client.h"

#include <gtest/gtest.h>

#include <mutex>
#include <utility>

#include "http/server_fixture.h"

namespace sheaf::cmd {
namespace {

Item key_named(const std::string& name) { return Item{{"pk", name}}; }

// Tells heat, if it is to, of the table "shop" alone, and of the n-th key that it is asked for since it was
// made n items.
class HeatClientTest : public testing::Test {
 protected:
  http::Response answer(std::string_view target) {
    const std::lock_guard lock(mutex_);
    asked_.emplace_back(target);
    if (busy_status_ != 0) return {.status = std::exchange(busy_status_, 0), .body = "{}"};
    if (target.starts_with("/heat?table=shop&") && tells_heat_) {
      return {.body = R"({"table":"shop","seconds":60,"writes":{"partitions":[)"
                      R"({"key":{"pk":{"S":"hot"}},"items":7,"bytes":70}]},"findings":[]})"};
    }
    if (!target.starts_with("/collections?table=shop&") || !tells_sizes_)
      return {.status = 404, .body = "{}"};
    std::string list;
    for (size_t at = 0; (at = target.find("&key=", at)) != std::string_view::npos; ++at)
      list += (list.empty() ? "" : ",") + std::string(R"({"items":)") + std::to_string(++keys_) + "}";
    if (leaves_out_) list.clear();
    return {.body = R"({"table":"shop","collections":[)" + list + "]}"};
  }

  Endpoint endpoint() const {
    Endpoint endpoint;
    endpoint.url = "http://127.0.0.1:" + std::to_string(server_->port());
    return endpoint;
  }
  size_t requests() {
    const std::lock_guard lock(mutex_);
    return asked_.size();
  }

  std::mutex mutex_;
  std::vector<std::string> asked_;
  int keys_ = 0;
  bool tells_heat_ = true;
  bool tells_sizes_ = true;
  bool leaves_out_ = false;
  int busy_status_ = 0;  // of the next answer, and no others
  http::FunctionHandler handler_{[this](const http::Request& request, Loop&, http::Respond respond) {
    respond(answer(request.target));
  }};
  const std::unique_ptr<http::Server> server_ = http::start_server(handler_);
  const std::unique_ptr<Database> database_ = Database::open_in_memory();
};

TEST_F(HeatClientTest, SizesAreAskedForAsManyAtATimeAsAServerTakes) {
  std::vector<Item> keys;
  for (int i = 1; i <= 130; ++i) keys.push_back(key_named("a&b " + std::to_string(i)));
  const Result<watch::SizesByKey> sizes = HeatClient(endpoint()).collection_sizes("shop", keys);
  ASSERT_TRUE(sizes.ok()) << sizes.error().message;
  ASSERT_EQ(sizes->size(), 130u);
  for (int i = 1; i <= 130; ++i)
    EXPECT_EQ(sizes->at(keys[static_cast<size_t>(i - 1)].to_json()).item_count, i);
  EXPECT_EQ(requests(), 3u);
  EXPECT_TRUE(asked_[0].starts_with(
      "/collections?table=shop&key=%7B%22pk%22%3A%7B%22S%22%3A%22a%26b%201%22%7D%7D&key="));
  EXPECT_EQ(HeatClient(endpoint()).collection_sizes("shop", {})->size(), 0u);
  EXPECT_EQ(requests(), 3u);
}

TEST_F(HeatClientTest, LongKeysAreAskedForFewAtATimeAndTooLongOnesNotAtAll) {
  std::string accented;
  for (int i = 0; i < 1024; ++i) accented += "\xc3\xa9";
  const Item too_long = key_named(std::string(2048, '\x01'));
  const std::vector<Item> asked = {key_named(std::string(2048, 'a')), key_named(accented), too_long,
                                   key_named(std::string(2048, 'b')), key_named(std::string(2048, 'c'))};
  const Result<watch::SizesByKey> sizes = HeatClient(endpoint()).collection_sizes("shop", asked);
  ASSERT_TRUE(sizes.ok()) << sizes.error().message;
  EXPECT_EQ(sizes->size(), 4u);
  EXPECT_FALSE(sizes->contains(too_long.to_json())) << "escaped it has more than a head may have";
  EXPECT_EQ(requests(), 2u);
}

TEST_F(HeatClientTest, AnAnswerThatLeavesOutWhatWasAskedForIsNone) {
  leaves_out_ = true;
  EXPECT_EQ(HeatClient(endpoint()).collection_sizes("shop", {key_named("a")}).error().code, Code::kCorrupt);
  EXPECT_FALSE(read_collection_sizes("<html>").ok());
  EXPECT_FALSE(read_collection_sizes(R"({"collections":7})").ok());
}

TEST_F(HeatClientTest, SizesThatHeatToldAreNotAskedForAgain) {
  const watch::Source source = source_behind(*database_, endpoint());
  ASSERT_TRUE(source.heat({.table = "shop"}).ok());
  EXPECT_EQ(source.collection_sizes("shop", {key_named("hot")})->begin()->second.item_count, 7);
  EXPECT_EQ(requests(), 1u);
  const Result<watch::SizesByKey> both =
      source.collection_sizes("shop", {key_named("hot"), key_named("cold")});
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(both->at(key_named("hot").to_json()).item_count, 7);
  EXPECT_EQ(both->at(key_named("cold").to_json()).item_count, 1);
  EXPECT_EQ(requests(), 2u);
}

TEST_F(HeatClientTest, SizesAreToldWithoutHeat) {
  tells_heat_ = false;
  const watch::Source source = source_behind(*database_, endpoint());
  EXPECT_EQ(source.heat({.table = "shop"}).error().code, Code::kInvalid);
  EXPECT_TRUE(source.collection_sizes("shop", {key_named("cold")}).ok());
}

TEST_F(HeatClientTest, WhoTellsNothingIsAskedOnce) {
  tells_heat_ = tells_sizes_ = false;
  const watch::Source source = source_behind(*database_, endpoint());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(source.heat({.table = "shop"}).error().code, Code::kInvalid);
    EXPECT_EQ(source.collection_sizes("shop", {key_named("a")}).error().code, Code::kInvalid);
  }
  EXPECT_EQ(requests(), 2u);
}

TEST_F(HeatClientTest, WhoIsTooBusyIsAskedAgain) {
  const watch::Source source = source_behind(*database_, endpoint());
  for (const int status : {429, 503}) {
    busy_status_ = status;
    EXPECT_EQ(source.heat({.table = "shop"}).error().code, Code::kUnavailable);
    EXPECT_TRUE(source.heat({.table = "shop"}).ok());
  }
}

// Of a table without sort key it tells nothing, and of others it does.
TEST_F(HeatClientTest, WhatIsNotToldOfATableIsOfOthers) {
  const watch::Source source = source_behind(*database_, endpoint());
  EXPECT_FALSE(source.collection_sizes("flat", {key_named("a")}).ok());
  EXPECT_TRUE(source.collection_sizes("shop", {key_named("a")}).ok());
}

TEST_F(HeatClientTest, AwsIsNotAsked) {
  Endpoint aws = endpoint();
  for (const char* const url : {"", "https://dynamodb.eu-west-1.amazonaws.com"}) {
    aws.url = url;
    const watch::Source source = source_behind(*database_, aws);
    EXPECT_EQ(source.heat({.table = "shop"}).error().code, Code::kInvalid);
    EXPECT_EQ(source.collection_sizes("shop", {key_named("a")}).error().code, Code::kInvalid);
  }
}

TEST(HeatClient, WhoDoesNotAnswerIsAskedAgain) {
  const std::unique_ptr<Database> database = Database::open_in_memory();
  Endpoint nobody;
  {
    http::FunctionHandler echo = http::echo_handler();
    nobody.url = "http://127.0.0.1:" + std::to_string(http::start_server(echo)->port());
  }
  const watch::Source source = source_behind(*database, nobody);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(source.heat({.table = "shop"}).error().code, Code::kUnavailable);
    EXPECT_EQ(source.collection_sizes("shop", {key_named("a")}).error().code, Code::kUnavailable);
  }
}

}  // namespace
}  // namespace sheaf::cmd

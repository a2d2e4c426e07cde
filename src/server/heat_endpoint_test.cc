#include "server/heat_endpoint.h"

#include "api/local_database.h"
#include "model/compiled_model.h"
#include "server/gate_fixture.h"
#include "server/watch.h"
#include "store/memory_store.h"

namespace sheaf::server {
namespace {

class HeatEndpointTest : public GateTest {
 protected:
  HeatEndpointTest() {
    CreateTable table{.table = "posts", .key = {.partition = {{"PK"}}, .sort = {{"SK"}}}};
    table.global_indexes = {{.name = "by_author", .key = {.partition = {{"author"}}}}};
    EXPECT_TRUE(database_->create_table(table).ok());
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(
          database_
              ->put_item({.table = "posts",
                          .item = Item{{"PK", "hot \"one\""}, {"SK", std::to_string(i)}, {"author", "x"}}})
              .ok());
    }
  }

  Response ask(const OwnedRequest& request, const http::Credentials* credentials = nullptr) {
    const Gate entrance = gate(credentials);
    HeatEndpoint endpoint(*database_, entrance, [&] { return names_; });
    return ask_of(endpoint, request);
  }
  Response get(const std::string& target) { return ask(request("GET", target)); }

  std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false, .heat = true});
  std::shared_ptr<watch::KeyNames> names_ = std::make_shared<watch::KeyNames>();
};

TEST_F(HeatEndpointTest, IsAtItsPathAlone) {
  EXPECT_TRUE(is_heat("/heat"));
  EXPECT_TRUE(is_heat("/heat?table=a"));
  EXPECT_FALSE(is_heat("/heat/a"));
  EXPECT_FALSE(is_heat("/heater"));
  EXPECT_FALSE(is_heat("/"));
}

TEST_F(HeatEndpointTest, ATableIsToldWithItsKeys) {
  const Response response = get("/heat?table=posts&seconds=600&keys=1");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_TRUE(has(response.body, R"({"table":"posts","seconds":)")) << response.body;
  EXPECT_TRUE(has(response.body, R"("partitions":[{"key":{"PK":{"S":"hot \"one\""}},"units_per_second":)"))
      << response.body;
  EXPECT_TRUE(has(response.body, R"("share":1,"items":3,"bytes":)")) << response.body;
  EXPECT_TRUE(has(response.body, R"(}],"items":[{"key":{"PK":{"S":"hot \"one\""},"SK":{"S":"0"}},)"))
      << response.body;
  EXPECT_TRUE(has(response.body,
                  R"("reads":{"units_per_second":0,"requests_per_second":0,"throttled_per_second":0,)"
                  R"("partition_keys":0,"quarters":[0,0,0,0],"partitions":[],"items":[],)"
                  R"("throttled_partitions":[],"sample":[]})"))
      << response.body;
  EXPECT_TRUE(has(response.body, R"({"key":{"PK":{"S":"hot \"one\""},"SK":{"S":"1"}},"share":0.333333})"))
      << "of the sample: " << response.body;
  EXPECT_TRUE(has(response.body, R"("findings":[]})")) << response.body;
}

TEST_F(HeatEndpointTest, CollectionsThatAreOnlyReadHaveTheirSizesToo) {
  ASSERT_TRUE(
      database_->get_item({.table = "posts", .key = {{"PK", "hot \"one\""}, {"SK", "1"}}, .consistent = true})
          .ok());
  const std::string body = get("/heat?table=posts").body;
  const size_t reads = body.find(R"("reads":)");
  EXPECT_NE(body.substr(reads, body.find(R"("writes":)") - reads).find(R"("items":3,"bytes":)"),
            std::string::npos)
      << body;
}

TEST_F(HeatEndpointTest, AnIndexIsToldByItsOwnKey) {
  const Response response = get("/heat?table=posts&index=by_author");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(has(response.body, R"("index":"by_author")")) << response.body;
  EXPECT_TRUE(has(response.body, R"("partitions":[{"key":{"author":{"S":"x"}})")) << response.body;
}

TEST_F(HeatEndpointTest, KeysAreToldByWhatTheyStandForInAModel) {
  const model::CompiledModel compiled = model::compile("posts.sheaf", R"(
    model blog {
      entity Post { id id; author }
      layout stored {
        table posts { pk PK; sk SK; gsi by_author author all }
        entity Post { key "blog <id>" / "0"; index by_author "<author>" }
      }
    })");
  ASSERT_TRUE(compiled.ok()) << compiled.rendered();
  names_->add(compiled.model, compiled.layouts.back());
  const Item post{{"PK", "blog one"}, {"SK", "0"}, {"author", "x"}};
  ASSERT_TRUE(database_->put_item({.table = "posts", .item = post}).ok());
  const Response response = get("/heat?table=posts");
  EXPECT_TRUE(has(response.body, R"({"key":{"PK":{"S":"blog one"}},"kind":"Post","name":"Post one",)"))
      << response.body;
  EXPECT_TRUE(
      has(response.body, R"({"key":{"PK":{"S":"blog one"},"SK":{"S":"0"}},"kind":"Post","name":"Post one",)"))
      << response.body;
  EXPECT_TRUE(has(response.body, R"({"key":{"PK":{"S":"hot \"one\""},"SK":{"S":"1"}},"units_per_second")"))
      << "no post: " << response.body;
  const Response index = get("/heat?table=posts&index=by_author");
  EXPECT_TRUE(has(index.body, R"~("kind":"Post","name":"Post (author x)")~")) << index.body;
}

TEST_F(HeatEndpointTest, AllAreToldWithoutKeys) {
  const Response response = get("/heat");
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(has(response.body, R"({"resources":[{"table":"posts","seconds":)")) << response.body;
  EXPECT_TRUE(has(response.body, R"({"table":"posts","index":"by_author","seconds":)")) << response.body;
  EXPECT_TRUE(has(response.body, R"("hottest_share":1})")) << response.body;
  EXPECT_FALSE(has(response.body, "hot \\\"one")) << response.body;
}

TEST_F(HeatEndpointTest, WhatIsWrongIsTold) {
  EXPECT_EQ(get("/heat?table=none").status, 404);
  EXPECT_EQ(get("/heat?table=posts&index=none").status, 404);
  EXPECT_EQ(get("/heat?table=posts&seconds=3601").status, 400);
  EXPECT_EQ(get("/heat?table=posts&seconds=1m").status, 400);
  EXPECT_EQ(get("/heat?table=posts&keys=65").status, 400);
  EXPECT_EQ(get("/heat?table=posts&keys=-1").status, 400);
  EXPECT_EQ(get("/heat?index=by_author").status, 400);
  EXPECT_EQ(get("/heat?tables=posts").status, 400);
  EXPECT_EQ(get("/heat?table=%zz").status, 400);
  const Response posted = ask(request("POST", "/heat"));
  EXPECT_EQ(posted.status, 405);
  EXPECT_TRUE(has(posted.headers, "Allow: GET, HEAD\r\n"));
  database_ = Database::open_in_memory({.background_thread = false});
  EXPECT_TRUE(database_->create_table({.table = "posts", .key = {.partition = {{"PK"}}}}).ok());
  EXPECT_EQ(get("/heat").status, 400) << "nothing is counted";
}

TEST_F(HeatEndpointTest, WhoMayNotReadItemsMayNotSeeTheirKeys) {
  const http::Credentials credentials{everybody()};
  const OwnedRequest asked = request("GET", "/heat?table=posts");
  EXPECT_EQ(ask(with_signature(asked, "READER"), &credentials).status, 200);
  EXPECT_TRUE(audited_.empty());
  EXPECT_EQ(ask(with_signature(asked, "METER"), &credentials).status, 403);
  const Response anonymous = ask(asked, &credentials);
  EXPECT_EQ(anonymous.status, 403);
  EXPECT_FALSE(has(anonymous.body, "hot")) << anonymous.body;
  ASSERT_EQ(audited_.size(), 2u);
  EXPECT_TRUE(has(audited_[1], "heat")) << audited_[1];
}

TEST_F(HeatEndpointTest, OtherOriginsAreTurnedAway) {
  OwnedRequest foreign = request("GET", "/heat?table=posts");
  foreign.headers.emplace_back("Origin", "https://evil.example");
  EXPECT_EQ(ask(foreign).status, 403);
}

TEST(Watch, TellsInMetricsWhatThereIsNow) {
  ManualClock clock(kNowUs);
  const std::unique_ptr<Database> database = api::make_local_database(
      store::open_memory_store(clock), clock, {.background_thread = false, .heat = true});
  ASSERT_TRUE(database->create_table({.table = "logs", .key = {.partition = {{"PK"}}}}).ok());
  Watch watch;
  const auto metrics = [&] {
    std::string text;
    watch.append_text(text);
    return text;
  };
  watch.look(*database);
  EXPECT_EQ(metrics().find("sheaf_heat_finding{"), std::string::npos);
  // More than a thousand units a second, all of one key.
  const Item item{{"PK", "today"}, {"text", std::string(300'000, 'x')}};
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(database->put_item({.table = "logs", .item = item}).ok());
  clock.advance_us(10'000'000);
  watch.look(*database);
  EXPECT_NE(metrics().find(R"(sheaf_heat_finding{table="logs",finding="few-keys",access="writes"} 1)"),
            std::string::npos)
      << metrics();
  EXPECT_EQ(metrics().find("today"), std::string::npos);
  watch.tell_of_collection({.table = "logs", .partition_key = Item{{"PK", "today"}}, .size = {}});
  EXPECT_NE(metrics().find(R"(sheaf_collection_warnings_total{table="logs",line="items"} 1)"),
            std::string::npos);
  ASSERT_TRUE(database->delete_table("logs").ok());
  watch.look(*database);
  EXPECT_EQ(metrics().find("sheaf_heat_finding{"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::server

#include "service/model_service.h"

#include <gtest/gtest.h>

#include "migrate/migration.h"
#include "run/running_model.h"

namespace sheaf::service {
namespace {

ModelSource source(const std::string& name, const std::string& layout = "default") {
  return {.path = name + ".sheaf", .text = run::model_file(name + "/model.sheaf"), .layout = layout};
}

// The examples hr and shop, with their data.
class ModelServiceTest : public testing::Test {
 protected:
  ModelServiceTest() {
    auto opened = ModelService::open(*database_, {source("hr"), source("shop"), source("order")});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    service_ = std::move(*opened);
    for (const char* const name : {"hr", "shop", "order"}) {
      EXPECT_TRUE(migrate::load_data(*database_, service_->find(name)->live(),
                                     run::model_file(std::string(name) + "/data.json"))
                      .ok());
    }
  }

  Reply ask(std::string_view method, std::string_view target, std::string_view body = {}) const {
    const auto route = find_route(target);
    EXPECT_TRUE(route) << target;
    return service_->answer(*route, {.method = method, .target = target, .body = body});
  }
  // The status, and the body.
  std::string post(const std::string& target, std::string_view body) const {
    const Reply reply = ask("POST", "/models/" + target, body);
    return std::to_string(reply.status) + " " + reply.body;
  }
  std::string get(const std::string& target) const {
    const Reply reply = ask("GET", "/models/" + target);
    return std::to_string(reply.status) + " " + reply.body;
  }

  std::unique_ptr<Database> database_ = Database::open_in_memory();
  std::unique_ptr<ModelService> service_;
};

constexpr std::string_view kTeam =
    R"(200 {"documents":[{"id":"e-1","name":"Alice"},{"id":"e-2","name":"Bob"}]})";

TEST_F(ModelServiceTest, PatternsAreAskedByNameOrInOrderOrInTheQuery) {
  EXPECT_EQ(post("hr/patterns/team", R"({"with":{"d":"d-1"}})"), kTeam);
  EXPECT_EQ(post("hr/patterns/team", R"({"with":["d-1"]})"), kTeam);
  EXPECT_EQ(get("hr/patterns/team?d=d-1"), kTeam);
}

TEST_F(ModelServiceTest, CostAndPlanAreToldOnRequest) {
  const std::string answer = post("hr/patterns/team", R"({"with":["d-1"],"cost":true,"plan":true})");
  EXPECT_NE(answer.find(R"("cost":{"requests":1,"rounds":1,"units":0.5,"items_read":2})"), std::string::npos)
      << answer;
  EXPECT_NE(answer.find(R"("plan":"team(d): 1 request)"), std::string::npos) << answer;
  const std::string moved =
      post("hr/operations/move", R"({"with":{"e":"e-1","d":"d-2"},"cost":true,"plan":true})");
  EXPECT_NE(moved.find(R"("cost":{"requests":)"), std::string::npos) << moved;
  EXPECT_NE(moved.find(R"("plan":"move(e, d)"), std::string::npos) << moved;
}

TEST_F(ModelServiceTest, AnIdOfSeveralPartsIsAListOrItsParts) {
  const std::string order = get("shop/patterns/order?o=ann&o=7");
  EXPECT_EQ(order.find(R"(200 {"documents":[{"customer":"ann","items":[)"), 0u) << order;
  EXPECT_EQ(get("shop/patterns/order?o=%5B%22ann%22%2C7%5D"), order);
  EXPECT_EQ(post("shop/patterns/order", R"({"with":{"o":["ann",7]}})"), order);
  EXPECT_EQ(get("shop/patterns/order?o=ann&o=7&o=8").substr(0, 3), "400");
}

TEST_F(ModelServiceTest, OperationsOfTheModelAndOfEveryModelAreCarriedOut) {
  EXPECT_EQ(post("hr/operations/hire", R"({"with":{"e":{"id":"e-9","name":"Zoe"},"d":"d-1"}})"),
            R"(200 {"put":["e-9"],"copies":0,"deleted":0,"pending":0,"retries":0})");
  EXPECT_EQ(post("hr/operations/set.Employee", R"({"with":{"id":"e-9","fields":{"name":"Zoey"}}})"),
            R"(200 {"put":[],"copies":0,"deleted":0,"pending":0,"retries":0})");
  EXPECT_EQ(post("hr/operations/link.Employee.manager", R"({"with":["e-9","e-1"]})").substr(0, 3), "200");
  EXPECT_NE(get("hr/patterns/team?d=d-1").find(R"({"id":"e-9","name":"Zoey"})"), std::string::npos);
}

TEST_F(ModelServiceTest, AnErrorHasItsStatusAndItsCode) {
  const auto hire = [&](const std::string& id, const std::string& department) {
    return post("hr/operations/hire",
                R"({"with":{"e":{"id":")" + id + R"(","name":"Zoe"},"d":")" + department + R"("}})");
  };
  EXPECT_EQ(hire("e-1", "d-1"),
            R"(409 {"error":{"code":"in_use","message":"there is already an Employee e-1"}})");
  EXPECT_EQ(hire("e-9", "d-9"),
            R"(404 {"error":{"code":"not_found","message":"there is no Department d-9"}})");
  EXPECT_EQ(post("hr/operations/rename", R"({"with":{"d":"d-1","n":7}})").substr(0, 30),
            R"(400 {"error":{"code":"invalid")");
  EXPECT_EQ(get("hr/patterns/tema?d=d-1"),
            R"(404 {"error":{"code":"not_found","message":"there is no pattern tema","fix":"write team"}})");
  EXPECT_EQ(post("hr/operations/fire", "{}").substr(0, 32), R"(404 {"error":{"code":"not_found")");
  EXPECT_EQ(get("hrr"),
            R"(404 {"error":{"code":"not_found","message":"there is no model hrr","fix":"write hr"}})");
}

TEST_F(ModelServiceTest, WhatIsUnknownOrNoJsonIsRefused) {
  for (const char* const body :
       {"{", "[]", "7", "null", R"({"with":["d-1"]} {})", R"({"with":["d-1"],"with":["d-2"]})",
        R"({"with":{"d":"d-1","d":"d-2"}})", R"({"with":["d-1"],"limit":3})", R"({"with":{"x":"d-1"}})",
        R"({"with":["d-1","d-2"]})", R"({"with":"d-1"})", R"({"with":["d-1"],"plan":"yes"})",
        R"({"with":["d-1"],"cost":1})", R"({"with":["d-1"],"cursor":3})", R"({"with":["d-1"],"cursor":"x"})",
        "{}", "", "\xff", R"({"with":["\ud800"]})"}) {
    EXPECT_EQ(post("hr/patterns/team", body).substr(0, 3), "400") << body;
  }
  EXPECT_EQ(post("hr/patterns/team", std::string(100'000, '[')).substr(0, 3), "400");
  EXPECT_EQ(post("hr/operations/move", R"({"with":["e-1","d-1"],"cursor":"x"})").substr(0, 3), "400");
  EXPECT_EQ(get("hr/patterns/team?d=d-1&x=1").substr(0, 3), "400");
  EXPECT_EQ(get("hr/patterns/team?d=d-1&plan=maybe").substr(0, 3), "400");
  EXPECT_EQ(get("hr/patterns/team").substr(0, 3), "400");
  EXPECT_EQ(post("hr/patterns/team?d=d-1", R"({"with":["d-1"]})").substr(0, 3), "400");
}

TEST_F(ModelServiceTest, OtherMethodsAreRefusedWithThoseThatThereAre) {
  const Reply reply = ask("DELETE", "/models/hr/patterns/team");
  EXPECT_EQ(reply.status, 405);
  EXPECT_EQ(reply.allow, "GET, HEAD, POST");
  EXPECT_EQ(ask("GET", "/models/hr/operations/move").status, 405);
  EXPECT_EQ(ask("POST", "/models/hr").status, 405);
}

TEST_F(ModelServiceTest, PagesFollowEachOtherByTheirCursors) {
  for (int number = 100; number < 130; ++number) {
    const std::string order = R"({"with":[{"customer":"ann","number":)" + std::to_string(number) +
                              R"(,"placed_on":"2026-01-02"}]})";
    ASSERT_EQ(post("shop/operations/put.Order", order).substr(0, 3), "200");
  }
  std::string cursor;
  size_t pages = 0, seen = 0;
  do {
    const std::string answer =
        post("shop/patterns/orders",
             R"({"with":["ann"])" + (cursor.empty() ? "" : R"(,"cursor":")" + cursor + "\"") + "}");
    ASSERT_EQ(answer.substr(0, 3), "200") << answer;
    for (size_t at = answer.find("\"number\""); at != std::string::npos;
         at = answer.find("\"number\"", at + 1))
      ++seen;
    ++pages;
    const size_t at = answer.find(R"("cursor":")");
    cursor = at == std::string::npos ? "" : answer.substr(at + 10, answer.rfind('"') - at - 10);
  } while (!cursor.empty());
  EXPECT_EQ(pages, 2u);
  EXPECT_EQ(seen, 32u);
}

TEST_F(ModelServiceTest, ModelsAreListedAndDescribed) {
  EXPECT_NE(ask("GET", "/models").body.find(R"("name": "shop")"), std::string::npos);
  const std::string summary = get("hr");
  EXPECT_NE(summary.find(R"("layout": "default")"), std::string::npos);
  EXPECT_NE(summary.find(R"("document": "Employee")"), std::string::npos);
  EXPECT_NE(summary.find(R"("name": "link.Employee.manager")"), std::string::npos);
  EXPECT_NE(summary.find(R"("hr-sheaf")"), std::string::npos);
  EXPECT_NE(get("hr/openapi.json").find(R"("/models/hr/patterns/team": {)"), std::string::npos);
}

TEST(ModelService, RefusesModelsWithMistakesInTheCheckersWords) {
  const auto database = Database::open_in_memory();
  const auto opened = ModelService::open(
      *database,
      {{.path = "x.sheaf", .text = "model x {\n  entity A { id id }\n  rel B 1--* A as a / b\n}\n"}});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Code::kInvalid);
  EXPECT_NE(opened.error().message.find("x.sheaf:3:7: error: there is no entity named B"), std::string::npos)
      << opened.error().message;
}

TEST(ModelService, RefusesAnUnknownLayoutAndTwoModelsOfOneName) {
  const auto database = Database::open_in_memory();
  EXPECT_EQ(ModelService::open(*database, {source("hr", "method9")}).error().message,
            "hr.sheaf has no layout method9");
  EXPECT_EQ(ModelService::open(*database, {source("hr"), source("hr")}).error().message,
            "hr.sheaf: there is another model named hr");
}

// While a model moves, its tables hold it as two texts say, and a third one cannot be answered.
TEST(ModelService, TakesNoOtherTextOfAModelThatMoves) {
  const std::unique_ptr<Database> database = Database::open_in_memory();
  const std::string one = R"(model m { table tab { pk PK; sk SK }
    entity A { id id; note string?; key "A#<id>" / "A#<id>" } pattern note(a: A) = $a })";
  const std::string two = R"(model m { table tab { pk PK; sk SK }
    entity A { id id; note string?; key "B#<id>" / "B#<id>" } pattern note(a: A) = $a })";
  const std::string three = R"(model m { table tab { pk PK; sk SK }
    entity A { id id; noted string?; key "A#<id>" / "A#<id>" } pattern noted(a: A) = $a })";
  const auto service = ModelService::open(*database, {{.path = "m.sheaf", .text = one}});
  ASSERT_TRUE(service.ok()) << service.error().message;
  const auto moving = migrate::Migration::begin(*database, {.from_text = one, .to_text = two}, {});
  ASSERT_TRUE(moving.ok()) << moving.error().message;
  const auto put = (*service)->put({.path = "m.sheaf", .text = three});
  ASSERT_FALSE(put.ok());
  EXPECT_EQ(put.error().code, Code::kConflict) << put.error().message;
  EXPECT_NE((*service)->find("m")->find_pattern("note"), nullptr);
  EXPECT_TRUE((*service)->put({.path = "m.sheaf", .text = one}).ok());
  // A file that says otherwise is served as it is stored: what can be asked can be answered.
  const auto again = ModelService::open(*database, {{.path = "m.sheaf", .text = three}});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_NE((*again)->find("m")->find_pattern("note"), nullptr);
  EXPECT_EQ((*again)->find("m")->find_pattern("noted"), nullptr);
}

TEST(ModelService, RefusesWhatTheCheckerRefuses) {
  const auto database = Database::open_in_memory();
  const std::string model = R"(model m { table tab { pk PK; sk SK }
    entity A { id id; note string?; key "A#<id>" / "A#<id>" } )";
  const auto service = ModelService::open(*database, {{.path = "m.sheaf", .text = model + "}"}});
  ASSERT_TRUE(service.ok()) << service.error().message;
  for (const std::string wrong :
       {"pattern noted(n: string) = A where note = $n }", "pattern a(a: A) = $a budget 0 requests }"}) {
    const auto put = (*service)->put({.path = "m.sheaf", .text = model + wrong});
    ASSERT_FALSE(put.ok()) << wrong;
    EXPECT_EQ(put.error().code, Code::kInvalid);
    EXPECT_TRUE(put.error().message.starts_with("m.sheaf:2:")) << put.error().message;
    EXPECT_FALSE(ModelService::open(*database, {{.path = "m.sheaf", .text = model + wrong}}).ok());
  }
}

TEST(ModelService, RefusesALayoutThatWouldMoveItems) {
  const auto database = Database::open_in_memory();
  const auto first = ModelService::open(*database, {{.path = "a", .text = R"(model m {
    table tab { pk PK; sk SK } entity A { id id; key "A#<id>" / "A#<id>" } pattern a(a: A) = $a })"}});
  ASSERT_TRUE(first.ok()) << first.error().message;
  ASSERT_TRUE((*first)->find("m")->live().write("put.A", run::from_json({R"({"id":"1"})"})).ok());
  const auto second = ModelService::open(*database, {{.path = "a", .text = R"(model m {
    table tab { pk PK; sk SK } entity A { id id; key "B#<id>" / "B#<id>" } pattern a(a: A) = $a })"}});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Code::kInvalid);
}

}  // namespace
}  // namespace sheaf::service

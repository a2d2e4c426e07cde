#include "server/model_endpoint.h"

#include "run/running_model.h"
#include "server/front_door.h"
#include "server/gate_fixture.h"

namespace sheaf::server {
namespace {

class ModelEndpointTest : public GateTest {
 protected:
  ModelEndpointTest() {
    auto opened = service::ModelService::open(
        *database_, {{.path = "hr.sheaf", .text = run::model_file("hr/model.sheaf")}});
    EXPECT_TRUE(opened.ok()) << opened.error().message;
    service_ = std::move(*opened);
    const std::string data = run::model_file("hr/data.json");
    EXPECT_TRUE(migrate::load_data(*database_, service_->find("hr")->live(), data).ok());
  }

  Response ask(const OwnedRequest& request, const http::Credentials* credentials = nullptr,
               bool is_overloaded = false) {
    const Gate entrance = gate(credentials);
    ModelEndpoint endpoint({.service = *service_, .account = {}, .gate = entrance, .metrics = metrics_});
    return ask_of(endpoint, request, is_overloaded);
  }

  static OwnedRequest team() { return request("GET", "/models/hr/patterns/team?d=d-1"); }
  static OwnedRequest move() {
    return request("POST", "/models/hr/operations/move", R"({"with":["e-1","d-2"]})");
  }

  std::unique_ptr<Database> database_ = Database::open_in_memory();
  std::unique_ptr<service::ModelService> service_;
  ModelMetrics metrics_;
};

TEST_F(ModelEndpointTest, WithoutCredentialsAnybodyHereMayAsk) {
  const Response response = ask(team());
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_TRUE(has(response.body, R"({"id":"e-1","name":"Alice"})")) << response.body;
  EXPECT_EQ(response.headers.find("x-amzn-RequestId: "), 0u);
  EXPECT_EQ(ask(move()).status, 200);
}

TEST_F(ModelEndpointTest, WithoutCredentialsOtherHostsAndPagesAreRefused) {
  OwnedRequest elsewhere = team();
  elsewhere.headers = {{"Host", "rebound.example"}};
  EXPECT_EQ(ask(elsewhere).status, 403);
  OwnedRequest page = move();
  page.headers.emplace_back("Origin", "https://evil.example");
  const Response refused = ask(page);
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(has(refused.body, R"({"error":{"code":"forbidden")")) << refused.body;
  OwnedRequest friendly = team();
  friendly.headers.emplace_back("Origin", "https://allowed.example");
  EXPECT_TRUE(has(ask(friendly).headers, "Access-Control-Allow-Origin: https://allowed.example"));
  EXPECT_EQ(audited_.size(), 2u);
}

TEST_F(ModelEndpointTest, SignaturesAreAskedForAndRolesAreKept) {
  const http::Credentials credentials(everybody());
  const auto as = [&](const std::string& id, OwnedRequest made) {
    return ask(with_signature(std::move(made), id), &credentials).status;
  };
  EXPECT_EQ(as("BOSS", team()), 200);
  EXPECT_EQ(as("BOSS", move()), 200);
  EXPECT_EQ(as("READER", team()), 200);
  EXPECT_EQ(as("READER", request("GET", "/models")), 200);
  EXPECT_EQ(as("READER", request("GET", "/models/hr/openapi.json")), 200);
  EXPECT_EQ(as("READER", move()), 403);
  EXPECT_EQ(as("METER", team()), 403);
  EXPECT_EQ(as("METER", request("GET", "/models")), 403);
  EXPECT_EQ(as("NOBODY", team()), 403);
  EXPECT_EQ(ask(team(), &credentials).status, 403);
  EXPECT_EQ(ask(request("GET", "/models/nothing/here"), &credentials).status, 403);
}

TEST_F(ModelEndpointTest, WhoMayNotIsToldAndWrittenDown) {
  const http::Credentials credentials(everybody());
  const Response refused = ask(with_signature(move(), "READER"), &credentials);
  EXPECT_TRUE(has(refused.body,
                  "user/reader is not authorized to perform: dynamodb:TransactWriteItems on "
                  "resource: arn:aws:dynamodb:us-east-1:000000000000:table/"))
      << refused.body;
  ASSERT_EQ(audited_.size(), 1u);
  EXPECT_TRUE(has(audited_[0], R"("access_key_id":"READER","operation":"hr/operations/move")"))
      << audited_[0];
  std::string text;
  denials_.append_text(text);
  EXPECT_TRUE(has(text, "sheaf_denials_total 1")) << text;
}

TEST_F(ModelEndpointTest, AChangedBodyOrTargetIsNotWhatWasSigned) {
  const http::Credentials credentials(everybody());
  OwnedRequest body = with_signature(move(), "BOSS");
  body.body = R"({"with":["e-2","d-2"]})";
  EXPECT_EQ(ask(body, &credentials).status, 403);
  OwnedRequest target = with_signature(team(), "BOSS");
  target.target = "/models/hr/patterns/team?d=d-2";
  EXPECT_EQ(ask(target, &credentials).status, 403);
}

TEST_F(ModelEndpointTest, ABodyThatIsNotSaidToBeJsonIsRefused) {
  OwnedRequest form = move();
  form.headers.back().second = "application/x-www-form-urlencoded";
  EXPECT_EQ(ask(form).status, 415);
  form.headers.back().second = "application/json; charset=utf-8";
  EXPECT_EQ(ask(form).status, 200);
}

TEST_F(ModelEndpointTest, OtherMethodsAndPlacesAreRefused) {
  const Response response = ask(request("PUT", "/models/hr/patterns/team"));
  EXPECT_EQ(response.status, 405);
  EXPECT_TRUE(has(response.headers, "Allow: GET, HEAD, POST\r\n")) << response.headers;
  EXPECT_EQ(ask(request("GET", "/models/hr/tables")).status, 404);
  EXPECT_EQ(ask(request("HEAD", "/models/hr")).status, 200);
}

TEST_F(ModelEndpointTest, RequestsAreCounted) {
  ask(team());
  ask(team());
  ask(request("POST", "/models/hr/operations/move", R"({"with":["e-1","d-9"]})"));
  ask(request("GET", "/models/hr/patterns/made-up"));
  std::string text;
  metrics_.append_text(text);
  EXPECT_TRUE(has(text, R"(sheaf_model_request_seconds_count{model="hr",kind="pattern",name="team"} 2)"))
      << text;
  EXPECT_TRUE(has(text, R"(sheaf_model_units_total{model="hr",kind="pattern",name="team"} 1)")) << text;
  EXPECT_TRUE(
      has(text, R"(sheaf_model_errors_total{model="hr",kind="operation",name="move",code="not_found"} 1)"))
      << text;
  EXPECT_FALSE(has(text, "made-up"));
}

TEST_F(ModelEndpointTest, WithoutMemoryItIsToldToTryAgain) {
  const Response response = ask(team(), nullptr, true);
  EXPECT_EQ(response.status, 429);
  EXPECT_TRUE(has(response.headers, "Retry-After: 1\r\n"));
  EXPECT_TRUE(has(response.body, R"("code":"throttled")"));
}

TEST_F(ModelEndpointTest, WhereItemsAreElsewhereItIsSaidSo) {
  NoItemsHere handler(*http::OriginGuard::create({.development = true}), "http://db.example:8000");
  const auto send = [&](const OwnedRequest& made) {
    const http::Request view = made.view();
    return await<Response>([&](Loop& loop, auto done) {
      handler.handle(view, loop,
                     [done = std::move(done)](Response response) mutable { done(std::move(response)); });
    });
  };
  OwnedRequest list = request("POST", "/", "{}");
  list.headers.emplace_back("X-Amz-Target", "DynamoDB_20120810.ListTables");
  const Response response = send(list);
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(has(response.body, "in front of http://db.example:8000")) << response.body;
  EXPECT_EQ(send(request("GET", "/healthz")).status, 200);
  OwnedRequest elsewhere = list;
  elsewhere.headers[0].second = "rebound.example";
  EXPECT_EQ(send(elsewhere).status, 403);
}

}  // namespace
}  // namespace sheaf::server

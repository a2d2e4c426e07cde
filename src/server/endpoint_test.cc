#include "server/endpoint.h"

#include <gtest/gtest.h>

#include "http/content_coding.h"
#include "http/request_fixture.h"
#include "server/gate_fixture.h"
#include "store/memory_store.h"

namespace sheaf::server {
namespace {

using http::OwnedRequest;
using http::Response;

class EndpointTest : public testing::Test {
 protected:
  EndpointTest() {
    EXPECT_TRUE(database_.create_table({.table = "abc", .key = {.partition = {{"pk"}}}}).ok());
  }

  // In development mode unless `credentials` are given.
  Response ask(const OwnedRequest& request, const http::Credentials* credentials = nullptr) {
    Endpoint endpoint({.database = database_,
                       .account = {},
                       .guard = *http::OriginGuard::create({.development = credentials == nullptr,
                                                            .allowed_origins = {"https://allowed.example"}}),
                       .credentials = credentials,
                       .audit = &audit_,
                       .metrics = metrics_,
                       .clock = clock_});
    OwnedRequest padded = request;
    padded.body.reserve(request.body.size() + http::kPadding);
    return await<Response>([&](Loop& loop, auto done) {
      const http::Request view = padded.view();
      endpoint.handle(view, loop,
                      [done = std::move(done)](Response response) mutable { done(std::move(response)); });
    });
  }

  static OwnedRequest request(const std::string& operation, const std::string& body) {
    OwnedRequest made;
    made.headers = {{"Host", "localhost:8000"},
                    {"Content-Type", "application/x-amz-json-1.0"},
                    {"X-Amz-Target", "DynamoDB_20120810." + operation}};
    made.body = body;
    return made;
  }
  static OwnedRequest with_any_credentials(OwnedRequest made) {
    made.headers.emplace_back("X-Amz-Date", "20270115T080000Z");
    made.headers.emplace_back("Authorization",
                              "AWS4-HMAC-SHA256 Credential=AKID/20270115/us-east-1/dynamodb/aws4_request, "
                              "SignedHeaders=host;x-amz-date;x-amz-target, Signature=00");
    return made;
  }
  static OwnedRequest get(const std::string& key = "a") {
    return with_any_credentials(
        request("GetItem", R"({"TableName":"abc","Key":{"pk":{"S":")" + key + R"("}}})"));
  }
  static bool has(const Response& response, std::string_view text) {
    return response.body.find(text) != std::string::npos;
  }

  ManualClock clock_{kNowUs};
  api::LocalDatabase database_{store::open_memory_store(clock_), clock_,
                               OpenOptions{.background_thread = false}};
  std::vector<std::string> audited_;
  http::AuditLog audit_{clock_, [this](std::string_view line) { audited_.emplace_back(line); }};
  RequestMetrics metrics_;
};

TEST_F(EndpointTest, TellsAsWhomARequestWrites) {
  ASSERT_TRUE(database_.tag_table("abc", {{std::string(api::kWriterTag), "hr"}}).ok());
  const std::pair<std::string, std::string> requests[] = {
      {"PutItem", R"({"TableName":"abc","Item":{"pk":{"S":"a"}}})"},
      {"DeleteTable", R"({"TableName":"abc"})"}};
  for (const auto& [operation, body] : requests) {
    OwnedRequest made = with_any_credentials(request(operation, body));
    const Response refused = ask(made);
    EXPECT_EQ(refused.status, 400);
    EXPECT_TRUE(has(refused, "ResourceInUseException")) << refused.body;
    made.headers.emplace_back("x-sheaf-writer", "hr");
    EXPECT_EQ(ask(made).status, 200) << operation;
  }
}

TEST_F(EndpointTest, AnswersAnOperation) {
  const Response response = ask(get());
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/x-amz-json-1.0");
  EXPECT_EQ(response.body, "{}");
  EXPECT_NE(response.headers.find("x-amz-crc32: " + std::to_string(http::crc32("{}")) + "\r\n"),
            std::string::npos);
  EXPECT_EQ(response.headers.find("x-amzn-RequestId: "), 0u);
  EXPECT_NE(ask(get()).headers, response.headers) << "each request has its own id";
}

TEST_F(EndpointTest, AnswersInTheContentTypeOfTheQuestion) {
  OwnedRequest newer = get();
  newer.header("Content-Type") = "application/x-amz-json-1.1; charset=utf-8";
  EXPECT_EQ(ask(newer).content_type, "application/x-amz-json-1.1");
  OwnedRequest other = get();
  other.header("Content-Type") = "text/html";
  EXPECT_EQ(ask(other).status, 404);
}

TEST_F(EndpointTest, LargeAnswersAreCompressedForThoseWhoAsk) {
  ask(with_any_credentials(request("PutItem", R"({"TableName":"abc","Item":{"pk":{"S":"a"},"x":{"S":")" +
                                                  std::string(20'000, 'x') + R"("}}})")));
  const Response plain = ask(get());
  EXPECT_GT(plain.body.size(), 20'000u);
  EXPECT_EQ(plain.headers.find("content-encoding"), std::string::npos);
  OwnedRequest asking = get();
  asking.headers.emplace_back("Accept-Encoding", "gzip, deflate");
  const Response packed = ask(asking);
  EXPECT_LT(packed.body.size(), 1'000u);
  EXPECT_NE(packed.headers.find("content-encoding: gzip\r\n"), std::string::npos);
  EXPECT_NE(packed.headers.find("x-amz-crc32: " + std::to_string(http::crc32(packed.body)) + "\r\n"),
            std::string::npos);
  http::GzipDecoder decoder;
  http::Buffer unpacked(nullptr);
  size_t bytes = 0;
  ASSERT_EQ(decoder.decode(packed.body, {.bytes_max = 100'000, .padding_bytes = 0}, unpacked, bytes),
            http::Inflated::kDone);
  EXPECT_EQ(std::string_view(unpacked.data(), bytes), plain.body);
  OwnedRequest small = get("none");
  small.headers.emplace_back("Accept-Encoding", "gzip");
  EXPECT_EQ(ask(small).body, "{}");
}

TEST_F(EndpointTest, PresignedRequestsMayNameTheirOperationInTheQuery) {
  OwnedRequest request{
      .target =
          "/?x-amz-target=DynamoDB_20120810.ListTables&X-Amz-Algorithm=AWS4-HMAC-SHA256"
          "&X-Amz-Credential=AKID%2F20270115%2Fus-east-1%2Fdynamodb%2Faws4_request"
          "&X-Amz-Date=20270115T080000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host"
          "&X-Amz-Signature=00",
      .headers = {{"Host", "localhost:8000"}, {"Content-Type", "application/x-amz-json-1.0"}},
      .body = "{}"};
  EXPECT_EQ(ask(request).body, R"({"TableNames":["abc"]})");
}

TEST_F(EndpointTest, WhatIsNoOperationIsUnknown) {
  for (const char* target :
       {"", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.putItem",
        "DynamoDB_20111205.GetItem", "DynamoDBStreams_20120810.GetItem", "DynamoDB_20120810.CreateBackup"}) {
    OwnedRequest unknown = get();
    unknown.header("X-Amz-Target") = target;
    const Response response = ask(unknown);
    EXPECT_EQ(response.status, 400) << target;
    EXPECT_EQ(response.body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})") << target;
  }
  OwnedRequest put = get();
  put.method = "PUT";
  EXPECT_EQ(ask(put).status, 404);
  OwnedRequest elsewhere = get();
  elsewhere.target = "/elsewhere";
  EXPECT_EQ(ask(elsewhere).status, 404);
}

TEST_F(EndpointTest, TellsThatItIsWell) {
  OwnedRequest health;
  health.method = "GET";
  health.target = "/healthz";
  health.headers = {{"Host", "localhost"}};
  EXPECT_EQ(ask(health).status, 200);
  EXPECT_EQ(ask(health).body, "healthy: dynamodb.us-east-1.amazonaws.com \n");
}

TEST_F(EndpointTest, DevelopmentModeTakesAnyCredentialsButNotNone) {
  EXPECT_EQ(ask(get()).status, 200);
  const Response none = ask(request("GetItem", "{}"));
  EXPECT_EQ(none.status, 400);
  EXPECT_TRUE(has(none, "MissingAuthenticationTokenException")) << none.body;
}

TEST_F(EndpointTest, AnAnswerIsUtf8WhateverTheHeaderHoldsThatItRepeats) {
  OwnedRequest latin = get();
  latin.header("Authorization") = "AWS4-HMAC-SHA256 nonsense\xff\xe9";
  const Response response = ask(latin);
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(has(response, "nonsense\xc3\xbf\xc3\xa9")) << response.body;
  OwnedRequest utf8 = get();
  utf8.header("Authorization") = "AWS4-HMAC-SHA256 nonsense\xc3\xa9";
  EXPECT_TRUE(has(ask(utf8), "nonsense\xc3\xa9'")) << ask(utf8).body;
}

TEST_F(EndpointTest, DevelopmentModeIsNotForWebPagesAndOtherHosts) {
  OwnedRequest rebound = get();
  rebound.header("Host") = "evil.example";
  EXPECT_EQ(ask(rebound).status, 403);
  OwnedRequest page = get();
  page.headers.emplace_back("Origin", "https://evil.example");
  EXPECT_EQ(ask(page).status, 403);
  page.header("Origin") = "https://allowed.example";
  const Response allowed = ask(page);
  EXPECT_EQ(allowed.status, 200);
  EXPECT_NE(allowed.headers.find("Access-Control-Allow-Origin: https://allowed.example"), std::string::npos)
      << allowed.headers;
  ASSERT_EQ(audited_.size(), 2u);
  EXPECT_NE(audited_[0].find("\"event\":\"denial\""), std::string::npos) << audited_[0];
}

class SignedEndpoint : public EndpointTest {
 protected:
  static OwnedRequest sign(OwnedRequest made, std::string_view secret = http::kTestSecret) {
    const http::Credential credential(
        {.name = "tester", .access_key_id = http::kTestKeyId, .secret_access_key = secret});
    made.add_lines(http::sign_request(made.view(), credential, {.now_us = kNowUs}));
    return made;
  }

  const http::Credentials credentials_{http::test_credentials()};
};

TEST_F(SignedEndpoint, LetsInWhoSigned) {
  const OwnedRequest read = request("GetItem", R"({"TableName":"abc","Key":{"pk":{"S":"a"}}})");
  EXPECT_EQ(ask(sign(read), &credentials_).status, 200);
  const Response forged = ask(sign(read, "another secret of some length"), &credentials_);
  EXPECT_TRUE(has(forged, "InvalidSignatureException")) << forged.body;
  EXPECT_TRUE(has(ask(read, &credentials_), "MissingAuthenticationTokenException"));
  const Response unknown = ask(get(), &credentials_);
  EXPECT_TRUE(has(unknown, "UnrecognizedClientException")) << unknown.body;
  OwnedRequest changed = sign(read);
  changed.body[2] = 'X';
  EXPECT_TRUE(has(ask(changed, &credentials_), "InvalidSignatureException"));
  EXPECT_EQ(audited_.size(), 4u);
}

TEST_F(SignedEndpoint, ARoleBoundsWhatMayBeDone) {
  std::vector<http::Credential> set;
  set.emplace_back(http::Credential::Parts{.name = "reader",
                                           .access_key_id = http::kTestKeyId,
                                           .secret_access_key = http::kTestSecret,
                                           .role = http::Role::kReadonly});
  const http::Credentials reader{http::CredentialSet(std::move(set))};
  EXPECT_EQ(ask(sign(request("GetItem", R"({"TableName":"abc","Key":{"pk":{"S":"a"}}})")), &reader).status,
            200);
  const Response denied =
      ask(sign(request("PutItem", R"({"TableName":"abc","Item":{"pk":{"S":"a"}}})")), &reader);
  EXPECT_EQ(denied.status, 400);
  EXPECT_TRUE(has(denied, "AccessDeniedException")) << denied.body;
  const auto statement = [&](const std::string& operation, const std::string& body) {
    return ask(sign(request(operation, body)), &reader);
  };
  EXPECT_EQ(statement("ExecuteStatement", R"({"Statement":"SELECT * FROM abc"})").status, 200);
  for (const std::string text : {"INSERT INTO abc VALUE {'pk': 'x'}", "UPDATE abc SET n = 1 WHERE pk = 'a'",
                                 "DELETE FROM abc WHERE pk = 'a'"}) {
    const std::string member = R"({"Statement":")" + text + R"("})";
    for (const auto& [operation, body] :
         {std::pair<std::string, std::string>{"ExecuteStatement", member},
          {"BatchExecuteStatement", R"({"Statements":[)" + member + "]}"},
          {"ExecuteTransaction", R"({"TransactStatements":[)" + member + "]}"}}) {
      const Response refused = statement(operation, body);
      EXPECT_TRUE(has(refused, "AccessDeniedException")) << operation << " " << refused.body;
      EXPECT_TRUE(has(refused, "dynamodb:PartiQL")) << refused.body;
    }
  }
  EXPECT_NE(audited_.back().find("PartiQLDelete"), std::string::npos) << audited_.back();
  EXPECT_EQ(ask(sign(request("GetItem", R"({"TableName":"abc","Key":{"pk":{"S":"a"}}})")), &reader).body,
            "{}");
}

TEST_F(EndpointTest, ControlOperationsAreAudited) {
  EXPECT_EQ(ask(with_any_credentials(request("DeleteTable", R"({"TableName":"abc"})"))).status, 200);
  EXPECT_EQ(ask(with_any_credentials(request("DeleteTable", R"({"TableName":"nothing"})"))).status, 400);
  ASSERT_EQ(audited_.size(), 2u);
  EXPECT_NE(
      audited_[0].find(R"("access_key_id":"AKID","operation":"DeleteTable","table":"abc","outcome":"ok")"),
      std::string::npos)
      << audited_[0];
  EXPECT_NE(audited_[1].find(R"("outcome":"ResourceNotFoundException")"), std::string::npos) << audited_[1];
}

TEST_F(EndpointTest, CountsByOperationTableAndIndexAndNeverByKey) {
  ask(get("a-key-that-is-secret"));
  ask(with_any_credentials(
      request("PutItem", R"({"TableName":"abc","Item":{"pk":{"S":"a-key-that-is-secret"}}})")));
  ask(with_any_credentials(request("PutItem", R"({"TableName":"abc","Item":{"pk":{"N":"1"}}})")));
  std::string text;
  metrics_.append_text(text);
  EXPECT_NE(text.find(R"(sheaf_request_seconds_count{operation="GetItem",table="abc"} 1)"), std::string::npos)
      << text;
  EXPECT_NE(text.find(R"(sheaf_read_units_total{table="abc"} 0.5)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(sheaf_write_units_total{table="abc"} 1)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(sheaf_errors_total{operation="PutItem",exception="ValidationException"} 1)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST_F(EndpointTest, AnOverloadedServerThrottlesButTellsThatItIsWell) {
  Endpoint endpoint({.database = database_,
                     .account = {},
                     .guard = *http::OriginGuard::create({.development = true}),
                     .metrics = metrics_,
                     .clock = clock_});
  const auto answer = [&](const OwnedRequest& request) {
    return await<Response>([&](Loop& loop, auto done) {
      const http::Request view = request.view();
      endpoint.handle_overloaded(
          view, loop, [done = std::move(done)](Response response) mutable { done(std::move(response)); });
    });
  };
  EXPECT_EQ(answer(get()).status, 400);
  EXPECT_TRUE(has(answer(get()), "ThrottlingException"));
  OwnedRequest health = get();
  health.method = "GET";
  EXPECT_EQ(answer(health).status, 200);
}

}  // namespace
}  // namespace sheaf::server

#include "server/workbench_endpoint.h"

#include "server/gate_fixture.h"
#include "workbench/page_files.h"

namespace sheaf::server {
namespace {

class WorkbenchEndpointTest : public GateTest {
 protected:
  Response ask(const OwnedRequest& request, const http::Credentials* credentials = nullptr) {
    const Gate entrance = gate(credentials);
    workbench::Workbench bench({.database = *database_,
                                .models = models_,
                                .version = "1",
                                .has_credentials = credentials != nullptr,
                                .commands = {.program = "/bin/true"}});
    WorkbenchEndpoint endpoint(
        {.workbench = bench,
         .credentials = credentials,
         .guard = *http::OriginGuard::create({.development = credentials == nullptr, .allowed_origins = {}}),
         .gate = entrance,
         .audit = &audit_});
    if (is_stopped_) endpoint.stop();
    return ask_of(endpoint, request);
  }
  static OwnedRequest with(OwnedRequest made, const std::string& name, const std::string& value) {
    made.headers.emplace_back(name, value);
    return made;
  }

  const std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
  service::ModelService models_{*database_, {}};
  bool is_stopped_ = false;
};

TEST_F(WorkbenchEndpointTest, BrowsersAreShownThePage) {
  const auto is_for = [](const OwnedRequest& made) { return is_for_workbench(made.view()); };
  EXPECT_TRUE(is_for(request("GET", "/workbench")));
  EXPECT_TRUE(is_for(request("GET", "/workbench/assets/x.js")));
  EXPECT_TRUE(is_for(with(request("GET", "/"), "Accept", "text/html,application/xhtml+xml")));
  EXPECT_FALSE(is_for(request("GET", "/"))) << "that is whether the server is well";
  EXPECT_FALSE(is_for(with(request("POST", "/"), "Accept", "text/html")));
  EXPECT_FALSE(is_for(request("GET", "/workbenches")));
  for (const char* from : {"/", "/workbench"}) {
    const Response response = ask(with(request("GET", from), "Accept", "text/html"));
    EXPECT_EQ(response.status, 302);
    EXPECT_TRUE(has(response.headers, "Location: /workbench/\r\n"));
  }
}

TEST_F(WorkbenchEndpointTest, ThePageIsForEverybodyAndAsksNobodyElse) {
  const http::Credentials credentials(everybody());
  const Response plain = ask(request("GET", "/workbench/"), &credentials);
  EXPECT_EQ(plain.status, 200);
  EXPECT_TRUE(plain.body.starts_with("<!doctype html>")) << plain.body;
  EXPECT_TRUE(has(plain.headers, "default-src 'self'"));
  EXPECT_TRUE(has(plain.headers, "Cache-Control: no-cache"));
  const Response packed = ask(with(request("GET", "/workbench/index.html"), "Accept-Encoding", "gzip, br"));
  EXPECT_TRUE(has(packed.headers, "Content-Encoding: gzip"));
  EXPECT_EQ(packed.body, workbench::find_page_file("index.html")->gzipped);
  EXPECT_EQ(ask(request("GET", "/workbench/none.js")).status, 404);
  EXPECT_EQ(ask(request("POST", "/workbench/")).status, 405);
  for (const workbench::PageFile& file : workbench::page_files()) {
    const Response response = ask(request("GET", "/workbench/" + std::string(file.path)));
    EXPECT_EQ(response.status, 200) << file.path;
    EXPECT_EQ(response.content_type, file.type);
    EXPECT_GT(response.body.size(), 0u);
  }
}

TEST_F(WorkbenchEndpointTest, RolesMayDoWhatTheyMay) {
  const http::Credentials credentials(everybody());
  const auto status = [&](const OwnedRequest& made, const std::string& who) {
    return ask(who.empty() ? made : with_signature(made, who), &credentials).status;
  };
  const OwnedRequest about = request("GET", "/workbench/api/about");
  const OwnedRequest language = request("POST", "/workbench/api/language", R"({"text":"","ask":"check"})");
  const OwnedRequest command =
      request("POST", "/workbench/api/commands", R"({"arguments":["model","check","m"],"wait_ms":20000})");
  const OwnedRequest model =
      request("POST", "/workbench/api/models", R"({"text":"model m { entity A { id id } }"})");
  for (const OwnedRequest& each : {about, language, command, model}) {
    EXPECT_EQ(status(each, ""), 403);
    EXPECT_EQ(status(each, "NOBODY"), 403);
    EXPECT_EQ(status(each, "METER"), 403);
    EXPECT_EQ(status(each, "BOSS"), 200);
  }
  EXPECT_EQ(status(about, "READER"), 200);
  EXPECT_EQ(status(language, "READER"), 200);
  EXPECT_EQ(status(command, "READER"), 200);
  EXPECT_EQ(status(model, "READER"), 403);
  EXPECT_TRUE(has(ask(with_signature(about, "READER"), &credentials).body, R"("role": "readonly")"));
}

// Somebody else's id beside one's own signature opens nothing.
TEST_F(WorkbenchEndpointTest, EverybodyIsWhoTheSignatureSays) {
  const http::Credentials credentials(everybody());
  const OwnedRequest about = request("GET", "/workbench/api/about");
  const auto role = [&](const OwnedRequest& made) {
    const Response response = ask(made, &credentials);
    EXPECT_EQ(response.status, 200) << response.body;
    return has(response.body, R"("role": "readonly")") ? "readonly" : "admin";
  };
  EXPECT_STREQ(role(presigned(about, "BOSS")), "admin");
  EXPECT_STREQ(role(presigned(about, "READER")), "readonly");
  for (const char* const decoy : {"aX-Amz-Credential=BOSS&", "a=X-Amz-Credential=BOSS&"})
    EXPECT_STREQ(role(presigned(about, "READER", decoy)), "readonly") << decoy;
}

TEST_F(WorkbenchEndpointTest, ModelsThatComeAndGoAreWrittenDown) {
  const http::Credentials credentials(everybody());
  const OwnedRequest model =
      request("POST", "/workbench/api/models", R"({"text":"model m { entity A { id id } }"})");
  EXPECT_EQ(ask(with_signature(model, "BOSS"), &credentials).status, 200);
  EXPECT_EQ(ask(with_signature(request("DELETE", "/workbench/api/models/none"), "BOSS"), &credentials).status,
            404);
  ASSERT_EQ(audited_.size(), 1u);
  EXPECT_TRUE(
      has(audited_[0], R"("access_key_id":"BOSS","operation":"ApplyModel","table":"m","outcome":"ok")"))
      << audited_[0];
}

TEST_F(WorkbenchEndpointTest, WhatComesWhileItStopsIsAnswered) {
  is_stopped_ = true;
  EXPECT_EQ(ask(request("GET", "/workbench/api/about")).status, 503);
}

TEST_F(WorkbenchEndpointTest, BodiesAreSaidToBeJson) {
  OwnedRequest form = request("POST", "/workbench/api/language", R"({"text":"","ask":"check"})");
  EXPECT_EQ(ask(form).status, 200);
  form.headers.back().second = "text/plain";
  EXPECT_EQ(ask(form).status, 415);
}

TEST_F(WorkbenchEndpointTest, PagesOfOtherSitesAreKeptOut) {
  for (const char* target : {"/workbench/", "/workbench/api/about"}) {
    OwnedRequest made = request("GET", target);
    made.headers = {{"Host", "evil.example"}};
    EXPECT_EQ(ask(made).status, 403) << target;
  }
  EXPECT_EQ(
      ask(with(request("POST", "/workbench/api/commands", "{}"), "Origin", "https://evil.example")).status,
      403);
}

}  // namespace
}  // namespace sheaf::server

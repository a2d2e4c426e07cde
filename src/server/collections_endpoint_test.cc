#include "server/collections_endpoint.h"

#include "server/gate_fixture.h"

namespace sheaf::server {
namespace {

// {"PK":{"S":"one"}}
constexpr const char* kOne = "%7B%22PK%22%3A%7B%22S%22%3A%22one%22%7D%7D";
constexpr const char* kNobody = "%7B%22PK%22%3A%7B%22S%22%3A%22nobody%22%7D%7D";

class CollectionsEndpointTest : public GateTest {
 protected:
  CollectionsEndpointTest() {
    EXPECT_TRUE(
        database_->create_table({.table = "posts", .key = {.partition = {{"PK"}}, .sort = {{"SK"}}}}).ok());
    EXPECT_TRUE(database_->create_table({.table = "flat", .key = {.partition = {{"PK"}}}}).ok());
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(
          database_->put_item({.table = "posts", .item = {{"PK", "one"}, {"SK", std::to_string(i)}}}).ok());
    }
  }

  Response ask(const OwnedRequest& request, const http::Credentials* credentials = nullptr) {
    const Gate entrance = gate(credentials);
    CollectionsEndpoint endpoint(*database_, entrance);
    return ask_of(endpoint, request);
  }
  Response get(const std::string& query) { return ask(request("GET", "/collections" + query)); }

  // Heat need not be counted for it.
  std::unique_ptr<Database> database_ = Database::open_in_memory({.background_thread = false});
};

TEST_F(CollectionsEndpointTest, IsAtItsPathAlone) {
  EXPECT_TRUE(is_collections("/collections"));
  EXPECT_TRUE(is_collections("/collections?table=a"));
  EXPECT_FALSE(is_collections("/collections/a"));
  EXPECT_FALSE(is_collections("/collection"));
}

TEST_F(CollectionsEndpointTest, SizesAreToldInTheOrderOfTheKeys) {
  const Response response = get(std::string("?table=posts&key=") + kNobody + "&key=" + kOne);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(response.body,
            R"({"table":"posts","collections":[{"key":{"PK":{"S":"nobody"}},"items":0,"bytes":0},)"
            R"({"key":{"PK":{"S":"one"}},"items":3,"bytes":24}]})");
}

TEST_F(CollectionsEndpointTest, SoManyKeysAndNoMoreCanBeAskedFor) {
  std::string query = "?table=posts";
  for (size_t i = 0; i < kCollectionsAskedMax; ++i) query += std::string("&key=") + kOne;
  EXPECT_EQ(get(query).status, 200);
  const Response response = get(query + "&key=" + kOne);
  EXPECT_EQ(response.status, 400);
  EXPECT_TRUE(has(response.body, "1 to 64 partition keys can be asked for")) << response.body;
}

TEST_F(CollectionsEndpointTest, WhatIsWrongIsTold) {
  const auto refused = [&](const std::string& query, int status, std::string_view said) {
    const Response response = get(query);
    EXPECT_EQ(response.status, status) << query;
    EXPECT_TRUE(has(response.body, said)) << query << ": " << response.body;
  };
  const std::string key = std::string("&key=") + kOne;
  refused("", 400, "say of which table");
  refused("?table=posts", 400, "1 to 64 partition keys");
  refused("?" + key.substr(1), 400, "say of which table");
  refused("?table=none" + key, 404, "not_found");
  refused("?table=flat" + key, 400, "sort key");
  refused("?table=posts&index=x" + key, 400, "there is no parameter index");
  refused("?table=posts&key=one", 400, "key must be a partition key");
  refused("?table=posts&key=7", 400, "key must be a partition key");
  refused("?table=posts&key=%5B%5D", 400, "key must be a partition key");
  refused("?table=posts&key=%7B%22PK%22%3A7%7D", 400, "");                            // {"PK":7}
  refused("?table=posts&key=%7B%22PK%22%3A%7B%22N%22%3A%221%22%7D%7D", 400, "");      // of another type
  refused("?table=posts&key=%7B%22SK%22%3A%7B%22S%22%3A%221%22%7D%7D", 400, "");      // of another name
  refused("?table=posts&key=%7B%7D", 400, "");                                        // of none
  refused("?table=posts&key=%7B%22PK%22%3A%7B%22S%22%3A%22%22%7D%7D", 400, "empty");  // without a value
  refused("?table=posts&key=%zz", 400, "not properly escaped");
  const Response posted = ask(request("POST", "/collections"));
  EXPECT_EQ(posted.status, 405);
  EXPECT_TRUE(has(posted.headers, "Allow: GET, HEAD\r\n"));
}

TEST_F(CollectionsEndpointTest, WhoMayNotReadItemsMayNotAsk) {
  const http::Credentials credentials{everybody()};
  const OwnedRequest asked = request("GET", std::string("/collections?table=posts&key=") + kOne);
  EXPECT_EQ(ask(with_signature(asked, "READER"), &credentials).status, 200);
  EXPECT_TRUE(audited_.empty());
  EXPECT_EQ(ask(with_signature(asked, "METER"), &credentials).status, 403);
  const Response anonymous = ask(asked, &credentials);
  EXPECT_EQ(anonymous.status, 403);
  EXPECT_FALSE(has(anonymous.body, "items")) << anonymous.body;
  ASSERT_EQ(audited_.size(), 2u);
  EXPECT_TRUE(has(audited_[1], "collections")) << audited_[1];
}

TEST_F(CollectionsEndpointTest, OtherOriginsAreTurnedAway) {
  OwnedRequest foreign = request("GET", std::string("/collections?table=posts&key=") + kOne);
  foreign.headers.emplace_back("Origin", "https://evil.example");
  EXPECT_EQ(ask(foreign).status, 403);
}

}  // namespace
}  // namespace sheaf::server

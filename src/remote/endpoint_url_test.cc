#include "remote/endpoint_url.h"

#include <gtest/gtest.h>

namespace sheaf::remote {
namespace {

EndpointUrl must_parse(std::string_view text) {
  Result<EndpointUrl> url = parse_endpoint_url(text);
  EXPECT_TRUE(url.ok()) << text;
  return url.ok() ? *url : EndpointUrl();
}

TEST(EndpointUrl, HasAHostAndAPort) {
  EXPECT_EQ(must_parse("http://localhost:8000"), (EndpointUrl{.host = "localhost", .port = 8000}));
  EXPECT_EQ(must_parse("http://127.0.0.1:1/"), (EndpointUrl{.host = "127.0.0.1", .port = 1}));
  EXPECT_EQ(must_parse("https://db.example:65535"),
            (EndpointUrl{.encrypted = true, .host = "db.example", .port = 65535}));
  EXPECT_EQ(must_parse("http://host/some/path"),
            (EndpointUrl{.host = "host", .port = 80, .path = "/some/path"}));
}

TEST(EndpointUrl, TheUsualPortsAreNotTold) {
  EXPECT_EQ(must_parse("http://a.example").port, 80);
  EXPECT_EQ(must_parse("https://a.example").port, 443);
  EXPECT_EQ(must_parse("https://a.example").host_header(), "a.example");
  EXPECT_EQ(must_parse("http://a.example:80").host_header(), "a.example");
  EXPECT_EQ(must_parse("https://a.example:80").host_header(), "a.example:80");
  EXPECT_EQ(must_parse("http://a.example:8000").host_header(), "a.example:8000");
}

TEST(EndpointUrl, AnAddressOfIpv6StandsInBrackets) {
  const EndpointUrl url = must_parse("http://[::1]:8000");
  EXPECT_EQ(url.host, "::1");
  EXPECT_EQ(url.port, 8000);
  EXPECT_EQ(url.host_header(), "[::1]:8000");
}

TEST(EndpointUrl, SaysWhatIsWrong) {
  for (const char* text :
       {"", "localhost:8000", "ftp://host", "http://", "http://:80", "http://host:", "http://host:0",
        "http://host:65536", "http://host:8x", "http://user@host", "http://host name", "http://[::1",
        "http://[::1]8000", "http://host/path?query", "http://host/#fragment", "http://host?query"}) {
    const Result<EndpointUrl> url = parse_endpoint_url(text);
    ASSERT_FALSE(url.ok()) << text;
    EXPECT_EQ(url.error().code, Code::kInvalid) << text;
    EXPECT_TRUE(url.error().message.starts_with("the endpoint " + std::string(text) + " ")) << text;
  }
}

TEST(EndpointUrl, AHostIsNotLongerThanNamesAre) {
  EXPECT_TRUE(parse_endpoint_url("http://" + std::string(253, 'a')).ok());
  EXPECT_FALSE(parse_endpoint_url("http://" + std::string(254, 'a')).ok());
}

TEST(EndpointUrl, EveryRegionHasOne) {
  EXPECT_EQ(aws_endpoint("eu-central-1"), "https://dynamodb.eu-central-1.amazonaws.com");
  EXPECT_EQ(aws_endpoint("cn-north-1"), "https://dynamodb.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(must_parse(aws_endpoint("us-west-2")).host_header(), "dynamodb.us-west-2.amazonaws.com");
}

}  // namespace
}  // namespace sheaf::remote

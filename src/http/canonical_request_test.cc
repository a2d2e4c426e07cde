#include "http/canonical_request.h"

#include <gtest/gtest.h>

#include "http/request_fixture.h"

namespace sheaf::http {
namespace {

std::string path(std::string_view text) {
  std::string out;
  append_canonical_path(out, text);
  return out;
}

std::string query(std::string_view text) {
  std::string out;
  append_canonical_query(out, text);
  return out;
}

TEST(CanonicalRequest, DotSegmentsAndEmptySegmentsArePathsNotTaken) {
  EXPECT_EQ(path(""), "/");
  EXPECT_EQ(path("/"), "/");
  EXPECT_EQ(path("//"), "/");
  EXPECT_EQ(path("/./"), "/");
  EXPECT_EQ(path("/a/.."), "/");
  EXPECT_EQ(path("/a/b/../.."), "/");
  EXPECT_EQ(path("/../../a"), "/a");
  EXPECT_EQ(path("/a/./b/"), "/a/b/");
  EXPECT_EQ(path("//a//"), "/a/");
  EXPECT_EQ(path("/a/b/.."), "/a");
}

TEST(CanonicalRequest, APathIsEncodedAsItWasSent) {
  EXPECT_EQ(path("/-._~azAZ09"), "/-._~azAZ09");
  EXPECT_EQ(path("/a b"), "/a%20b");
  EXPECT_EQ(path("/a%20b"), "/a%2520b");
  EXPECT_EQ(path("/a+b=c"), "/a%2Bb%3Dc");
  EXPECT_EQ(path("/\xe1\x88\xb4"), "/%E1%88%B4");
}

TEST(CanonicalRequest, ParametersAreSortedByNameThenValue) {
  EXPECT_EQ(query("b=2&a=1"), "a=1&b=2");
  EXPECT_EQ(query("a=2&a=1"), "a=1&a=2");
  EXPECT_EQ(query("a=b&A=b"), "A=b&a=b");
  // By the name before anything behind it: "a-" is longer than "a", though '-' sorts before '='.
  EXPECT_EQ(query("a-=1&a=2"), "a=2&a-=1");
}

TEST(CanonicalRequest, ParametersAreEncodedByOneRule) {
  EXPECT_EQ(query("a=%2f%2F/"), "a=%2F%2F%2F");
  EXPECT_EQ(query("a=b+c%20d"), "a=b%20c%20d");
  EXPECT_EQ(query("%61=%7e"), "a=~");
  EXPECT_EQ(query("\xe1\x88\xb4=bar"), "%E1%88%B4=bar");
  EXPECT_EQ(query("a=b=c"), "a=b%3Dc");
}

TEST(CanonicalRequest, ParametersWithoutValueHaveAnEmptyOne) {
  EXPECT_EQ(query("a"), "a=");
  EXPECT_EQ(query("a=&b"), "a=&b=");
  EXPECT_EQ(query("&&a&"), "a=");
  EXPECT_EQ(query("=x"), "=x");
}

TEST(CanonicalRequest, BrokenEscapesAreTakenLiterally) {
  EXPECT_EQ(query("a=%"), "a=%25");
  EXPECT_EQ(query("a=%4"), "a=%254");
  EXPECT_EQ(query("a=%zz"), "a=%25zz");
  EXPECT_EQ(query("a=%41"), "a=A");
}

TEST(CanonicalRequest, NamesOfSignedHeadersAreLowSortedAndUnique) {
  const SignedHeaders headers("X-Amz-Date;host;;HOST;a-b;a");
  EXPECT_EQ(headers.names(), (std::vector<std::string_view>{"a", "a-b", "host", "x-amz-date"}));
  EXPECT_TRUE(headers.contains("host"));
  EXPECT_FALSE(headers.contains("hos"));
  EXPECT_TRUE(SignedHeaders("").names().empty());
  EXPECT_TRUE(SignedHeaders(";;").names().empty());
}

TEST(CanonicalRequest, ValuesOfOneNameAreJoinedInTheirOrderWithBlanksFolded) {
  const OwnedRequest request{.method = "GET",
                             .headers = {{"Host", "example.com"},
                                         {"My-Header", "b  \t c"},
                                         {"my-header", "\ta "},
                                         {"MY-HEADER", ""},
                                         {"Other", "not signed"}}};
  EXPECT_EQ(canonical_request(request.view(), SignedHeaders("my-header;host"), "HASH"),
            "GET\n/\n\nhost:example.com\nmy-header:b c,a,\n\nhost;my-header\nHASH");
}

TEST(CanonicalRequest, PathAndQueryHaveTheirOwnLines) {
  const OwnedRequest request{.target = "/x/../y?b=1&a=?", .headers = {{"Host", "h"}}};
  EXPECT_EQ(canonical_request(request.view(), SignedHeaders("host"), "HASH"),
            "POST\n/y\na=%3F&b=1\nhost:h\n\nhost\nHASH");
}

}  // namespace
}  // namespace sheaf::http

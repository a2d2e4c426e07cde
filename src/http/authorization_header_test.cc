#include "http/authorization_header.h"

#include <gtest/gtest.h>

#include "http/request_fixture.h"

namespace sheaf::http {
namespace {

OwnedRequest request_with(std::string_view authorization) {
  OwnedRequest request;
  request.headers = {{"Host", "localhost"}, {"X-Amz-Date", "20150830T123600Z"}};
  request.headers.emplace_back("Authorization", authorization);
  return request;
}

Denial denial_of(const OwnedRequest& request) {
  const Request view = request.view();
  auto parsed = parse_authorization(view);
  const Denial* denial = std::get_if<Denial>(&parsed);
  return denial == nullptr ? Denial{.status = 200} : *denial;
}

// The views are into the request, which must outlive them.
Authorization parsed(const Request& view) {
  auto parts = parse_authorization(view);
  Authorization* const authorization = std::get_if<Authorization>(&parts);
  if (authorization == nullptr) ADD_FAILURE() << std::get_if<Denial>(&parts)->message;
  return authorization == nullptr ? Authorization() : std::move(*authorization);
}

TEST(AuthorizationHeader, IsReadInTheFormThatSdksSend) {
  const OwnedRequest request = request_with(
      "AWS4-HMAC-SHA256 Credential=AKID/20150830/us-east-1/dynamodb/aws4_request, "
      "SignedHeaders=host;x-amz-date, "
      "Signature=abc");
  const Request view = request.view();
  const Authorization parts = parsed(view);
  EXPECT_EQ(parts.algorithm, "AWS4-HMAC-SHA256");
  EXPECT_EQ(parts.credential, "AKID/20150830/us-east-1/dynamodb/aws4_request");
  EXPECT_EQ(parts.signed_headers, "host;x-amz-date");
  EXPECT_EQ(parts.signature, "abc");
  EXPECT_EQ(parts.date, "20150830T123600Z");
  EXPECT_EQ(claimed_access_key_id(view), "AKID");
}

TEST(AuthorizationHeader, OrderAndSpacingDoNotMatter) {
  for (const char* text :
       {"AWS4-HMAC-SHA256 Signature=s,SignedHeaders=h,Credential=c",
        "AWS4-HMAC-SHA256 Credential=c SignedHeaders=h Signature=s",
        "AWS4-HMAC-SHA256   Credential=c ,  SignedHeaders=h ,Signature=s",
        "AWS4-HMAC-SHA256\tCredential=c,,SignedHeaders=h, , Signature=s,",
        "  AWS4-HMAC-SHA256 Credential=c, SignedHeaders=h, Signature=s  ",
        "AWS4-HMAC-SHA256 Credential=first, Credential=c, SignedHeaders=h, Signature=s, Extra=1"}) {
    const OwnedRequest request = request_with(text);
    const Request view = request.view();
    const Authorization parts = parsed(view);
    EXPECT_EQ(parts.credential, "c") << text;
    EXPECT_EQ(parts.signed_headers, "h") << text;
    EXPECT_EQ(parts.signature, "s") << text;
  }
}

TEST(AuthorizationHeader, WithoutItTheTokenIsMissing) {
  OwnedRequest none = request_with("");
  none.remove("Authorization");
  for (const OwnedRequest& request :
       {none, request_with(""), request_with("Bearer token"), request_with("Basic YTpi"),
        request_with("AWS AKID:signature"), request_with("aws4-hmac-sha256 Credential=c")}) {
    const Denial denial = denial_of(request);
    EXPECT_EQ(denial.status, 400);
    EXPECT_EQ(denial.type, "MissingAuthenticationTokenException");
    EXPECT_EQ(denial.message, "Request is missing Authentication Token");
    EXPECT_EQ(claimed_access_key_id(request.view()), "");
  }
}

TEST(AuthorizationHeader, WithoutItTheQueryIsLookedAt) {
  OwnedRequest request = request_with("");
  request.remove("Authorization");
  request.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=c&X-Amz-Signature=s";
  EXPECT_EQ(denial_of(request).type, "IncompleteSignatureException");
}

TEST(AuthorizationHeader, SignedInHeaderAndQueryIsRefused) {
  OwnedRequest request = request_with("AWS4-HMAC-SHA256 Credential=c, SignedHeaders=h, Signature=s");
  request.target = "/?a=b&X-Amz-Algorithm=AWS4-HMAC-SHA256";
  const Denial denial = denial_of(request);
  EXPECT_EQ(denial.type, "InvalidSignatureException");
  EXPECT_EQ(denial.message,
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.");
  request.target = "/?a=X-Amz-Algorithm";
  EXPECT_EQ(denial_of(request).status, 200);
}

TEST(AuthorizationHeader, SaysAllThatIsMissing) {
  OwnedRequest request = request_with("AWS4-");
  request.remove("X-Amz-Date");
  const Denial denial = denial_of(request);
  EXPECT_EQ(denial.status, 400);
  EXPECT_EQ(denial.type, "IncompleteSignatureException");
  EXPECT_EQ(denial.message,
            "Authorization header requires 'Credential' parameter. "
            "Authorization header requires 'Signature' parameter. "
            "Authorization header requires 'SignedHeaders' parameter. "
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
            "Authorization=AWS4-");
}

TEST(AuthorizationHeader, EmptyParametersAreMissingButForTheListOfHeaders) {
  EXPECT_EQ(denial_of(request_with("AWS4-HMAC-SHA256 Credential=, SignedHeaders=, Signature=")).message,
            "Authorization header requires 'Credential' parameter. "
            "Authorization header requires 'Signature' parameter. "
            "Authorization=AWS4-HMAC-SHA256 Credential=, SignedHeaders=, Signature=");
  EXPECT_EQ(denial_of(request_with("AWS4-HMAC-SHA256 Credential=c, SignedHeaders=, Signature=s")).status,
            200);
}

TEST(AuthorizationHeader, APieceWithoutEqualSignIsNamed) {
  const Denial denial =
      denial_of(request_with("AWS4-HMAC-SHA256 Signature=b,    Credential,    SignedHeaders"));
  EXPECT_EQ(denial.type, "IncompleteSignatureException");
  EXPECT_EQ(denial.message,
            "'Credential' not a valid key=value pair (missing equal-sign) in Authorization header: "
            "'AWS4-HMAC-SHA256 "
            "Signature=b,    Credential,    SignedHeaders'.");
}

TEST(AuthorizationHeader, AmzDateGoesBeforeDate) {
  OwnedRequest request = request_with("AWS4-HMAC-SHA256 Credential=c, SignedHeaders=h, Signature=s");
  request.headers.insert(request.headers.begin(), {"Date", "20140101T000000Z"});
  EXPECT_EQ(parsed(request.view()).date, "20150830T123600Z");
  request.remove("X-Amz-Date");
  EXPECT_EQ(parsed(request.view()).date, "20140101T000000Z");
}

TEST(AuthorizationHeader, TheFirstOfSeveralCounts) {
  OwnedRequest request = request_with("AWS4-HMAC-SHA256 Credential=c, SignedHeaders=h, Signature=s");
  request.headers.emplace_back("authorization",
                               "AWS4-HMAC-SHA256 Credential=d, SignedHeaders=h, Signature=s");
  EXPECT_EQ(parsed(request.view()).credential, "c");
}

TEST(CredentialScope, HasFiveElements) {
  const auto scope = parse_scope("AKID/20150830/us-east-1/dynamodb/aws4_request");
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->access_key_id, "AKID");
  EXPECT_EQ(scope->date, "20150830");
  EXPECT_EQ(scope->region, "us-east-1");
  EXPECT_EQ(scope->service, "dynamodb");
  EXPECT_EQ(scope->terminator, "aws4_request");
  EXPECT_EQ(scope->text, "20150830/us-east-1/dynamodb/aws4_request");
}

TEST(CredentialScope, SlashesAtTheEndAreIgnored) {
  const auto scope = parse_scope("a/b/c/d/e//");
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->terminator, "e");
  EXPECT_EQ(scope->text, "b/c/d/e");
}

TEST(CredentialScope, FewerOrMoreElementsAreNone) {
  for (const char* text : {"", "/", "a", "a/b/c/d", "a/b/c/d/e/f", "a/b/c/d//f"})
    EXPECT_FALSE(parse_scope(text)) << text;
  EXPECT_TRUE(parse_scope("////e"));
}

}  // namespace
}  // namespace sheaf::http

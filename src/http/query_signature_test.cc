// Presigned requests. The signatures were made by the AWS SDK for JavaScript.
#include "http/query_signature.h"

#include <gtest/gtest.h>

#include "http/request_fixture.h"
#include "http/sigv4.h"

namespace sheaf::http {
namespace {

constexpr std::string_view kDate = "20130609T100015Z";
const std::string kQuery =
    "X-Amz-Algorithm=AWS4-HMAC-SHA256"
    "&X-Amz-Credential=AKIDEXAMPLE%2F20130609%2Fus-east-1%2Fdynamodb%2Faws4_request"
    "&X-Amz-Date=20130609T100015Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target"
    "&X-Amz-Signature=75f4e4fa2cd7ee0733a76bd921d5b2848ba7c2835988136c8537bd69ba569a7c";
// With X-Amz-Target in the query too.
const std::string kWholeQuery =
    "x-amz-target=DynamoDB_20120810.ListTables&X-Amz-Algorithm=AWS4-HMAC-SHA256"
    "&X-Amz-Credential=AKIDEXAMPLE%2F20130609%2Fus-east-1%2Fdynamodb%2Faws4_request"
    "&X-Amz-Date=20130609T100015Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=content-type%3Bhost"
    "&X-Amz-Signature=9bbf26227156ec02beef42266cad135affe988de4c2178ec81c20fa6b49c5422";
const std::string kTokenQuery =
    "X-Amz-Security-Token=to%2Fken%2B%3D&X-Amz-Algorithm=AWS4-HMAC-SHA256"
    "&X-Amz-Credential=AKIDEXAMPLE%2F20130609%2Fus-east-1%2Fdynamodb%2Faws4_request"
    "&X-Amz-Date=20130609T100015Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=content-type%3Bhost%3Bx-amz-target"
    "&X-Amz-Signature=67421f0508a304027b67781ce992e8c61cec1294861ce8c2fff802cc79aa147c";

OwnedRequest presigned(const std::string& query = kQuery, bool with_target = true) {
  OwnedRequest request{
      .target = "/?" + query,
      .headers = {{"Host", "localhost:8000"}, {"Content-Type", "application/x-amz-json-1.0"}},
      .body = R"({"Limit":3})"};
  if (with_target) request.headers.emplace_back("X-Amz-Target", "DynamoDB_20120810.ListTables");
  return request;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// "200", or what it was denied with.
std::string verdict_on(const OwnedRequest& request, int64_t later_seconds = 0,
                       const std::string& token = "") {
  const Request view = request.view();
  const CredentialSet credentials = test_credentials(token);
  const Verdict verdict = verify_signature(view, credentials, {}, us_of(kDate) + later_seconds * 1'000'000);
  const Denial* denial = std::get_if<Denial>(&verdict);
  return denial == nullptr ? "200" : std::string(denial->type) + ": " + denial->message;
}

TEST(QuerySignature, LetsInWhoWasSigned) {
  EXPECT_EQ(verdict_on(presigned()), "200");
  EXPECT_EQ(verdict_on(presigned(kWholeQuery, false)), "200");
  EXPECT_EQ(verdict_on(presigned(kTokenQuery), 0, "to/ken+="), "200");
  EXPECT_EQ(claimed_access_key_id(presigned().view()), "AKIDEXAMPLE");
  const OwnedRequest request = presigned();
  const Verdict anybody = accept_any_credentials(request.view());
  EXPECT_EQ(std::get<Caller>(anybody).access_key_id, "AKIDEXAMPLE");
}

TEST(QuerySignature, NamesTheKeyThatItIsCheckedWith) {
  const auto claimed = [](const std::string& query) {
    OwnedRequest request = presigned();
    request.target = "/?" + query;
    const Request view = request.view();
    return std::string(claimed_access_key_id(view));
  };
  const std::string query = std::string(kQuery);
  EXPECT_EQ(claimed(query), "AKIDEXAMPLE");
  // Somebody else's id, where only a careless reader finds it.
  EXPECT_EQ(claimed("aX-Amz-Credential=BOSS&" + query), "AKIDEXAMPLE");
  EXPECT_EQ(claimed("a=X-Amz-Credential=BOSS&" + query), "AKIDEXAMPLE");
  EXPECT_EQ(claimed("%58-Amz-Credential=FIRST%2F20130609&" + query), "FIRST") << "it counts: it is the first";
  EXPECT_EQ(claimed("X-Amz-Credential&" + query), "");
}

TEST(QuerySignature, IsGoodForAsLongAsItSays) {
  EXPECT_EQ(verdict_on(presigned(), 3600), "200");
  EXPECT_EQ(
      verdict_on(presigned(), 3601),
      "InvalidSignatureException: Signature expired: 20130609T100015Z is now earlier than 20130609T100016Z "
      "(20130609T110016Z - 3600 sec.)");
  EXPECT_EQ(verdict_on(presigned(), -900), "200");
  EXPECT_EQ(verdict_on(presigned(), -901).substr(0, 52),
            "InvalidSignatureException: Signature not yet current");
  for (const char* wrong : {"0", "604801", "-5", "x", "1x", ""}) {
    const std::string query = replaced(kQuery, "X-Amz-Expires=3600", "X-Amz-Expires=" + std::string(wrong));
    EXPECT_TRUE(verdict_on(presigned(query)).starts_with("IncompleteSignatureException: X-Amz-Expires"))
        << wrong;
  }
}

TEST(QuerySignature, CoversEverything) {
  const auto is_denied = [](const OwnedRequest& request) {
    return verdict_on(request).starts_with("InvalidSignatureException: ");
  };
  OwnedRequest body = presigned();
  body.body = R"({"Limit":4})";
  EXPECT_TRUE(is_denied(body));
  OwnedRequest header = presigned();
  header.header("X-Amz-Target") = "DynamoDB_20120810.DeleteTable";
  EXPECT_TRUE(is_denied(header));
  EXPECT_TRUE(is_denied(presigned(replaced(kWholeQuery, "ListTables", "DeleteTable"), false)));
  EXPECT_TRUE(is_denied(presigned(kQuery + "&a=b")));
  EXPECT_TRUE(is_denied(presigned(replaced(kQuery, "Expires=3600", "Expires=7200"))));
  EXPECT_TRUE(is_denied(presigned(replaced(kQuery, "569a7c", "569a7d"))));
  // A header that was not signed.
  OwnedRequest more = presigned();
  more.headers.emplace_back("X-Amz-Other", "1");
  EXPECT_TRUE(is_denied(more));
  EXPECT_TRUE(is_denied(presigned(kWholeQuery, true)));
  OwnedRequest method = presigned();
  method.method = "GET";
  EXPECT_TRUE(is_denied(method));
}

TEST(QuerySignature, TokensMustBeTheirs) {
  EXPECT_TRUE(verdict_on(presigned(kTokenQuery), 0, "other").starts_with("UnrecognizedClientException"));
  EXPECT_TRUE(verdict_on(presigned(kTokenQuery)).starts_with("UnrecognizedClientException"));
  EXPECT_TRUE(verdict_on(presigned(), 0, "to/ken+=").starts_with("UnrecognizedClientException"));
}

TEST(QuerySignature, SaysWhatIsMissing) {
  EXPECT_EQ(
      verdict_on(presigned("X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20130609T100015Z")),
      "IncompleteSignatureException: AWS query-string parameters must include 'X-Amz-Credential'. AWS "
      "query-string parameters must include 'X-Amz-Signature'. AWS query-string parameters must include "
      "'X-Amz-SignedHeaders'. Re-examine the query-string parameters.");
  EXPECT_EQ(verdict_on(presigned("X-Amz-Credential=a&X-Amz-Signature=b")),
            "MissingAuthenticationTokenException: Request is missing Authentication Token");
  EXPECT_EQ(
      verdict_on(presigned(replaced(kQuery, "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA512"))),
      "IncompleteSignatureException: Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA512' (only AWS4-HMAC-SHA256 "
      "for now). ");
}

TEST(QuerySignature, ParametersAreDecoded) {
  EXPECT_EQ(query_parameter("/?a=1&b%20c=x%2Fy+z&d", "b c"), "x/y z");
  EXPECT_EQ(query_parameter("/?a=1&d", "d"), "");
  EXPECT_EQ(query_parameter("/?a=1", "b"), std::nullopt);
  EXPECT_EQ(query_parameter("/", "a"), std::nullopt);
}

}  // namespace
}  // namespace sheaf::http

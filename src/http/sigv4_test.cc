#include "http/sigv4.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "base/sha256.h"
#include "http/canonical_request.h"
#include "http/request_fixture.h"
#include "http/signing_key.h"
#include "http/sigv4_signer.h"

namespace sheaf::http {
namespace {

constexpr std::string_view kSigningDate = "20130609T100015Z";
constexpr std::string_view kMismatch =
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
    "Access Key "
    "and signing method. Consult the service documentation for details.";
constexpr int64_t kMinuteUs = 60'000'000;

OwnedRequest plain_request() {
  return {.headers = {{"Host", "localhost:8000"},
                      {"Content-Type", "application/x-amz-json-1.0"},
                      {"X-Amz-Target", "DynamoDB_20120810.PutItem"},
                      {"User-Agent", "tests"}},
          .body = R"({"TableName":"orders"})"};
}

struct Signing {
  std::string token = {};
  std::string region = "us-east-1";
  std::string service = "dynamodb";
};

OwnedRequest signed_request(OwnedRequest request = plain_request(), const Signing& signing = {}) {
  const CredentialSet credentials = test_credentials(signing.token);
  request.add_lines(
      sign_request(request.view(), *credentials.find(kTestKeyId),
                   {.now_us = us_of(kSigningDate), .region = signing.region, .service = signing.service}));
  return request;
}

// Status 200 if it was let in.
Denial verify(const OwnedRequest& request, int64_t now_us = us_of(kSigningDate),
              const SignatureRules& rules = {}, const CredentialSet& credentials = test_credentials()) {
  const Request view = request.view();
  Verdict verdict = verify_signature(view, credentials, rules, now_us);
  Denial* denial = std::get_if<Denial>(&verdict);
  return denial == nullptr ? Denial{.status = 200} : std::move(*denial);
}

void expect_denied(const OwnedRequest& request, std::string_view type, std::string_view message) {
  const Denial denial = verify(request);
  EXPECT_EQ(denial.status, 400);
  EXPECT_EQ(denial.type, type);
  EXPECT_EQ(denial.message, message);
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " in " << text;
  text.replace(at, from.size(), to);
}

TEST(Sigv4, WhoSignedIsLetIn) {
  OwnedRequest request = signed_request();
  const Request view = request.view();
  const CredentialSet credentials = test_credentials();
  const Verdict verdict = verify_signature(view, credentials, {}, us_of(kSigningDate));
  const Caller* caller = std::get_if<Caller>(&verdict);
  ASSERT_NE(caller, nullptr);
  EXPECT_EQ(caller->access_key_id, kTestKeyId);
  EXPECT_EQ(caller->name, "tester");
  EXPECT_EQ(caller->role, Role::kAdmin);
}

TEST(Sigv4, ACallerHasTheRoleOfItsCredentials) {
  OwnedRequest request = plain_request();
  const CredentialSet credentials = test_credentials();
  request.add_lines(
      sign_request(request.view(), *credentials.find("AKIDREADER"), {.now_us = us_of(kSigningDate)}));
  const Request view = request.view();
  const Verdict verdict = verify_signature(view, credentials, {}, us_of(kSigningDate));
  ASSERT_TRUE(std::holds_alternative<Caller>(verdict));
  EXPECT_EQ(std::get<Caller>(verdict).role, Role::kReadonly);
}

TEST(Sigv4, TheClockMayBeFifteenMinutesOffBothWays) {
  const OwnedRequest request = signed_request();
  const int64_t now_us = us_of(kSigningDate);
  EXPECT_EQ(verify(request, now_us + 15 * kMinuteUs).status, 200);
  EXPECT_EQ(verify(request, now_us + 15 * kMinuteUs + 999'999).status, 200);
  EXPECT_EQ(verify(request, now_us - 15 * kMinuteUs).status, 200);

  const Denial expired = verify(request, now_us + 15 * kMinuteUs + 1'000'000);
  EXPECT_EQ(expired.status, 400);
  EXPECT_EQ(expired.type, "InvalidSignatureException");
  EXPECT_EQ(expired.message,
            "Signature expired: 20130609T100015Z is now earlier than 20130609T100016Z (20130609T101516Z - 15 "
            "min.)");
  const Denial early = verify(request, now_us - 15 * kMinuteUs - 1'000'000);
  EXPECT_EQ(early.type, "InvalidSignatureException");
  EXPECT_EQ(early.message,
            "Signature not yet current: 20130609T100015Z is still later than 20130609T100014Z "
            "(20130609T094514Z + 15 "
            "min.)");
}

TEST(Sigv4, ADateThatIsNoneIsIncomplete) {
  OwnedRequest request = signed_request();
  request.header("X-Amz-Date") = "201";
  expect_denied(
      request, "IncompleteSignatureException",
      "Date must be in ISO-8601 'basic format'. Got '201'. See http://en.wikipedia.org/wiki/ISO_8601");
}

TEST(Sigv4, WithoutAmzDateTheDateHeaderCounts) {
  OwnedRequest request = plain_request();
  request.headers.emplace_back("Date", kSigningDate);
  const std::string names = "content-type;date;host;x-amz-target";
  const std::string scope = "20130609/us-east-1/dynamodb/aws4_request";
  const HexDigest payload_hash = hex_of(sha256(request.body));
  const std::string canonical =
      canonical_request(request.view(), SignedHeaders(names), hex_text(payload_hash));
  const Digest key =
      derive_signing_key(kTestSecret, {.date = "20130609", .region = "us-east-1", .service = "dynamodb"});
  const HexDigest signature =
      hex_of(hmac_sha256(bytes_of(key), string_to_sign(kSigningDate, scope, sha256(canonical))));
  request.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" + scope +
                                                    ", SignedHeaders=" + names +
                                                    ", Signature=" + std::string(hex_text(signature)));
  EXPECT_EQ(verify(request).message, "");
  // Not in the form that HTTP has for it, which AWS does not take either.
  request.header("Date") = "Sun, 09 Jun 2013 10:00:15 GMT";
  expect_denied(request, "IncompleteSignatureException",
                "Date must be in ISO-8601 'basic format'. Got 'Sun, 09 Jun 2013 10:00:15 GMT'. See "
                "http://en.wikipedia.org/wiki/ISO_8601");
}

TEST(Sigv4, TheHostMustBeSigned) {
  OwnedRequest request = signed_request();
  replace(request.header("Authorization"), "host;", "");
  expect_denied(request, "InvalidSignatureException",
                "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST(Sigv4, AmzHeadersMustBeSigned) {
  OwnedRequest request = signed_request();
  request.headers.emplace_back("X-Amz-Anything", "1");
  expect_denied(request, "InvalidSignatureException",
                "'X-Amz-Anything' must be a 'SignedHeader' in the AWS Authorization.");
  request = signed_request();
  replace(request.header("Authorization"), ";x-amz-target", "");
  expect_denied(request, "InvalidSignatureException",
                "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
  request = signed_request();
  request.headers.emplace_back("x-amz-security-token", "token");
  expect_denied(request, "InvalidSignatureException",
                "'x-amz-security-token' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST(Sigv4, HeadersThatNothingRestsOnMayBeUnsigned) {
  OwnedRequest request = signed_request();
  request.headers.emplace_back("X-Amz-User-Agent", "browser");
  request.headers.emplace_back("X-Amzn-Trace-Id", "Root=1");
  request.headers.emplace_back("Accept", "*/*");
  request.headers.emplace_back("X-Amz-Content-Sha256", hex_text(hex_of(sha256(request.body))));
  EXPECT_EQ(verify(request).status, 200);
}

TEST(Sigv4, SignedHeadersMustBeThere) {
  OwnedRequest request = signed_request();
  replace(request.header("Authorization"), "SignedHeaders=", "SignedHeaders=accept;");
  expect_denied(request, "IncompleteSignatureException",
                "'accept' is named as a SignedHeader, but it does not exist in the HTTP request.");
}

TEST(Sigv4, TooManySignedHeadersDoNotMatch) {
  OwnedRequest request = signed_request();
  std::string names;
  for (int i = 0; i < 200; ++i) names += "h" + std::to_string(i) + ";";
  replace(request.header("Authorization"), "SignedHeaders=", "SignedHeaders=" + names);
  expect_denied(request, "InvalidSignatureException", kMismatch);
}

TEST(Sigv4, OtherAlgorithmsAreNotSupported) {
  OwnedRequest request = signed_request();
  replace(request.header("Authorization"), "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA25");
  expect_denied(request, "IncompleteSignatureException",
                "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ");
}

TEST(Sigv4, TheCredentialHasFiveElements) {
  OwnedRequest request = signed_request();
  replace(request.header("Authorization"), "AKIDEXAMPLE/20130609/us-east-1/dynamodb/aws4_request", "a/b/c/d");
  expect_denied(
      request, "IncompleteSignatureException",
      "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got "
      "'a/b/c/d'");
}

TEST(Sigv4, AWrongScopeIsToldInFull) {
  OwnedRequest request = signed_request();
  replace(request.header("Authorization"), "20130609/us-east-1/dynamodb/aws4_request", "b/c/d/e");
  const Denial denial = verify(request, us_of(kSigningDate), {.region = "eu-west-1"});
  EXPECT_EQ(denial.type, "InvalidSignatureException");
  EXPECT_EQ(
      denial.message,
      "Credential should be scoped to a valid region, not 'c'. "
      "Credential should be scoped to correct service: 'dynamodb'. "
      "Credential should be scoped with a valid terminator: 'aws4_request', not 'e'. "
      "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: 'b' != "
      "'20130609', from '20130609T100015Z'.");
}

TEST(Sigv4, WithoutARegionOfItsOwnTheServerTakesAny) {
  const OwnedRequest request = signed_request(plain_request(), {.region = "mars-north-1"});
  EXPECT_EQ(verify(request).status, 200);
  EXPECT_EQ(verify(request, us_of(kSigningDate), {.region = "mars-north-1"}).status, 200);
  EXPECT_EQ(verify(request, us_of(kSigningDate), {.region = "us-east-1"}).message,
            "Credential should be scoped to a valid region, not 'mars-north-1'. ");
  OwnedRequest no_region = signed_request(plain_request(), {.region = ""});
  EXPECT_EQ(verify(no_region).message, "Credential should be scoped to a valid region, not ''. ");
}

TEST(Sigv4, SignaturesForOtherServicesDoNotCount) {
  const OwnedRequest request = signed_request(plain_request(), {.service = "execute-api"});
  expect_denied(request, "InvalidSignatureException",
                "Credential should be scoped to correct service: 'dynamodb'. ");
}

TEST(Sigv4, StrangersAreNotRecognized) {
  OwnedRequest request = signed_request();
  replace(request.header("Authorization"), "AKIDEXAMPLE", "AKIDUNKNOWN");
  expect_denied(request, "UnrecognizedClientException",
                "The security token included in the request is invalid.");
}

TEST(Sigv4, ACredentialWithASessionTokenNeedsIt) {
  const CredentialSet credentials = test_credentials("the token");
  const OwnedRequest request = signed_request(plain_request(), {.token = "the token"});
  EXPECT_EQ(verify(request, us_of(kSigningDate), {}, credentials).status, 200);

  const Denial missing = verify(signed_request(), us_of(kSigningDate), {}, credentials);
  EXPECT_EQ(missing.type, "UnrecognizedClientException");
  EXPECT_EQ(missing.message, "The security token included in the request is invalid.");

  const OwnedRequest other = signed_request(plain_request(), {.token = "another token"});
  const Denial wrong = verify(other, us_of(kSigningDate), {}, credentials);
  EXPECT_EQ(wrong.type, "UnrecognizedClientException");
  EXPECT_EQ(wrong.message, "The security token included in the request is invalid");
}

TEST(Sigv4, ACredentialWithoutASessionTokenMustComeWithout) {
  const Denial denial = verify(signed_request(plain_request(), {.token = "any token"}));
  EXPECT_EQ(denial.type, "UnrecognizedClientException");
  OwnedRequest empty = plain_request();
  empty.headers.emplace_back("X-Amz-Security-Token", "");
  EXPECT_EQ(verify(signed_request(empty)).status, 200);
}

TEST(Sigv4, TheTokenIsNotJudgedBeforeTheSignature) {
  OwnedRequest request = signed_request(plain_request(), {.token = "guess"});
  request.body += ' ';
  EXPECT_EQ(verify(request, us_of(kSigningDate), {}, test_credentials("the token")).message, kMismatch);
}

TEST(Sigv4, ThePayloadMustBeSigned) {
  for (const char* claim :
       {"UNSIGNED-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", ""}) {
    OwnedRequest request = plain_request();
    request.headers.emplace_back("X-Amz-Content-Sha256", claim);
    expect_denied(signed_request(request), "InvalidSignatureException", kMismatch);
  }
}

TEST(Sigv4, TheBodyAsItWasSentIsWhatIsSigned) {
  OwnedRequest request = signed_request();
  Request view = request.view();
  view.body = "what came out of it";
  const CredentialSet credentials = test_credentials();
  EXPECT_TRUE(std::holds_alternative<Caller>(verify_signature(view, credentials, {}, us_of(kSigningDate))));
  view.raw_body = "what came out of it";
  EXPECT_TRUE(std::holds_alternative<Denial>(verify_signature(view, credentials, {}, us_of(kSigningDate))));
}

TEST(Sigv4, TheSignatureIsInLowerCaseAndWhole) {
  OwnedRequest request = signed_request();
  std::string& authorization = request.header("Authorization");
  const std::string right = authorization;
  authorization.pop_back();
  expect_denied(request, "InvalidSignatureException", kMismatch);
  authorization = right + "0";
  expect_denied(request, "InvalidSignatureException", kMismatch);
  authorization = right;
  std::transform(authorization.end() - 64, authorization.end(), authorization.end() - 64, ::toupper);
  ASSERT_NE(authorization, right);
  expect_denied(request, "InvalidSignatureException", kMismatch);
}

TEST(Sigv4, RequestsMustBeSignedAtAll) {
  expect_denied(plain_request(), "MissingAuthenticationTokenException",
                "Request is missing Authentication Token");
}

TEST(DevelopmentMode, TakesAnyCredentials) {
  OwnedRequest request = plain_request();
  request.headers.emplace_back("Date", "whenever");
  request.headers.emplace_back("Authorization",
                               "AWS4-HMAC-SHA256 Credential=me/x, SignedHeaders=, Signature=0");
  const Request view = request.view();
  const Verdict verdict = accept_any_credentials(view);
  ASSERT_TRUE(std::holds_alternative<Caller>(verdict));
  EXPECT_EQ(std::get<Caller>(verdict).access_key_id, "me");
  EXPECT_EQ(std::get<Caller>(verdict).name, "");
  EXPECT_EQ(std::get<Caller>(verdict).role, Role::kAdmin);
}

TEST(DevelopmentMode, StillAsksForThem) {
  OwnedRequest request = plain_request();
  Verdict verdict = accept_any_credentials(request.view());
  ASSERT_TRUE(std::holds_alternative<Denial>(verdict));
  EXPECT_EQ(std::get<Denial>(verdict).type, "MissingAuthenticationTokenException");
  request.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=me");
  verdict = accept_any_credentials(request.view());
  ASSERT_TRUE(std::holds_alternative<Denial>(verdict));
  EXPECT_EQ(std::get<Denial>(verdict).type, "IncompleteSignatureException");
}

TEST(NotAuthorized, SaysWhoMayNotDoWhat) {
  const Denial denial =
      not_authorized({.access_key_id = "AKIDREADER", .name = "reader", .role = Role::kReadonly}, "PutItem",
                     "arn:aws:dynamodb:us-east-1:000000000000:table/orders");
  EXPECT_EQ(denial.status, 400);
  EXPECT_EQ(denial.type, "AccessDeniedException");
  EXPECT_EQ(
      denial.message,
      "User: arn:aws:iam::000000000000:user/reader is not authorized to perform: dynamodb:PutItem on "
      "resource: "
      "arn:aws:dynamodb:us-east-1:000000000000:table/orders because no identity-based policy allows the "
      "dynamodb:PutItem action");
}

}  // namespace
}  // namespace sheaf::http

// Signatures that others made: AWS's published examples, and requests of SDKs as they went over the wire.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/request_fixture.h"
#include "http/sigv4.h"
#include "http/sigv4_signer.h"

namespace sheaf::http {
namespace {

struct Example {
  std::string name;
  OwnedRequest request;
  std::string signed_headers;
  std::string signature;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }

constexpr std::string_view kVectorsDate = "20150830T123600Z";
constexpr std::string_view kSessionToken =
    "AQoDYXdzEPT//////////"
    "wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YU"
    "uwthAx7mSEI/qkPpKPi/"
    "kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8Y"
    "QcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+"
    "scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICC"
    "R/oLxBA==";

OwnedRequest example_request(std::string method, std::string target,
                             std::vector<std::pair<std::string, std::string>> more = {},
                             std::string body = "") {
  OwnedRequest request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
  request.headers.emplace_back("Host", "example.amazonaws.com");
  for (auto& header : more) request.headers.push_back(std::move(header));
  request.headers.emplace_back("X-Amz-Date", kVectorsDate);
  return request;
}

// The test suite that AWS publishes, named as there. Left out is get-header-value-multiline: a header over
// several lines is no longer HTTP.
std::vector<Example> aws_examples() {
  const std::string plain = "host;x-amz-date";
  const std::string with_header = "host;my-header1;x-amz-date";
  const std::string unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const std::string get_vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31";
  const std::string post_vanilla = "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b";
  const std::string post_query = "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11";
  return {
      {"get_vanilla", example_request("GET", "/"), plain, get_vanilla},
      {"get_header_key_duplicate",
       example_request("GET", "/",
                       {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}}),
       with_header, "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
      {"get_header_value_order",
       example_request("GET", "/",
                       {{"My-Header1", "value4"},
                        {"My-Header1", "value1"},
                        {"My-Header1", "value3"},
                        {"My-Header1", "value2"}}),
       with_header, "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
      {"get_header_value_trim",
       example_request("GET", "/", {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}),
       "host;my-header1;my-header2;x-amz-date",
       "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
      {"get_unreserved", example_request("GET", "/" + unreserved), plain,
       "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
      {"get_utf8", example_request("GET", "/\xe1\x88\xb4"), plain,
       "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
      {"get_vanilla_empty_query_key", example_request("GET", "/?Param1=value1"), plain,
       "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
      {"get_vanilla_query_order_key_case", example_request("GET", "/?Param2=value2&Param1=value1"), plain,
       "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
      {"get_vanilla_query_order_key", example_request("GET", "/?Param1=value2&Param1=Value1"), plain,
       "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"},
      {"get_vanilla_query_order_value", example_request("GET", "/?Param1=value2&Param1=value1"), plain,
       "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"},
      {"get_vanilla_query_unreserved", example_request("GET", "/?" + unreserved + "=" + unreserved), plain,
       "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
      {"get_vanilla_utf8_query", example_request("GET", "/?\xe1\x88\xb4=bar"), plain,
       "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
      {"get_relative_relative", example_request("GET", "/example1/example2/../.."), plain, get_vanilla},
      {"get_relative", example_request("GET", "/example/.."), plain, get_vanilla},
      {"get_slash_dot_slash", example_request("GET", "/./"), plain, get_vanilla},
      {"get_slash_pointless_dot", example_request("GET", "/./example"), plain,
       "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"},
      {"get_slash", example_request("GET", "//"), plain, get_vanilla},
      {"get_slashes", example_request("GET", "//example//"), plain,
       "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
      {"get_space", example_request("GET", "/example space/"), plain,
       "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
      {"post_vanilla", example_request("POST", "/"), plain, post_vanilla},
      {"post_header_key_sort", example_request("POST", "/", {{"My-Header1", "value1"}}), with_header,
       "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
      {"post_header_value_case", example_request("POST", "/", {{"My-Header1", "VALUE1"}}), with_header,
       "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
      {"post_vanilla_query", example_request("POST", "/?Param1=value1"), plain, post_query},
      {"post_sts_header_before",
       example_request("POST", "/", {{"X-Amz-Security-Token", std::string(kSessionToken)}}),
       "host;x-amz-date;x-amz-security-token",
       "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"},
      {"post_x_www_form_urlencoded",
       example_request("POST", "/", {{"Content-Type", "application/x-www-form-urlencoded"}}, "Param1=value1"),
       "content-type;host;x-amz-date", "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
      {"post_x_www_form_urlencoded_parameters",
       example_request("POST", "/", {{"Content-Type", "application/x-www-form-urlencoded; charset=utf8"}},
                       "Param1=value1"),
       "content-type;host;x-amz-date", "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"},
  };
}

class AwsExamples : public testing::TestWithParam<Example> {};

TEST_P(AwsExamples, AreSignedAsAwsSignsThem) {
  const Example& example = GetParam();
  const CredentialSet credentials = test_credentials();
  EXPECT_EQ(sign_request(example.request.view(), *credentials.find(kTestKeyId), {.service = "service"}),
            "Authorization: AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
            "SignedHeaders=" +
                example.signed_headers + ", Signature=" + example.signature + "\r\n");
}

TEST_P(AwsExamples, AreLetIn) {
  OwnedRequest request = GetParam().request;
  request.headers.emplace_back(
      "Authorization",
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
      "SignedHeaders=" +
          GetParam().signed_headers + ", Signature=" + GetParam().signature);
  const bool has_token = GetParam().name == "post_sts_header_before";
  const CredentialSet credentials = test_credentials(has_token ? kSessionToken : "");
  const Request view = request.view();
  const Verdict verdict =
      verify_signature(view, credentials, {.service = "service", .region = "us-east-1"}, us_of(kVectorsDate));
  const Caller* caller = std::get_if<Caller>(&verdict);
  ASSERT_NE(caller, nullptr) << std::get_if<Denial>(&verdict)->message;
  EXPECT_EQ(caller->access_key_id, kTestKeyId);
  EXPECT_EQ(caller->name, "tester");
  EXPECT_EQ(caller->role, Role::kAdmin);
}

INSTANTIATE_TEST_SUITE_P(Sigv4, AwsExamples, testing::ValuesIn(aws_examples()),
                         [](const auto& example) { return example.param.name; });

struct SdkRequest {
  std::string name;
  std::string token;
  std::string date;
  OwnedRequest request;
};

void PrintTo(const SdkRequest& request, std::ostream* out) { *out << request.name; }

// Taken from the SDKs right before they send.
std::vector<SdkRequest> sdk_requests() {
  const std::string prefix = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/";
  const std::string put_body =
      R"({"TableName": "orders", "Item": {"pk": {"S": "customer#1"}, "sk": {"S": "order#7"}, "note": {"S": "gr\u00fc\u00dfe"}}})";
  const std::string boto_token = "FwoGZXIvYXdzEXAMPLE//TOKEN+with/slashes==";
  return {
      {.name = "botocore_put_item",
       .date = "20260131T120000Z",
       .request = {.headers = {{"X-Amz-Target", "DynamoDB_20120810.PutItem"},
                               {"Content-Type", "application/x-amz-json-1.0"},
                               {"User-Agent", "Botocore/1.43.11"},
                               {"X-Amz-Date", "20260131T120000Z"},
                               {"Authorization",
                                prefix + "20260131/eu-central-1/dynamodb/aws4_request, "
                                         "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                                         "Signature=b53e69d6ea6e6f93b5b7306bb0e816006a51682b46c8dfdfb30aba"
                                         "a9e9189b17"},
                               {"amz-sdk-invocation-id", "c194ece7-9c81-4dce-8e31-51b273633c8b"},
                               {"amz-sdk-request", "attempt=1"},
                               {"Content-Length", "118"},
                               {"Host", "localhost:8000"}},
                   .body = put_body}},
      {.name = "botocore_with_session_token",
       .token = boto_token,
       .date = "20260131T120000Z",
       .request =
           {.headers = {{"X-Amz-Target", "DynamoDB_20120810.ListTables"},
                        {"Content-Type", "application/x-amz-json-1.0"},
                        {"X-Amz-Date", "20260131T120000Z"},
                        {"X-Amz-Security-Token", boto_token},
                        {"Authorization",
                         prefix +
                             "20260131/eu-central-1/dynamodb/aws4_request, "
                             "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
                             "Signature=7388439d81172c54fa2042caae4f782ca321371d41fd7af5a488a53a5d63ddad"},
                        {"Host", "localhost:8000"}},
            .body = "{}"}},
      {.name = "botocore_streams_over_ipv6",
       .date = "20260131T120000Z",
       .request = {.headers = {{"X-Amz-Target", "DynamoDBStreams_20120810.ListStreams"},
                               {"Content-Type", "application/x-amz-json-1.0"},
                               {"X-Amz-Date", "20260131T120000Z"},
                               {"Authorization",
                                prefix + "20260131/eu-central-1/dynamodb/aws4_request, "
                                         "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                                         "Signature=c72c7768d9398458c0c8e59c0dfdf824e2e371871fd01a8b8c2105"
                                         "b55e39c04b"},
                               {"Host", "[::1]:8443"}},
                   .body = R"({"TableName": "orders"})"}},
      // Debian's botocore signs in the AWS Common Runtime.
      {.name = "common_runtime_put_item",
       .date = "20261115T092217Z",
       .request = {.headers = {{"X-Amz-Target", "DynamoDB_20120810.PutItem"},
                               {"Content-Type", "application/x-amz-json-1.0"},
                               {"User-Agent", "Botocore/1.29.27 awscrt/1.0.0.dev0"},
                               {"host", "localhost:8000"},
                               {"X-Amz-Date", "20261115T092217Z"},
                               {"Authorization",
                                prefix + "20261115/eu-central-1/dynamodb/aws4_request, "
                                         "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
                                         "Signature=2ae7a233d5137417d0998c2e6b9eefd63b686627a7b42bf0e143dc"
                                         "2b91658892"},
                               {"Content-Length", "118"}},
                   .body = put_body}},
      {.name = "javascript_v3_get_item",
       .token = "session/token+1==",
       .date = "20261115T092242Z",
       .request =
           {.headers =
                {{"content-type", "application/x-amz-json-1.0"},
                 {"x-amz-target", "DynamoDB_20120810.GetItem"},
                 {"content-length", "45"},
                 {"x-amz-user-agent", "aws-sdk-js/3.1161.0"},
                 {"user-agent", "aws-sdk-js/3.1161.0 ua/2.1"},
                 {"host", "127.0.0.1:8000"},
                 {"amz-sdk-invocation-id", "7fbf691b-d3ce-4096-8b44-f5ba21c52d46"},
                 {"amz-sdk-request", "attempt=1; max=1"},
                 {"x-amz-date", "20261115T092242Z"},
                 {"x-amz-security-token", "session/token+1=="},
                 {"x-amz-content-sha256", "71660f338c887f6d05c1787c2d79f911fdd163d9bcf4803430c992f4537b6137"},
                 {"authorization",
                  prefix + "20261115/us-east-1/dynamodb/aws4_request, "
                           "SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;"
                           "host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target;"
                           "x-amz-user-agent, "
                           "Signature=69c59bd1c304b3b9f4bd290f4d114c549d76e873f5a6a7f72c2aaab30022526e"},
                 {"Connection", "keep-alive"}},
            .body = R"({"TableName":"orders","Key":{"pk":{"S":"a"}}})"}},
  };
}

class SdkRequests : public testing::TestWithParam<SdkRequest> {};

TEST_P(SdkRequests, AreLetIn) {
  const CredentialSet credentials = test_credentials(GetParam().token);
  const Request view = GetParam().request.view();
  const Verdict verdict = verify_signature(view, credentials, {}, us_of(GetParam().date));
  const Denial* denial = std::get_if<Denial>(&verdict);
  EXPECT_EQ(denial, nullptr) << denial->message;
}

TEST_P(SdkRequests, AreTurnedAwayWithAnotherSecret) {
  std::vector<Credential> others;
  others.emplace_back(Credential::Parts{.name = "tester",
                                        .access_key_id = kTestKeyId,
                                        .secret_access_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEz",
                                        .session_token = GetParam().token});
  const Request view = GetParam().request.view();
  const Verdict verdict =
      verify_signature(view, CredentialSet(std::move(others)), {}, us_of(GetParam().date));
  const Denial* denial = std::get_if<Denial>(&verdict);
  ASSERT_NE(denial, nullptr);
  EXPECT_EQ(denial->type, "InvalidSignatureException");
}

INSTANTIATE_TEST_SUITE_P(Sigv4, SdkRequests, testing::ValuesIn(sdk_requests()),
                         [](const auto& example) { return example.param.name; });

}  // namespace
}  // namespace sheaf::http

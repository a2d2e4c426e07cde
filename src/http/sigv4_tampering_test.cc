// Whatever is changed in a signed request: it is turned away.
#include <gtest/gtest.h>

#include <string>

#include "http/request_fixture.h"
#include "http/sigv4.h"
#include "http/sigv4_signer.h"

namespace sheaf::http {
namespace {

constexpr std::string_view kTamperingDate = "20150830T123600Z";
constexpr std::string_view kToken = "the session token";

class Tampering : public testing::Test {
 protected:
  Tampering() : credentials_(test_credentials(kToken)) {
    request_ = {.method = "POST",
                .target = "/path/to?first=1&second=two%20words",
                .headers = {{"Host", "localhost:8000"},
                            {"Content-Type", "application/x-amz-json-1.0"},
                            {"X-Amz-Target", "DynamoDB_20120810.PutItem"},
                            {"Accept-Encoding", "gzip"},
                            {"Accept-Encoding", "identity"}},
                .body = R"({"TableName":"orders","Item":{"pk":{"S":"a"}}})"};
    request_.add_lines(
        sign_request(request_.view(), *credentials_.find(kTestKeyId), {.now_us = us_of(kTamperingDate)}));
  }

  bool is_let_in(const OwnedRequest& request) const {
    const Request view = request.view();
    return std::holds_alternative<Caller>(verify_signature(view, credentials_, {}, us_of(kTamperingDate)));
  }

  // Every byte of `text`, which is a part of `request`, changed in one bit, and each taken away or doubled.
  void expect_every_change_denied(OwnedRequest& request, std::string& text) const {
    const std::string right = text;
    ASSERT_TRUE(is_let_in(request));
    for (size_t i = 0; i < right.size(); ++i) {
      for (int bit = 0; bit < 8; ++bit) {
        text = right;
        text[i] = static_cast<char>(text[i] ^ (1 << bit));
        EXPECT_FALSE(is_let_in(request)) << "bit " << bit << " of byte " << i << ": " << text;
      }
      text = right;
      text.erase(i, 1);
      EXPECT_FALSE(is_let_in(request)) << "without byte " << i << ": " << text;
      text = right;
      text.insert(i, 1, right[i]);
      EXPECT_FALSE(is_let_in(request)) << "byte " << i << " doubled: " << text;
    }
    text = right;
  }

  CredentialSet credentials_;
  OwnedRequest request_;
};

TEST_F(Tampering, NothingChangedIsLetIn) { EXPECT_TRUE(is_let_in(request_)); }

TEST_F(Tampering, WithTheMethodIsNoticed) { expect_every_change_denied(request_, request_.method); }

TEST_F(Tampering, WithTheBodyIsNoticed) { expect_every_change_denied(request_, request_.body); }

TEST_F(Tampering, WithTheHostIsNoticed) { expect_every_change_denied(request_, request_.header("Host")); }

TEST_F(Tampering, WithTheTargetOfTheOperationIsNoticed) {
  expect_every_change_denied(request_, request_.header("X-Amz-Target"));
}

TEST_F(Tampering, WithTheDateIsNoticed) {
  expect_every_change_denied(request_, request_.header("X-Amz-Date"));
}

TEST_F(Tampering, WithAnyOtherSignedHeaderIsNoticed) {
  expect_every_change_denied(request_, request_.header("Content-Type"));
  expect_every_change_denied(request_, request_.header("Accept-Encoding"));
}

TEST_F(Tampering, WithTheSessionTokenIsNoticed) {
  // Blanks inside are one to the signature; the token itself is compared as it is.
  expect_every_change_denied(request_, request_.header("X-Amz-Security-Token"));
}

// One spelling of a path or parameter may be changed for another of the same meaning; all else is noticed.
TEST_F(Tampering, WithThePathAndTheQueryIsNoticed) {
  for (const char* target :
       {"/", "/path", "/path/", "/path/to", "/path/to/?first=1&second=two%20words",
        "/path/tO?first=1&second=two%20words", "/path%2Fto?first=1&second=two%20words", "/path/to?first=1",
        "/path/to?first=1&second=two%20word", "/path/to?First=1&second=two%20words",
        "/path/to?first=2&second=two%20words", "/path/to?first=1&second=two%2520words",
        "/path/to?first=1&second=two%20words&third", "/path/to?first=1&first=1&second=two%20words",
        "/path/to?first=1%26second=two%20words", "/path/to?first=1&second=two%20words&"}) {
    OwnedRequest changed = request_;
    changed.target = target;
    const bool is_same = std::string_view(target).ends_with("words&");
    EXPECT_EQ(is_let_in(changed), is_same) << target;
  }
}

TEST_F(Tampering, WithTheSignatureIsNoticed) {
  std::string& authorization = request_.header("Authorization");
  const std::string right = authorization;
  for (size_t i = right.size() - 64; i < right.size(); ++i) {
    authorization[i] = right[i] == '0' ? '1' : '0';
    EXPECT_FALSE(is_let_in(request_)) << authorization;
    authorization = right;
  }
}

TEST_F(Tampering, WithTheCredentialAndItsScopeIsNoticed) {
  std::string& authorization = request_.header("Authorization");
  const std::string right = authorization;
  const size_t begin = right.find("Credential=") + 11;
  const size_t end = right.find(',', begin);
  for (size_t i = begin; i < end; ++i) {
    authorization[i] = right[i] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(is_let_in(request_)) << authorization;
    authorization = right;
  }
}

TEST_F(Tampering, WithTheListOfSignedHeadersIsNoticed) {
  std::string& authorization = request_.header("Authorization");
  const std::string right = authorization;
  const size_t begin = right.find("SignedHeaders=") + 14;
  const size_t end = right.find(',', begin);
  const std::string names = right.substr(begin, end - begin);
  size_t at = 0;
  while (at < names.size()) {
    const size_t semicolon = std::min(names.find(';', at), names.size());
    std::string fewer = names;
    fewer.erase(at, semicolon - at + 1);
    authorization = right.substr(0, begin) + fewer + right.substr(end);
    EXPECT_FALSE(is_let_in(request_)) << authorization;
    at = semicolon + 1;
  }
}

TEST_F(Tampering, WithHeadersOfTheSameNameIsNoticed) {
  OwnedRequest changed = request_;
  changed.headers.emplace_back("X-Amz-Target", "DynamoDB_20120810.DeleteTable");
  EXPECT_FALSE(is_let_in(changed));
  changed = request_;
  changed.headers.insert(changed.headers.begin(), {"x-amz-target", "DynamoDB_20120810.DeleteTable"});
  EXPECT_FALSE(is_let_in(changed));
  changed = request_;
  changed.headers.insert(changed.headers.begin(), {"Host", "evil.example"});
  EXPECT_FALSE(is_let_in(changed));
  changed = request_;
  std::swap(changed.headers[3], changed.headers[4]);
  EXPECT_FALSE(is_let_in(changed)) << "values of one name in another order";
}

TEST_F(Tampering, ByTakingASignedHeaderAwayIsNoticed) {
  for (const char* name : {"Host", "Content-Type", "X-Amz-Target", "Accept-Encoding", "X-Amz-Date",
                           "X-Amz-Security-Token", "Authorization"}) {
    OwnedRequest changed = request_;
    changed.remove(name);
    EXPECT_FALSE(is_let_in(changed)) << name;
  }
}

}  // namespace
}  // namespace sheaf::http

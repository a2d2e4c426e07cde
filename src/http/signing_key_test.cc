#include "http/signing_key.h"

#include <gtest/gtest.h>

#include <string>

#include "http/request_fixture.h"

namespace sheaf::http {
namespace {

std::string hex(const Digest& digest) { return std::string(hex_text(hex_of(digest))); }

Credential credential_of(std::string_view secret) {
  return Credential({.name = "n", .access_key_id = kTestKeyId, .secret_access_key = secret});
}

// AWS's own example of a derived key.
TEST(SigningKey, IsDerivedAsInTheExampleOfAws) {
  EXPECT_EQ(
      hex(derive_signing_key(kTestSecret, {.date = "20120215", .region = "us-east-1", .service = "iam"})),
      "f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d");
}

TEST(SigningKey, WhatIsRememberedIsWhatIsDerived) {
  const Credential credential = credential_of(kTestSecret);
  for (int round = 0; round < 2; ++round) {
    for (const char* date : {"20150830", "20150831"}) {
      for (const char* region : {"us-east-1", "eu-central-1", ""}) {
        const KeyScope scope{.date = date, .region = region, .service = "dynamodb"};
        EXPECT_EQ(signing_key(credential, scope), derive_signing_key(kTestSecret, scope)) << date << region;
      }
    }
  }
}

TEST(SigningKey, ANewSecretUnderAnOldIdHasItsOwnKeys) {
  const KeyScope scope{.date = "20150830", .region = "us-east-1", .service = "dynamodb"};
  const Credential before = credential_of("the secret before it was changed");
  const Credential after = credential_of("the secret after it was changed");
  const Digest first = signing_key(before, scope);
  EXPECT_EQ(signing_key(after, scope), derive_signing_key("the secret after it was changed", scope));
  EXPECT_EQ(signing_key(before, scope), first);
}

TEST(SigningKey, MoreScopesThanAreRememberedStayRight) {
  const Credential credential = credential_of(kTestSecret);
  for (size_t i = 0; i < 3 * kSigningKeysMax; ++i) {
    const std::string region = "region-" + std::to_string(i % (2 * kSigningKeysMax));
    const KeyScope scope{.date = "20150830", .region = region, .service = "dynamodb"};
    ASSERT_EQ(signing_key(credential, scope), derive_signing_key(kTestSecret, scope)) << region;
  }
}

TEST(SigningKey, LongRegionsAreDerivedEachTime) {
  const Credential credential = credential_of(kTestSecret);
  for (const size_t length : {46, 47, 48, 1000}) {
    const std::string region(length, 'r');
    const KeyScope scope{.date = "20150830", .region = region, .service = "dynamodb"};
    EXPECT_EQ(signing_key(credential, scope), derive_signing_key(kTestSecret, scope)) << length;
  }
}

}  // namespace
}  // namespace sheaf::http

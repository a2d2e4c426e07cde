#include "base/sha256.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace sheaf {
namespace {

std::string hash(std::string_view bytes) { return std::string(hex_text(hex_of(sha256(bytes)))); }
std::string keyed(std::string_view key, std::string_view message) {
  return std::string(hex_text(hex_of(hmac_sha256(key, message))));
}

TEST(Sha256, HashesTheExamplesOfTheStandard) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// RFC 4231, cases 1, 2, 6 and 7: a short key, a key of words, and keys longer than a block.
TEST(Sha256, KeyedHashesAreThoseOfTheRfc) {
  EXPECT_EQ(keyed(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(keyed("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  const std::string long_key(131, '\xaa');
  EXPECT_EQ(keyed(long_key, "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(
      keyed(long_key,
            "This is a test using a larger than block-size key and a larger than block-size data. The key "
            "needs to be hashed before being used by the HMAC algorithm."),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

TEST(Sha256, AKeyOfExactlyOneBlockIsUsedAsItIs) {
  EXPECT_NE(keyed(std::string(64, 'k'), "m"), keyed(bytes_of(sha256(std::string(64, 'k'))), "m"));
  EXPECT_EQ(keyed(std::string(65, 'k'), "m"), keyed(bytes_of(sha256(std::string(65, 'k'))), "m"));
}

TEST(Sha256, ThreadsDoNotDisturbEachOther) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong] {
      for (int i = 0; i < 1000; ++i)
        if (hash("abc") != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace sheaf

#include "base/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace sheaf {
namespace {

constexpr size_t kBlockBytes = 64;

// OpenSSL looks an algorithm up by its name, under locks, unless it was fetched before.
EVP_MD* algorithm() {
  static EVP_MD* const fetched = [] {
    EVP_MD* const md = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    if (md == nullptr) {
      std::fputs("OpenSSL does not provide SHA-256\n", stderr);
      std::abort();
    }
    return md;
  }();
  return fetched;
}

// Bound to the algorithm once, and one for each thread: this is what makes small digests cheap.
class Hasher {
 public:
  Hasher() : context_(EVP_MD_CTX_new()) {
    check(context_ != nullptr && EVP_DigestInit_ex2(context_, algorithm(), nullptr) == 1);
  }
  ~Hasher() { EVP_MD_CTX_free(context_); }
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Digest hash(std::initializer_list<std::string_view> pieces) {
    check(EVP_DigestInit_ex2(context_, nullptr, nullptr) == 1);
    for (const std::string_view piece : pieces)
      check(EVP_DigestUpdate(context_, piece.data(), piece.size()) == 1);
    Digest digest;
    check(EVP_DigestFinal_ex(context_, reinterpret_cast<unsigned char*>(digest.data()), nullptr) == 1);
    return digest;
  }

 private:
  // A digest that failed must not be taken for one, and there is nothing to be done about it.
  static void check(bool done) {
    if (!done) std::abort();
  }

  EVP_MD_CTX* context_;
};

Hasher& hasher() {
  thread_local Hasher of_this_thread;
  return of_this_thread;
}

}  // namespace

Digest sha256(std::string_view bytes) { return hasher().hash({bytes}); }

Digest hmac_sha256(std::string_view key, std::string_view message) {
  Digest hashed_key;
  if (key.size() > kBlockBytes) {
    hashed_key = sha256(key);
    key = bytes_of(hashed_key);
  }
  std::array<char, kBlockBytes> inner;
  std::array<char, kBlockBytes> outer;
  inner.fill(0x36);
  outer.fill(0x5c);
  for (size_t i = 0; i < key.size(); ++i) {
    inner[i] = static_cast<char>(inner[i] ^ key[i]);
    outer[i] = static_cast<char>(outer[i] ^ key[i]);
  }
  const Digest first = hasher().hash({{inner.data(), inner.size()}, message});
  const Digest second = hasher().hash({{outer.data(), outer.size()}, bytes_of(first)});
  OPENSSL_cleanse(inner.data(), inner.size());
  OPENSSL_cleanse(outer.data(), outer.size());
  return second;
}

HexDigest hex_of(const Digest& digest) {
  HexDigest hex;
  for (size_t i = 0; i < digest.size(); ++i) {
    const auto byte = static_cast<unsigned char>(digest[i]);
    hex[2 * i] = "0123456789abcdef"[byte >> 4];
    hex[2 * i + 1] = "0123456789abcdef"[byte & 15];
  }
  return hex;
}

}  // namespace sheaf

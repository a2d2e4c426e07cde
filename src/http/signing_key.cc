#include "http/signing_key.h"

#include <openssl/crypto.h>

#include <array>
#include <functional>
#include <memory>
#include <string>

namespace sheaf::http {
namespace {

// A region may be anything the client says; what no region is called need not be remembered.
constexpr size_t kScopeBytesMax = 64;

struct Slot {
  uint64_t serial = 0;  // of no credential
  std::string scope;
  Digest key;
};

using Slots = std::array<Slot, kSigningKeysMax>;
static_assert((kSigningKeysMax & (kSigningKeysMax - 1)) == 0);

// A key has one place: the next one that belongs there takes it. A stranger who names ever new regions can
// only cause the work of deriving, which is what one request without memory costs.
Slot& slot_of(uint64_t serial, std::string_view scope) {
  thread_local const std::unique_ptr<Slots> slots = std::make_unique<Slots>();
  const size_t hash = std::hash<std::string_view>()(scope) + serial;
  return (*slots)[hash & (kSigningKeysMax - 1)];
}

}  // namespace

Digest derive_signing_key(std::string_view secret_access_key, const KeyScope& scope) {
  std::string first = "AWS4";
  first.reserve(first.size() + secret_access_key.size());
  first += secret_access_key;
  Digest key = hmac_sha256(first, scope.date);
  OPENSSL_cleanse(first.data(), first.size());
  key = hmac_sha256(bytes_of(key), scope.region);
  key = hmac_sha256(bytes_of(key), scope.service);
  return hmac_sha256(bytes_of(key), "aws4_request");
}

Digest signing_key(const Credential& credential, const KeyScope& scope) {
  const std::string_view secret = credential.secret_access_key().reveal();
  std::array<char, kScopeBytesMax> buffer;
  if (scope.date.size() + scope.region.size() + scope.service.size() + 2 > buffer.size())
    return derive_signing_key(secret, scope);
  char* end = std::copy(scope.date.begin(), scope.date.end(), buffer.data());
  *end++ = '/';
  end = std::copy(scope.region.begin(), scope.region.end(), end);
  *end++ = '/';
  end = std::copy(scope.service.begin(), scope.service.end(), end);
  const std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));

  Slot& slot = slot_of(credential.serial(), text);
  if (slot.serial != credential.serial() || slot.scope != text) {
    slot.key = derive_signing_key(secret, scope);
    slot.scope = text;
    slot.serial = credential.serial();
  }
  return slot.key;
}

}  // namespace sheaf::http

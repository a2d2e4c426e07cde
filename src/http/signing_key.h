// Keys that sign for one day, one region and one service, derived from a secret.
#pragma once

#include <string_view>

#include "base/sha256.h"
#include "http/credentials.h"

namespace sheaf::http {

struct KeyScope {
  std::string_view date;  // "20150830"
  std::string_view region;
  std::string_view service;
};

Digest derive_signing_key(std::string_view secret_access_key, const KeyScope& scope);

// The same, remembered: a thread keeps up to kSigningKeysMax keys, of which the ones in use survive. Keys of
// a credential are never found under another, even under one with the same id.
Digest signing_key(const Credential& credential, const KeyScope& scope);

inline constexpr size_t kSigningKeysMax = 64;  // a power of two

}  // namespace sheaf::http

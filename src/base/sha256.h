// SHA-256 and its keyed form, as one call each. Thread-safe; nothing is looked up or allocated per call.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace sheaf {

using Digest = std::array<char, 32>;

Digest sha256(std::string_view bytes);
// HMAC of RFC 2104.
Digest hmac_sha256(std::string_view key, std::string_view message);

inline std::string_view bytes_of(const Digest& digest) { return {digest.data(), digest.size()}; }

// 64 digits in lower case.
using HexDigest = std::array<char, 64>;
HexDigest hex_of(const Digest& digest);
inline std::string_view hex_text(const HexDigest& hex) { return {hex.data(), hex.size()}; }

}  // namespace sheaf

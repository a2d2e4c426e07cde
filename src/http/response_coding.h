// Compressed answers, for clients that ask for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::http {

// What is not larger is sent as it is.
inline constexpr size_t kPlainBytesMax = 4096;

enum class ResponseCoding : uint8_t { kIdentity, kGzip, kDeflate };

// What an Accept-Encoding header likes best of the two that there are: the highest weight, of equal ones the
// first that is named.
ResponseCoding choose_coding(std::string_view accepted);

// "gzip", "deflate"; nothing for kIdentity.
std::string_view coding_name(ResponseCoding coding);

// Compresses `body` if that makes it smaller, and says whether it did.
bool compress(std::string& body, ResponseCoding coding);

}  // namespace sheaf::http

// Base64 with padding, as DynamoDB's JSON carries binaries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf {

void append_base64(std::string& out, std::string_view bytes);

// Characters for `count` bytes.
inline size_t base64_bytes(size_t count) { return (count + 2) / 3 * 4; }

// Writes base64_bytes(bytes.size()) characters to `out` and returns their end.
char* print_base64(char* out, std::string_view bytes);

// Appends the bytes that `text` stands for. False, and nothing appended, if it is not whole groups of the
// alphabet with at most two '=' at the end and no bits set that stand for nothing.
bool decode_base64(std::string& out, std::string_view text);

}  // namespace sheaf

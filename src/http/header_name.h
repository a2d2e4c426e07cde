// Names of headers are the same in upper and in lower case.
#pragma once

#include <algorithm>
#include <string_view>

namespace sheaf::http {

inline char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// Of a hexadecimal digit; -1 for what is none.
inline int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = lower_case(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Whether `name` is `lower`, which is given in lower case.
inline bool is_same_name(std::string_view name, std::string_view lower) {
  return name.size() == lower.size() && std::equal(name.begin(), name.end(), lower.begin(),
                                                   [](char a, char b) { return lower_case(a) == b; });
}

}  // namespace sheaf::http

// A header's value as a list: elements between commas, with blanks around them that mean nothing.
#pragma once

#include <string_view>

namespace sheaf::http {

// Without spaces and tabs at both ends.
inline std::string_view trim_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the first element off the list.
inline std::string_view take_element(std::string_view& list) {
  const size_t comma = list.find(',');
  const std::string_view element = trim_blanks(list.substr(0, comma));
  list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  return element;
}

}  // namespace sheaf::http

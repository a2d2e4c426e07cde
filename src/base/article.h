// a User, an Order: names in messages.
#pragma once

#include <string>
#include <string_view>

namespace sheaf {

inline std::string with_article(std::string_view noun) {
  const bool is_vowel =
      !noun.empty() && std::string_view("aeioAEIO").find(noun.front()) != std::string_view::npos;
  return std::string(is_vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace sheaf

// What refusals have in common: their first words.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "sheaf/result.h"

namespace sheaf {

inline Error invalid(std::string text) { return {Code::kInvalid, std::move(text)}; }

// With the words that begin most of DynamoDB's complaints.
inline Error invalid_parameter(std::string_view text) {
  return invalid("One or more parameter values were invalid: " + std::string(text));
}

}  // namespace sheaf

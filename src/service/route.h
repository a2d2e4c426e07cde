// Where a request about models goes.
//   GET      /models
//   GET      /models/NAME
//   GET      /models/NAME/openapi.json
//   GET POST /models/NAME/patterns/PATTERN
//   POST     /models/NAME/operations/OPERATION
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::service {

struct Route {
  enum class Kind : uint8_t { kModels, kModel, kOpenApi, kPattern, kOperation };
  Kind kind = Kind::kModels;
  std::string model;
  std::string name;  // of the pattern or operation

  // For the header Allow; HEAD is there wherever GET is.
  std::string_view methods() const;
  bool takes(std::string_view method) const;
};

// Whether a target belongs here at all: /models and what is below it.
bool is_below_models(std::string_view target);

// Nothing if there is no such place, or the target is not properly escaped. Its query is not looked at.
std::optional<Route> find_route(std::string_view target);

// The names and values behind the `?`, in order, without those of a presigned request's signature. Nothing if
// they are not properly escaped, or no UTF-8.
using Query = std::vector<std::pair<std::string, std::string>>;
std::optional<Query> query_of(std::string_view target);

}  // namespace sheaf::service

// From DynamoDB's JSON to flat items and values, with no tree between.
#pragma once

#include <string>

#include "sheaf/value.h"

#include "wire/shape.h"

namespace sheaf::wire {

// Reusable; keeps its memory. What has another type than an attribute value may have is kMalformed, what is
// wrong with a value kInvalid, in AWS's words.
class ItemReader {
 public:
  // {"name": {"S": "text"}, ...}: a map, which check_shape has seen.
  Result<Item> item(Json json);
  // {"S": "text"}
  Result<Value> value(Json json);

 private:
  Result<void> entries(simdjson::dom::object object);
  Result<void> attribute_value(Json json);
  Result<void> content(std::string_view type, Json json);
  Result<void> binary(Json json);
  Result<void> set(Type type, Json json);

  ValueWriter writer_;
  std::string bytes_;  // scratch: a decoded binary
  int depth_ = 0;
};

// Whether `text` is what AWS takes for a binary.
Result<void> check_base64(std::string_view text);

}  // namespace sheaf::wire

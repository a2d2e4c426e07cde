// For the fuzz targets: the same placeholders and items for every text.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "expr/test_request.h"

namespace sheaf::expr {

// A fresh request in which #a ... #d and one value of each type, :0 ... :9, are defined.
class FuzzRequest : public TestRequest {
 public:
  FuzzRequest()
      : TestRequest({{":0", Value()},
                     {":1", Value(true)},
                     {":2", Value(7)},
                     {":3", Value("text")},
                     {":4", Value::binary("bytes")},
                     {":5", Value(Item{{"a", 1}})},
                     {":6", Value::list({1, "two"})},
                     {":7", Value::string_set({"S", "text"})},
                     {":8", Value::number_set({1, 7})},
                     {":9", Value::binary_set({"bytes"})},
                     {":t", Value("NS")}},
                    {{"#a", "a"}, {"#b", "b"}, {"#c", "c"}, {"#d", "[0]"}}) {}
};

inline const std::vector<Item>& fuzz_items() {
  static const std::vector<Item> items = {
      Item(), Item{{"a", 7}, {"b", "text"}, {"c", true}},
      Item{{"a", Value(Item{{"a", Value::list({1, Value(Item{{"b", "x"}}), Value::list({2})})}, {"b", 2}})},
           {"b", Value::list({Value::string_set({"S", "x"}), 7, "text"})},
           {"c", Value::number_set({1, 2, 3})}}};
  return items;
}

// What a fuzz target promises.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// A refusal says which parameter it is about, and is the request's fault.
inline void require_complaint(const Error& error, std::string_view parameter) {
  require(error.code == Code::kInvalid);
  require(error.message.starts_with("Invalid " + std::string(parameter) + ": "));
}

}  // namespace sheaf::expr

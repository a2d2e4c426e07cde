// For tests: a request's placeholders, written down in one line.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sheaf/value.h"

#include "expr/placeholders.h"

namespace sheaf::expr {

class TestRequest {
 public:
  using Values = std::initializer_list<std::pair<std::string_view, Value>>;

  explicit TestRequest(Values values = {}, std::vector<NamePlaceholder> names = {})
      : names_(std::move(names)), values_(values), placeholders_(names_, values_) {}
  TestRequest(const TestRequest&) = delete;
  TestRequest& operator=(const TestRequest&) = delete;

  operator Placeholders&() { return placeholders_; }  // NOLINT: reads well in tests
  Placeholders* operator->() { return &placeholders_; }

 private:
  std::vector<NamePlaceholder> names_;
  Item values_;
  Placeholders placeholders_;
};

// The message of an error, or "ok".
template <typename T>
std::string outcome_of(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().message;
}

// A value of each type.
inline std::vector<Value> values_of_all_types() {
  return {Value(),
          Value(true),
          Value(7),
          Value("text"),
          Value::binary("bytes"),
          Value(Item{{"member", 1}}),
          Value::list({1, 2}),
          Value::string_set({"a"}),
          Value::number_set({1}),
          Value::binary_set({"b"})};
}

}  // namespace sheaf::expr

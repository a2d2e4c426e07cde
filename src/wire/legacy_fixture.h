// Requests made of legacy parameters, from their text: for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "wire/legacy.h"

namespace sheaf::wire {

enum LegacyMember : size_t {
  kAttributesToGet,
  kAttributeUpdates,
  kScanFilter,
  kExpected,
  kConditionalOperator,
  kKeyConditions,
  kProjectionExpression,
  kUpdateExpression,
  kFilterExpression,
  kConditionExpression,
  kKeyConditionExpression,
};

inline constexpr Member kLegacyMembers[] = {
    {"AttributesToGet", &kStringList, {.min = 1}},
    {"AttributeUpdates", &kAttributeUpdateMap},
    {"ScanFilter", &kConditionMap},
    {"Expected", &kExpectedMap},
    {"ConditionalOperator", &kString, {.values = kConditionalOperators}},
    {"KeyConditions", &kConditionMap},
    {"ProjectionExpression", &kString},
    {"UpdateExpression", &kString},
    {"FilterExpression", &kString},
    {"ConditionExpression", &kString},
    {"KeyConditionExpression", &kString},
};
inline constexpr Shape kLegacyShape{
    .kind = Kind::kStructure, .class_name = "LegacyInput", .members = kLegacyMembers};

class LegacyRequest {
 public:
  explicit LegacyRequest(std::string_view text) : json_(parser_.parse(text)) {}

  Result<void> check() const { return check_shape(json_, kLegacyShape); }
  Input input() { return Input(json_, kLegacyShape, reader_); }

 private:
  simdjson::dom::parser parser_;
  ItemReader reader_;
  Json json_;
};

// "ok", or what is wrong.
template <typename T>
std::string outcome_of(const Result<T>& result) {
  return result.ok() ? "ok" : result.error().message;
}

// What one of the read functions makes of `text`, which must have the right shape.
template <typename Read>
auto read_text(std::string_view text, Read read) -> decltype(read(std::declval<const Input&>())) {
  LegacyRequest request(text);
  const Result<void> checked = request.check();
  if (!checked.ok()) return checked.error();
  return read(request.input());
}

inline Item item_of(std::string_view text) {
  simdjson::dom::parser parser;
  ItemReader reader;
  const Json json = parser.parse(text);
  return *reader.item(json);
}

inline const std::string kInvalidParameter = "One or more parameter values were invalid: ";

// One value of each type.
inline constexpr std::string_view kOneOfEachType[] = {R"({"S":"b"})",         R"({"N":"5"})",
                                                      R"({"B":"Yg=="})",      R"({"BOOL":true})",
                                                      R"({"NULL":true})",     R"({"SS":["b","c"]})",
                                                      R"({"NS":["5","6"]})",  R"({"BS":["Yg==","Yw=="]})",
                                                      R"({"L":[{"S":"b"}]})", R"({"M":{"b":{"S":"b"}}})"};

// "S" of {"S":"b"}
inline std::string_view type_of(std::string_view value) { return value.substr(2, value.find('"', 2) - 2); }

}  // namespace sheaf::wire

// Members that many requests share.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "wire/shape.h"

namespace sheaf::wire {

inline constexpr std::array<std::string_view, 3> kReturnCapacityValues = {"INDEXES", "TOTAL", "NONE"};
inline constexpr std::array<std::string_view, 2> kReturnMetricsValues = {"SIZE", "NONE"};
inline constexpr std::array<std::string_view, 5> kReturnValuesValues = {"ALL_NEW", "UPDATED_OLD", "ALL_OLD",
                                                                        "NONE", "UPDATED_NEW"};
inline constexpr std::array<std::string_view, 2> kReturnOnFailureValues = {"ALL_OLD", "NONE"};

// Where items are read and written a name may be shorter than where tables are made.
inline constexpr Member kTableNameMember{
    "TableName", &kString, {.required = true, .min = 1, .max = 255, .table_name = true}};
inline constexpr Member kReturnCapacityMember{
    "ReturnConsumedCapacity", &kString, {.values = kReturnCapacityValues}};
inline constexpr Member kReturnMetricsMember{
    "ReturnItemCollectionMetrics", &kString, {.values = kReturnMetricsValues}};
inline constexpr Member kReturnOnFailureMember{
    "ReturnValuesOnConditionCheckFailure", &kString, {.values = kReturnOnFailureValues}};
inline constexpr Member kNamesMember{"ExpressionAttributeNames", &kStringMap};
inline constexpr Member kValuesMember{"ExpressionAttributeValues", &kValueMap};

// A response's members, each with a comma in front of it, as the whole response.
inline std::string finish_object(std::string members) {
  if (members.empty()) return "{}";
  members.front() = '{';
  members += '}';
  return members;
}

}  // namespace sheaf::wire

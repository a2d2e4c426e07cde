// DynamoDB's limits on expressions. Each is checked where the thing it bounds is read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sheaf::expr {

inline constexpr size_t kExpressionBytesMax = 4096;  // of the text as sent, before any substitution
inline constexpr uint32_t kOperatorsMax = 300;       // comparators, AND, OR, NOT, BETWEEN, IN, + and -
inline constexpr uint32_t kInOperandsMax = 100;      // inside the parentheses of one IN
inline constexpr uint32_t kPathDepthMax = 32;        // elements of one document path
inline constexpr uint32_t kListIndexMax = 2147483647;
inline constexpr size_t kPlaceholderBytesMax = 255;  // with its # or :
inline constexpr size_t kAttributeNameBytesMax = 65535;
inline constexpr size_t kKeyAttributesMax = 4;  // partition attributes of one key, and sort attributes

}  // namespace sheaf::expr

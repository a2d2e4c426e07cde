// The shapes of DynamoDB's requests as data, and the check of a request against its shape. What is wrong with
// a request's form is told in AWS's words: first what cannot be read at all, then every constraint that does
// not hold, in one message.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sheaf/result.h"

namespace sheaf::wire {

using Json = simdjson::dom::element;

// Of an element that is known to be one.
inline simdjson::dom::object object_of(Json json) { return json.get_object().value_unsafe(); }
inline simdjson::dom::array array_of(Json json) { return json.get_array().value_unsafe(); }

enum class Kind : uint8_t {
  kString,
  kBoolean,
  kInteger,
  kLong,
  kValue,  // an AttributeValue: read by ItemReader, not looked into here
  kList,
  kMap,        // names are free
  kStructure,  // names are those of its members; others are ignored
};

struct Member;

// Constraints on a member, or on each element of a list. Bounds are of an integer's value, and of the length
// of anything else.
struct Limits {
  bool required = false;
  bool alone = false;  // if this is violated, nothing else is complained of
  int64_t min = INT64_MIN;
  int64_t max = INT64_MAX;
  bool table_name = false;  // letters, digits, '_', '.', '-'
  std::span<const std::string_view> values = {};
};

struct Shape {
  Kind kind;
  std::string_view class_name = {};  // as AWS calls it in a complaint
  const Shape* element = nullptr;    // of a list or map
  Limits element_limits = {};
  bool names_are_tables = false;  // of a map
  std::span<const Member> members = {};
};

struct Member {
  std::string_view name;  // as in the request: "TableName"
  const Shape* shape;
  Limits limits = {};
};

inline constexpr Shape kString{.kind = Kind::kString, .class_name = "java.lang.String"};
inline constexpr Shape kBoolean{.kind = Kind::kBoolean, .class_name = "java.lang.Boolean"};
inline constexpr Shape kInteger{.kind = Kind::kInteger, .class_name = "java.lang.Integer"};
inline constexpr Shape kLong{.kind = Kind::kLong, .class_name = "java.lang.Long"};
inline constexpr Shape kValue{.kind = Kind::kValue,
                              .class_name = "com.amazonaws.dynamodb.v20120810.AttributeValue"};
inline constexpr Shape kValueMap{.kind = Kind::kMap, .element = &kValue};
inline constexpr Shape kValueList{.kind = Kind::kList, .element = &kValue};
inline constexpr Shape kStringMap{.kind = Kind::kMap, .element = &kString};
inline constexpr Shape kStringList{.kind = Kind::kList, .element = &kString};

// Whether `json` has the shape of the structure `shape`. kMalformed if something in it is of another type
// (attribute values are looked into only with `values`), else kInvalid if constraints do not hold.
enum class Depth : uint8_t { kWithoutValues, kWithValues };
Result<void> check_shape(Json json, const Shape& shape, Depth depth = Depth::kWithoutValues);

// The members of a structure that has been checked, by their place in its shape.
class Fields {
 public:
  Fields(Json json, const Shape& shape);

  bool has(size_t member) const { return present_ >> member & 1; }
  // Of a member that is there; its shape says of which type it is.
  Json json(size_t member) const { return fields_[member]; }
  Fields fields(size_t member) const { return Fields(fields_[member], *shape_->members[member].shape); }

  std::string_view text(size_t member) const;  // empty if it is not there
  bool flag(size_t member) const;              // false if it is not there
  int64_t integer(size_t member) const;        // 0 if it is not there
  simdjson::dom::array list(size_t member) const { return array_of(fields_[member]); }
  simdjson::dom::object map(size_t member) const { return object_of(fields_[member]); }
  std::string_view name(size_t member) const { return shape_->members[member].name; }
  const Shape& element_shape(size_t member) const { return *shape_->members[member].shape->element; }

 private:
  static constexpr size_t kMembersMax = 32;

  const Shape* shape_;
  uint32_t present_ = 0;
  Json fields_[kMembersMax];
};

}  // namespace sheaf::wire

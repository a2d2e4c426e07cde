#include "wire/shape.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <vector>

#include "base/try.h"
#include "wire/input.h"
#include "wire/item_reader.h"
#include "wire/java_text.h"

namespace sheaf::wire {
namespace {

using simdjson::dom::element_type;

constexpr size_t kViolationsMax = 10;
constexpr size_t kTableNameMax = 255;
constexpr size_t kArnBytesMax = 1024;  // which may stand where a table's name may

Error malformed(std::string text) { return {Code::kMalformed, std::move(text)}; }

Error unexpected_structure() { return malformed("Start of structure or map found where not expected"); }

Error unexpected_list(std::string_view class_name) {
  return malformed("Unrecognized collection type class " + std::string(class_name));
}

// How AWS's parser calls a value that is no structure.
std::string_view token_name(Json json) {
  switch (json.type()) {
    case element_type::BOOL:
      return json.get_bool().value_unsafe() ? "TRUE_VALUE" : "FALSE_VALUE";
    case element_type::STRING:
      return "STRING_VALUE";
    case element_type::DOUBLE:
      return "DECIMAL_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

std::string_view simple_name(std::string_view class_name) {
  return class_name.substr(class_name.rfind('.') + 1);
}

Error cannot_convert(Json json, const Shape& shape) {
  return malformed(std::string(token_name(json)) + " cannot be converted to " +
                   std::string(simple_name(shape.class_name)));
}

bool is_number(Json json) {
  return json.type() == element_type::INT64 || json.type() == element_type::UINT64 ||
         json.type() == element_type::DOUBLE;
}

// AWS takes some words for booleans.
std::optional<bool> boolean_of(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  if (upper == "TRUE" || upper == "1" || upper == "YES") return true;
  if (upper == "FALSE" || upper == "0" || upper == "NO") return false;
  return std::nullopt;
}

bool is_table_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

std::optional<size_t> member_at(const Shape& shape, std::string_view name) {
  for (size_t i = 0; i < shape.members.size(); ++i) {
    if (shape.members[i].name == name) return i;
  }
  return std::nullopt;
}

// An integer, cut off as AWS does.
int64_t integer_of(Json json) {
  switch (json.type()) {
    case element_type::INT64:
      return json.get_int64().value_unsafe();
    case element_type::UINT64:
      return INT64_MAX;
    default: {
      const double number = std::floor(json.get_double().value_unsafe());
      if (number >= 9.2e18) return INT64_MAX;
      return number <= -9.2e18 ? INT64_MIN : static_cast<int64_t>(number);
    }
  }
}

size_t characters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

class ShapeCheck {
 public:
  explicit ShapeCheck(Depth depth) : depth_(depth) {}

  Result<void> structure(Json json, const Shape& shape) {
    if (json.type() != element_type::OBJECT) {
      if (json.type() == element_type::ARRAY) return unexpected_list(shape.class_name);
      return malformed(path_.empty() ? "Unexpected value type in payload" : "Unexpected field type");
    }
    // In the order of the shape, which is that of the complaints.
    const Fields fields(json, shape);
    for (size_t i = 0; i < shape.members.size(); ++i) {
      const Member& member = shape.members[i];
      const size_t length = enter(member.name);
      in_alone_ = member.limits.alone;
      if (fields.has(i)) {
        TRY(value(fields.json(i), *member.shape, member.limits));
      } else if (member.limits.required && member.limits.alone) {
        missing_ = member.name;
      } else if (member.limits.required) {
        violation("null", "Member must not be null");
      }
      in_alone_ = false;
      path_.resize(length);
    }
    return {};
  }

  Result<void> result() const {
    if (!missing_.empty()) {
      return Error{Code::kInvalid, "The parameter '" + std::string(missing_) +
                                       "' is required but was not present in the request"};
    }
    if (violations_ == 0) return {};
    return Error{Code::kInvalid, std::to_string(violations_) + " validation error" +
                                     (violations_ > 1 ? "s" : "") + " detected: " + text_};
  }

 private:
  // Appends a member's name to the path, as AWS spells it there.
  size_t enter(std::string_view name) {
    const size_t length = path_.size();
    if (!path_.empty()) path_ += '.';
    const size_t start = path_.size();
    path_ += name;
    if (path_[start] >= 'A' && path_[start] <= 'Z')
      path_[start] = static_cast<char>(path_[start] - 'A' + 'a');
    return length;
  }

  Result<void> value(Json json, const Shape& shape, const Limits& limits) {
    switch (shape.kind) {
      case Kind::kString:
        return text(json, shape, limits);
      case Kind::kBoolean:
        return boolean(json, shape);
      case Kind::kInteger:
      case Kind::kLong:
        return integer(json, shape, limits);
      case Kind::kValue:
        return depth_ == Depth::kWithValues ? attribute_value(json) : Result<void>();
      case Kind::kList:
        return list(json, shape, limits);
      case Kind::kMap:
        return map(json, shape, limits);
      case Kind::kStructure:
        return structure(json, shape);
    }
    return {};
  }

  Result<void> text(Json json, const Shape& shape, const Limits& limits) {
    if (json.type() == element_type::ARRAY) return unexpected_list(shape.class_name);
    if (json.type() == element_type::OBJECT) return unexpected_structure();
    if (json.type() != element_type::STRING) return cannot_convert(json, shape);
    const std::string_view string = json.get_string().value_unsafe();
    if (!limits.values.empty() &&
        std::find(limits.values.begin(), limits.values.end(), string) == limits.values.end()) {
      std::string constraint = "Member must satisfy enum value set: [";
      for (size_t i = 0; i < limits.values.size(); ++i) {
        if (i > 0) constraint += ", ";
        constraint += limits.values[i];
      }
      violation(json, shape, constraint + "]");
    }
    if (limits.min == INT64_MIN && limits.max == INT64_MAX) return {};
    if (limits.table_name && string.starts_with("arn:") && string.size() <= kArnBytesMax) return {};
    const auto length = static_cast<int64_t>(characters(string));
    const bool too_short = length < limits.min;
    if (too_short)
      violation(json, shape,
                "Member must have length greater than or equal to " + std::to_string(limits.min));
    // Where any length will do, no more is said of an empty name.
    if (limits.table_name && !is_table_name(string) && !(too_short && limits.min == 1))
      violation(json, shape, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    if (length > limits.max)
      violation(json, shape, "Member must have length less than or equal to " + std::to_string(limits.max));
    return {};
  }

  static Result<void> boolean(Json json, const Shape& shape) {
    switch (json.type()) {
      case element_type::BOOL:
        return {};
      case element_type::ARRAY:
        return unexpected_list(shape.class_name);
      case element_type::OBJECT:
        return unexpected_structure();
      case element_type::STRING:
        if (boolean_of(json.get_string().value_unsafe())) return {};
        return malformed("Unexpected token received from parser");
      default:
        return cannot_convert(json, shape);
    }
  }

  Result<void> integer(Json json, const Shape& shape, const Limits& limits) {
    if (json.type() == element_type::ARRAY) return unexpected_list(shape.class_name);
    if (json.type() == element_type::OBJECT) return unexpected_structure();
    if (!is_number(json)) return cannot_convert(json, shape);
    const int64_t number = integer_of(json);
    if (number < limits.min)
      violation(json, shape, "Member must have value greater than or equal to " + std::to_string(limits.min));
    if (number > limits.max)
      violation(json, shape, "Member must have value less than or equal to " + std::to_string(limits.max));
    return {};
  }

  Result<void> list(Json json, const Shape& shape, const Limits& limits) {
    if (json.type() == element_type::OBJECT) return unexpected_structure();
    if (json.type() != element_type::ARRAY) return malformed("Unexpected field type");
    const simdjson::dom::array elements = array_of(json);
    check_length(json, shape, limits, elements.size());
    if (shape.element->kind == Kind::kValue && depth_ == Depth::kWithoutValues) return {};
    size_t position = 0;
    for (const Json element : elements) {
      const size_t length = path_.size();
      path_ += '.' + std::to_string(++position) + ".member";
      if (!element.is_null()) {
        TRY(value(element, *shape.element, shape.element_limits));
      } else if (shape.element_limits.required) {
        violation("null", "Member must not be null");
      }
      path_.resize(length);
    }
    return {};
  }

  Result<void> map(Json json, const Shape& shape, const Limits& limits) {
    if (json.type() == element_type::ARRAY) {
      return malformed("Unrecognized collection type java.util.Map<java.lang.String, " +
                       std::string(shape.element->class_name) + ">");
    }
    if (json.type() != element_type::OBJECT) return malformed("Unexpected field type");
    const simdjson::dom::object entries = object_of(json);
    if (limits.min != INT64_MIN || limits.max != INT64_MAX) check_length(json, shape, limits, entries.size());
    if (shape.names_are_tables) check_table_names(json, shape);
    if (shape.element->kind == Kind::kValue && depth_ == Depth::kWithoutValues) return {};
    for (const auto& [name, element] : entries) {
      const size_t length = path_.size();
      path_ += '.';
      path_ += name;
      path_ += ".member";
      if (!element.is_null()) TRY(value(element, *shape.element, shape.element_limits));
      path_.resize(length);
    }
    return {};
  }

  // The types inside an attribute value; what is wrong with it otherwise is ItemReader's to say.
  static Result<void> attribute_value(Json json) {
    if (json.type() == element_type::ARRAY) return unexpected_list(kValue.class_name);
    if (json.type() != element_type::OBJECT) return malformed("Unexpected value type in payload");
    for (const auto& [type, content] : object_of(json)) {
      if (!content.is_null()) TRY(attribute_content(type, content));
    }
    return {};
  }

  static Result<void> attribute_content(std::string_view type, Json json) {
    ShapeCheck inner(Depth::kWithValues);
    if (type == "S" || type == "N") return inner.text(json, kString, {});
    if (type == "B") return blob(json);
    if (type == "BOOL" || type == "NULL") return boolean(json, kBoolean);
    if (type == "SS" || type == "NS") return inner.list(json, kStringList, {});
    if (type == "L") return inner.list(json, kValueList, {});
    if (type == "M") return inner.map(json, kValueMap, {});
    if (type != "BS") return {};
    if (json.type() == element_type::OBJECT) return unexpected_structure();
    if (json.type() != element_type::ARRAY) return malformed("Unexpected field type");
    for (const Json element : array_of(json)) TRY(blob(element));
    return {};
  }

  static Result<void> blob(Json json) {
    if (json.type() == element_type::ARRAY) return unexpected_list("java.nio.ByteBuffer");
    if (json.type() == element_type::OBJECT) return unexpected_structure();
    if (json.type() != element_type::STRING)
      return malformed("only base-64-encoded strings are convertible to bytes");
    return check_base64(json.get_string().value_unsafe());
  }

  void check_length(Json json, const Shape& shape, const Limits& limits, size_t size) {
    const auto length = static_cast<int64_t>(size);
    if (length < limits.min)
      violation(json, shape,
                "Member must have length greater than or equal to " + std::to_string(limits.min));
    if (length > limits.max)
      violation(json, shape, "Member must have length less than or equal to " + std::to_string(limits.max));
  }

  void check_table_names(Json json, const Shape& shape) {
    for (const auto& entry : object_of(json)) {
      const std::string_view name = table_of(entry.key);
      if (is_table_name(name) && name.size() <= kTableNameMax) continue;
      return violation(
          json, shape,
          "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "
          "Member must have length greater than or equal to 1, Member must satisfy regular expression "
          "pattern: [a-zA-Z0-9_.-]+]");
    }
  }

  void violation(Json json, const Shape& shape, const std::string& constraint) {
    violation('\'' + java_text(json, shape) + '\'', constraint);
  }
  void violation(const std::string& shown, const std::string& constraint) {
    if (alone_violated_ && !in_alone_) return;
    if (in_alone_ && !alone_violated_) {
      alone_violated_ = true;
      violations_ = 0;
      text_.clear();
    }
    if (violations_ == kViolationsMax) return;
    if (violations_++ > 0) text_ += "; ";
    text_ += "Value " + shown + " at '" + path_ + "' failed to satisfy constraint: " + constraint;
  }

  const Depth depth_;
  std::string path_;
  std::string text_;
  size_t violations_ = 0;
  std::string_view missing_;  // what cannot be left out, and was
  bool in_alone_ = false;     // the member at hand is one that is complained of alone
  bool alone_violated_ = false;
};

}  // namespace

Result<void> check_shape(Json json, const Shape& shape, Depth depth) {
  ShapeCheck check(depth);
  TRY(check.structure(json, shape));
  return check.result();
}

Fields::Fields(Json json, const Shape& shape) : shape_(&shape) {
  assert(shape.members.size() <= kMembersMax);
  if (json.type() != element_type::OBJECT) return;  // null, inside a list or map
  for (const auto& [name, value] : object_of(json)) {
    const std::optional<size_t> member = member_at(shape, name);
    if (!member || value.is_null()) continue;
    fields_[*member] = value;
    present_ |= 1u << *member;
  }
}

std::string_view Fields::text(size_t member) const {
  return has(member) ? fields_[member].get_string().value_unsafe() : std::string_view();
}

bool Fields::flag(size_t member) const {
  if (!has(member)) return false;
  if (fields_[member].type() == element_type::BOOL) return fields_[member].get_bool().value_unsafe();
  return boolean_of(text(member)).value_or(false);
}

int64_t Fields::integer(size_t member) const { return has(member) ? integer_of(fields_[member]) : 0; }

}  // namespace sheaf::wire

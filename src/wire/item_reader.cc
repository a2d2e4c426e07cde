#include "wire/item_reader.h"

#include "sheaf/number.h"

#include "base/errors.h"
#include "base/try.h"
#include "value/base64.h"

namespace sheaf::wire {
namespace {

using simdjson::dom::element_type;

// The body of a request is not read deeper than this; a value's own limit is far below.
constexpr int kDepthMax = 200;
constexpr size_t kNameBytesMax = 65'535;

// check_shape says what it is that was found.
Error of_another_type() { return {Code::kMalformed, "Unexpected value type in payload"}; }

Result<std::string_view> text_of(Json json) {
  std::string_view text;
  if (json.get_string().get(text) != simdjson::SUCCESS) return of_another_type();
  return text;
}

Result<void> check_name(std::string_view name) {
  if (name.empty()) return invalid("One or more parameter values were invalid: Empty attribute name");
  if (name.size() > kNameBytesMax) {
    return invalid(
        "One or more parameter values were invalid: Attribute name is too large, must be less than 65536 "
        "bytes");
  }
  return {};
}

std::optional<Type> set_type(std::string_view name) {
  if (name == "SS") return Type::kStringSet;
  if (name == "NS") return Type::kNumberSet;
  if (name == "BS") return Type::kBinarySet;
  return std::nullopt;
}

}  // namespace

Result<void> check_base64(std::string_view text) {
  std::string bytes;
  if (decode_base64(bytes, text)) return {};
  if (text.size() % 4 != 0) {
    return Error{Code::kMalformed, "Base64 encoded length is expected a multiple of 4 bytes but found: " +
                                       std::to_string(text.size())};
  }
  return Error{Code::kMalformed, "Invalid last non-pad Base64 character dectected"};
}

Result<Item> ItemReader::item(Json json) {
  writer_.reset();
  depth_ = 0;
  writer_.begin_item();
  const simdjson::dom::object object = object_of(json);
  for (const auto& entry : object) TRY(check_name(entry.key));
  TRY(entries(object));
  writer_.end_item();
  return Item::from_encoded(TRY(writer_.finish()));
}

Result<Value> ItemReader::value(Json json) {
  writer_.reset();
  depth_ = 0;
  TRY(attribute_value(json));
  return Value::decode(TRY(writer_.finish()));
}

Result<void> ItemReader::entries(simdjson::dom::object object) {
  for (const auto& [name, json] : object) {
    if (json.is_null()) continue;
    writer_.key(name);
    TRY(attribute_value(json));
  }
  return {};
}

Result<void> ItemReader::attribute_value(Json json) {
  simdjson::dom::object object;
  if (json.get_object().get(object) != simdjson::SUCCESS) return of_another_type();
  bool found = false;
  for (const auto& [type, inner] : object) {
    if (inner.is_null()) continue;
    if (found) {
      return invalid(
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
          "supported "
          "datatypes");
    }
    found = true;
    TRY(content(type, inner));
  }
  if (found) return {};
  return invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

Result<void> ItemReader::content(std::string_view type, Json json) {
  if (type == "S") {
    writer_.string(TRY(text_of(json)));
    return {};
  }
  if (type == "N") {
    writer_.number(TRY(Number::parse(TRY(text_of(json)))));
    return {};
  }
  if (type == "B") return binary(json);
  if (type == "BOOL") {
    bool value = false;
    if (json.get_bool().get(value) != simdjson::SUCCESS) return of_another_type();
    writer_.boolean(value);
    return {};
  }
  if (type == "NULL") {
    bool value = false;
    if (json.get_bool().get(value) != simdjson::SUCCESS) return of_another_type();
    if (!value) {
      return invalid(
          "One or more parameter values were invalid: Null attribute value types must have the value of "
          "true");
    }
    writer_.null();
    return {};
  }
  if (const std::optional<Type> set_of = set_type(type)) return set(*set_of, json);
  if (++depth_ > kDepthMax) return of_another_type();
  if (type == "M") {
    simdjson::dom::object object;
    if (json.get_object().get(object) != simdjson::SUCCESS) return of_another_type();
    writer_.begin_map();
    TRY(entries(object));
    writer_.end_map();
  } else if (type == "L") {
    simdjson::dom::array array;
    if (json.get_array().get(array) != simdjson::SUCCESS) return of_another_type();
    writer_.begin_list();
    for (const Json element : array) TRY(attribute_value(element));
    writer_.end_list();
  } else {
    return invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  --depth_;
  return {};
}

Result<void> ItemReader::binary(Json json) {
  const std::string_view text = TRY(text_of(json));
  bytes_.clear();
  if (!decode_base64(bytes_, text)) return check_base64(text);
  writer_.binary(bytes_);
  return {};
}

Result<void> ItemReader::set(Type type, Json json) {
  simdjson::dom::array array;
  if (json.get_array().get(array) != simdjson::SUCCESS) return of_another_type();
  writer_.begin_set(type);
  for (const Json element : array) {
    const std::string_view text = TRY(text_of(element));
    if (type == Type::kNumberSet) {
      writer_.element(TRY(Number::parse(text)).encoded());
    } else if (type == Type::kBinarySet) {
      bytes_.clear();
      if (!decode_base64(bytes_, text)) return check_base64(text);
      writer_.element(bytes_);
    } else {
      writer_.element(text);
    }
  }
  writer_.end_set();
  return {};
}

}  // namespace sheaf::wire

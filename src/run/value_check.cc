#include "run/value_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/regular_language.h"
#include "model/value_type.h"
#include "run/conditions.h"
#include "run/item_codec.h"
#include "run/spread.h"
#include "value/base64.h"

namespace sheaf::run {
namespace {

using TypeKind = language::Type::Kind;

constexpr std::string_view kUlidDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

std::string_view name_of(Type type) {
  switch (type) {
    case Type::kString:
      return "a string";
    case Type::kNumber:
      return "a number";
    case Type::kBinary:
      return "a binary";
    case Type::kBool:
      return "a bool";
    case Type::kNull:
      return "null";
    case Type::kList:
      return "a list";
    case Type::kMap:
      return "an object";
    default:
      return "a set";
  }
}

bool is_ulid(std::string_view text) {
  return text.size() == 26 && std::all_of(text.begin(), text.end(),
                                          [](char c) { return kUlidDigits.find(c) != std::string::npos; });
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool is_digit = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f') ||
                          (text[i] >= 'A' && text[i] <= 'F');
    if (is_dash ? text[i] != '-' : !is_digit) return false;
  }
  return true;
}

bool is_whole(ValueView value) {
  const std::string text = value.number().to_string();
  return text.find('.') == std::string::npos && text.find('E') == std::string::npos;
}

std::optional<std::string> misfit_text(std::string_view text, const language::Type& type) {
  switch (type.kind) {
    case TypeKind::kTime:
      if (!model::is_time(text)) return "must be a time like 2026-11-15T08:30:00.000Z";
      break;
    case TypeKind::kDate:
      if (!model::is_date(text)) return "must be a date like 2026-11-15";
      break;
    case TypeKind::kUlid:
      if (!is_ulid(text)) return "must be a ulid of 26 characters";
      break;
    case TypeKind::kUuid:
      if (!is_uuid(text)) return "must be a uuid like 123e4567-e89b-42d3-a456-426614174000";
      break;
    case TypeKind::kEnum: {
      const bool is_one = std::any_of(type.values.begin(), type.values.end(),
                                      [&](const language::Name& name) { return name.text == text; });
      if (!is_one) return "must be one of " + model::text_of(type);
      break;
    }
    default:
      break;
  }
  return std::nullopt;
}

bool is_set(Type type) {
  return type == Type::kStringSet || type == Type::kNumberSet || type == Type::kBinarySet;
}

std::optional<std::string> misfit_elements(ValueView value, const language::Type& element) {
  for (const ValueView each : value.list()) {
    if (auto why = misfit(each, element)) return "has an element that " + *why;
  }
  return std::nullopt;
}

bool has_twice(ValueView list) {
  std::set<std::string_view> seen;
  for (const ValueView each : list.list()) {
    if (!seen.insert(each.encoded()).second) return true;
  }
  return false;
}

std::optional<std::string> misfit_field(ValueView value, const language::Field& syntax);

std::optional<std::string> misfit_object(ValueView value, const language::Type& type) {
  if (value.type() != Type::kMap) return "must be an object, and is " + std::string(name_of(value.type()));
  for (const Attribute part : value.map()) {
    const auto field = std::find_if(type.fields.begin(), type.fields.end(),
                                    [&](const language::Field& each) { return each.name.text == part.name; });
    if (field == type.fields.end()) return "has no field " + std::string(part.name);
    if (part.value.type() == Type::kNull) continue;  // it is missing
    if (auto why = misfit_field(part.value, *field))
      return "has a field " + std::string(part.name) + " that " + *why;
  }
  for (const language::Field& field : type.fields) {
    const auto part = value.map().find(field.name.text);
    const bool is_there = part && part->type() != Type::kNull;
    if (!field.is_optional && !field.default_value && !is_there) return "lacks its field " + field.name.text;
  }
  return std::nullopt;
}

// The elements of a set as values.
std::vector<Value> elements_of(ValueView set) {
  std::vector<Value> elements;
  for (const std::string_view element : set.set()) {
    elements.push_back(set.type() == Type::kStringSet   ? Value(element)
                       : set.type() == Type::kBinarySet ? Value::binary(element)
                                                        : Value(*Number::decode_prefix(element)));
  }
  return elements;
}

const model::RegularLanguage& language_of(const std::string& pattern) {
  thread_local std::map<std::string, model::RegularLanguage> known;
  const auto found = known.find(pattern);
  if (found != known.end()) return found->second;
  Result<model::RegularLanguage> made = model::RegularLanguage::expression(pattern);
  return known.emplace(pattern, made.ok() ? std::move(*made) : model::RegularLanguage()).first->second;
}

// Checks `max` and `matches`.
std::optional<std::string> misfit_limits(ValueView value, const language::Field& syntax) {
  if (syntax.max) {
    const auto max = static_cast<uint64_t>(syntax.max->value);
    if (value.type() == Type::kString || value.type() == Type::kBinary) {
      const bool is_binary = syntax.type && syntax.type->kind == TypeKind::kBinary;
      const uint64_t bytes =
          is_binary ? Value(stored_form(value, *syntax.type)).view().bytes().size() : value.bytes().size();
      if (bytes > max)
        return "has " + std::to_string(bytes) + " bytes, more than its max " + std::to_string(max);
    }
    const bool is_many = (value.type() == Type::kList && value.list().size() > max) ||
                         (is_set(value.type()) && value.set().size() > max);
    if (is_many) return "has more than its max of " + std::to_string(max) + " elements";
    if (value.type() == Type::kNumber) {
      const auto order = compare(value, Value(static_cast<int64_t>(max)));
      if (order && *order > 0) return "is more than its max " + std::to_string(max);
    }
  }
  if (syntax.matches && value.type() == Type::kString &&
      !language_of(syntax.matches->text).contains(value.bytes()))
    return "does not match \"" + syntax.matches->text + "\"";
  return std::nullopt;
}

std::optional<std::string> misfit_field(ValueView value, const language::Field& syntax) {
  if (auto why = misfit(value, syntax.type.value_or(language::Type{}))) return why;
  return misfit_limits(value, syntax);
}

}  // namespace

std::optional<std::string> misfit(ValueView value, const language::Type& type) {
  const auto wrong = [&](std::string_view wanted) {
    return "must be " + std::string(wanted) + ", and is " + std::string(name_of(value.type()));
  };
  switch (type.kind) {
    case TypeKind::kAny:
      return std::nullopt;
    case TypeKind::kNumber:
    case TypeKind::kInt:
      if (value.type() != Type::kNumber) return wrong("a number");
      if (type.kind == TypeKind::kInt && !is_whole(value)) return "must be a whole number";
      return std::nullopt;
    case TypeKind::kBool:
      return value.type() == Type::kBool ? std::nullopt : std::optional(wrong("true or false"));
    case TypeKind::kBinary: {
      std::string bytes;
      if (value.type() == Type::kBinary) return std::nullopt;
      if (value.type() != Type::kString) return wrong("a binary, in base64");
      if (!decode_base64(bytes, value.bytes())) return "must be a binary, in base64";
      return std::nullopt;
    }
    case TypeKind::kList:
      if (value.type() != Type::kList) return wrong("a list");
      return misfit_elements(value, type.element.front());
    case TypeKind::kSet:
      if (is_set(value.type())) return misfit_elements(Value::list(elements_of(value)), type.element.front());
      if (value.type() != Type::kList) return wrong("a list of different values");
      if (value.list().size() == 0) return "must have an element, as sets do; leave it out";
      if (has_twice(value)) return "has an element twice";
      return misfit_elements(value, type.element.front());
    case TypeKind::kMap:
      if (value.type() != Type::kMap) return wrong("an object");
      for (const Attribute part : value.map()) {
        if (auto why = misfit(part.value, type.element.front()))
          return "has a value " + std::string(part.name) + " that " + *why;
      }
      return std::nullopt;
    case TypeKind::kObject:
      return misfit_object(value, type);
    default:
      if (value.type() != Type::kString) return wrong("a string");
      return misfit_text(value.bytes(), type);
  }
}

std::optional<std::string> misfit(ValueView value, const model::Field& field,
                                  std::span<const std::string> inside) {
  if (!inside.empty()) {
    const Declared declared = declared_inside(field.type, inside);
    return declared.field != nullptr ? misfit_field(value, *declared.field) : misfit(value, declared.type);
  }
  if (auto why = misfit(value, field.type)) return why;
  if (field.syntax == nullptr) return std::nullopt;  // nobody wrote it down: the <attribute> of a key
  return misfit_limits(value, *field.syntax);
}

Declared declared_inside(const language::Type& type, std::span<const std::string> names) {
  static const language::Type any{.kind = TypeKind::kAny}, text;
  const language::Type* at = &type;
  const language::Field* found = nullptr;
  for (const std::string& name : names) {
    const language::Type& outer = *at;
    at = outer.kind == TypeKind::kMap ? &outer.element.front() : &any;
    found = nullptr;
    for (const language::Field& field : outer.fields) {
      if (field.name.text != name) continue;
      found = &field;
      at = field.type ? &*field.type : &text;
    }
  }
  return {.type = *at, .field = found};
}

std::optional<std::string> outside(ValueView value, const model::Field& field,
                                   std::chrono::system_clock::time_point now) {
  if (field.syntax == nullptr) return std::nullopt;
  const auto& since = field.syntax->since;
  if (!since || value.type() != Type::kString) return std::nullopt;
  const std::string_view first = since->text;
  if (value.bytes().substr(0, first.size()) < first.substr(0, value.bytes().size()))
    return "lies before its beginning: since " + since->text;
  if (value.bytes() > last_time(field.type, now)) return "lies in the future, and it has a since: until now";
  return std::nullopt;
}

Value stored_form(ValueView value, const language::Type& type, std::chrono::system_clock::time_point now) {
  switch (type.kind) {
    case TypeKind::kBinary: {
      std::string bytes;
      if (value.type() == Type::kString && decode_base64(bytes, value.bytes())) return Value::binary(bytes);
      return Value(value);
    }
    case TypeKind::kList: {
      if (value.type() != Type::kList) return Value(value);
      std::vector<Value> elements;
      for (const ValueView each : value.list())
        elements.push_back(stored_form(each, type.element.front(), now));
      return Value::list(elements);
    }
    case TypeKind::kSet: {
      if (value.type() != Type::kList) return Value(value);
      ValueWriter writer;
      const TypeKind element = type.element.front().kind;
      const Type set = element == TypeKind::kNumber || element == TypeKind::kInt ? Type::kNumberSet
                       : element == TypeKind::kBinary                            ? Type::kBinarySet
                                                                                 : Type::kStringSet;
      writer.begin_set(set);
      for (const ValueView each : value.list()) {
        const Value one = stored_form(each, type.element.front(), now);
        writer.element(one.type() == Type::kNumber ? one.view().number().encoded() : one.view().bytes());
      }
      writer.end_set();
      const auto made = writer.finish();
      return made.ok() ? *Value::decode(*made) : Value(value);
    }
    case TypeKind::kMap:
    case TypeKind::kObject: {
      if (value.type() != Type::kMap) return Value(value);
      Fields fields;
      for (const Attribute part : value.map()) {
        const std::string name(part.name);
        if (type.kind == TypeKind::kObject && part.value.type() == Type::kNull) continue;
        const Declared inner = declared_inside(type, std::span(&name, 1));
        fields[name] = stored_form(part.value, inner.type, now);
      }
      for (const language::Field& field : type.fields) {
        if (fields.contains(field.name.text) || !field.default_value) continue;
        const language::Type inner = field.type.value_or(language::Type{});
        fields[field.name.text] = stored_form(literal_value(*field.default_value, inner, now), inner, now);
      }
      return Value(item_of(fields));
    }
    default:
      return Value(value);
  }
}

}  // namespace sheaf::run

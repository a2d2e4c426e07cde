// Owned values and items.
#include "sheaf/value.h"

#include <algorithm>
#include <cassert>

#include "base/varint.h"
#include "value/flat_format.h"

namespace sheaf {
namespace {

std::string encode_number(NumberView number) {
  std::string encoded;
  encoded.reserve(2 + number.encoded().size());
  encoded.push_back(static_cast<char>(Type::kNumber));
  encoded.push_back(static_cast<char>(number.encoded().size()));
  encoded.append(number.encoded());
  return encoded;
}

std::string encode_bytes(Type type, std::string_view bytes) {
  std::string encoded(1, static_cast<char>(type));
  append_varint(encoded, bytes.size());
  encoded.append(bytes);
  return encoded;
}

// Of what a programmer wrote down.
std::string finish(ValueWriter& writer) {
  auto encoded = writer.finish();
  assert(encoded.ok());
  return *std::move(encoded);
}

template <typename Elements>
std::string encode_list(const Elements& elements) {
  ValueWriter writer;
  writer.begin_list();
  for (const Value& element : elements) writer.copy(element);
  writer.end_list();
  return finish(writer);
}

std::string_view element_bytes(std::string_view element) { return element; }
std::string_view element_bytes(const Number& element) { return element.encoded(); }

template <typename Element>
std::string encode_set(Type type, std::initializer_list<Element> elements) {
  ValueWriter writer;
  writer.begin_set(type);
  for (const auto& element : elements) writer.element(element_bytes(element));
  writer.end_set();
  return finish(writer);
}

// `item` with `name` set to `value`, or without it if there is none.
std::string with_attribute(ItemView item, std::string_view name, std::optional<ValueView> value) {
  const char* const end = item.encoded().data() + item.encoded().size();
  const char* entries = item.encoded().data();
  read_varint(entries);
  const char* before_end = entries;  // of the attributes that come first
  const char* after = entries;       // the attributes that come last
  bool present = false;
  while (after != end && !present) {
    const auto order = read_sized(after) <=> name;
    after = skip_value(after);
    if (order > 0) {
      after = before_end;
      break;
    }
    present = order == 0;
    if (!present) before_end = after;
  }

  std::string encoded;
  encoded.reserve(item.encoded().size() + name.size() + (value.has_value() ? value->encoded().size() : 0) +
                  8);
  append_varint(encoded, item.size() - (present ? 1 : 0) + (value.has_value() ? 1 : 0));
  encoded.append(entries, before_end);
  if (value.has_value()) {
    append_varint(encoded, name.size());
    encoded.append(name).append(value->encoded());
  }
  return encoded.append(after, end);
}

}  // namespace

Value::Value() : encoded_(1, static_cast<char>(Type::kNull)) {}

Value::Value(bool value) : encoded_{static_cast<char>(Type::kBool), value ? '\1' : '\0'} {}

Value::Value(int value) : Value(int64_t{value}) {}

Value::Value(int64_t value) : Value(Number(value)) {}

Value::Value(const Number& value) : encoded_(encode_number(value)) {}

Value::Value(std::string_view text) : encoded_(encode_bytes(Type::kString, text)) {}

Value::Value(const char* text) : Value(std::string_view(text)) {}

Value::Value(const std::string& text) : Value(std::string_view(text)) {}

Value::Value(const Item& map) : encoded_(kTagBytes + kBodyLengthBytes, static_cast<char>(Type::kMap)) {
  write_body_length(encoded_.data() + kTagBytes, static_cast<uint32_t>(map.encoded().size()));
  encoded_.append(map.encoded());
}

Value Value::binary(std::string_view bytes) {
  Value value;
  value.encoded_ = encode_bytes(Type::kBinary, bytes);
  return value;
}

Value Value::list(std::initializer_list<Value> elements) {
  Value value;
  value.encoded_ = encode_list(elements);
  return value;
}

Value Value::list(const std::vector<Value>& elements) {
  Value value;
  value.encoded_ = encode_list(elements);
  return value;
}

Value Value::string_set(std::initializer_list<std::string_view> elements) {
  Value value;
  value.encoded_ = encode_set(Type::kStringSet, elements);
  return value;
}

Value Value::number_set(std::initializer_list<Number> elements) {
  Value value;
  value.encoded_ = encode_set(Type::kNumberSet, elements);
  return value;
}

Value Value::binary_set(std::initializer_list<std::string_view> elements) {
  Value value;
  value.encoded_ = encode_set(Type::kBinarySet, elements);
  return value;
}

Item::Item() : encoded_(1, '\0') {}

Item::Item(std::initializer_list<std::pair<std::string_view, Value>> attributes) : Item() {
  std::vector<const std::pair<std::string_view, Value>*> ordered;
  ordered.reserve(attributes.size());
  for (const auto& attribute : attributes) ordered.push_back(&attribute);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto* a, const auto* b) { return a->first < b->first; });
  ValueWriter writer;
  writer.begin_item();
  for (size_t i = 0; i < ordered.size(); ++i) {
    if (i + 1 < ordered.size() && ordered[i]->first == ordered[i + 1]->first) continue;
    writer.key(ordered[i]->first);
    writer.copy(ordered[i]->second);
  }
  writer.end_item();
  encoded_ = finish(writer);
}

Value Value::from_encoded(std::string encoded) {
  Value value;
  value.encoded_ = std::move(encoded);
  return value;
}

Item Item::from_encoded(std::string encoded) {
  Item item;
  item.encoded_ = std::move(encoded);
  return item;
}

void Item::set(std::string_view name, ValueView value) { encoded_ = with_attribute(*this, name, value); }

void Item::remove(std::string_view name) { encoded_ = with_attribute(*this, name, std::nullopt); }

}  // namespace sheaf

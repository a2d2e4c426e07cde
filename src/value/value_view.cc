// Reading values in place.
#include <algorithm>
#include <cassert>

#include "sheaf/value.h"

#include "value/flat_format.h"
#include "value/value_json.h"

namespace sheaf {
namespace {

std::string_view body_of(std::string_view encoded) { return encoded.substr(kTagBytes + kBodyLengthBytes); }

uint32_t map_elements_size(const char* position, uint32_t count, uint32_t overhead);

uint32_t value_size(const char* position) {
  const Type type = static_cast<Type>(*position++);
  switch (type) {
    case Type::kNull:
    case Type::kBool:
      return 1;
    case Type::kNumber:
      return NumberView({position + 1, static_cast<unsigned char>(*position)}).size_bytes();
    case Type::kString:
    case Type::kBinary:
      return static_cast<uint32_t>(read_varint(position));
    default:
      break;
  }
  position += kBodyLengthBytes;
  const auto count = static_cast<uint32_t>(read_varint(position));
  // Every map and list costs 3 bytes, and 1 more an element. Sets are the sum of their elements.
  if (type == Type::kMap) return 3 + map_elements_size(position, count, 1);
  uint32_t size = 0;
  if (type == Type::kList) {
    size = 3 + count;
    for (uint32_t i = 0; i < count; ++i) {
      size += value_size(position);
      position = skip_value(position);
    }
    return size;
  }
  for (uint32_t i = 0; i < count; ++i) {
    const auto element = read_sized(position);
    size +=
        type == Type::kNumberSet ? NumberView(element).size_bytes() : static_cast<uint32_t>(element.size());
  }
  return size;
}

uint32_t map_elements_size(const char* position, uint32_t count, uint32_t overhead) {
  uint32_t size = count * overhead;
  for (uint32_t i = 0; i < count; ++i) {
    size += static_cast<uint32_t>(read_sized(position).size()) + value_size(position);
    position = skip_value(position);
  }
  return size;
}

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::kNull:
      return "NULL";
    case Type::kBool:
      return "BOOL";
    case Type::kNumber:
      return "N";
    case Type::kString:
      return "S";
    case Type::kBinary:
      return "B";
    case Type::kMap:
      return "M";
    case Type::kList:
      return "L";
    case Type::kStringSet:
      return "SS";
    case Type::kNumberSet:
      return "NS";
    case Type::kBinarySet:
      return "BS";
  }
  assert(false);
  return "";
}

ValueView ValueView::at(const char* encoded) {
  return ValueView({encoded, static_cast<size_t>(skip_value(encoded) - encoded)});
}

Type ValueView::type() const { return static_cast<Type>(encoded_.front()); }

bool ValueView::boolean() const {
  assert(type() == Type::kBool);
  return encoded_[kTagBytes] != 0;
}

NumberView ValueView::number() const {
  assert(type() == Type::kNumber);
  return NumberView(encoded_.substr(kTagBytes + 1));
}

std::string_view ValueView::bytes() const {
  assert(type() == Type::kString || type() == Type::kBinary);
  const char* position = encoded_.data() + kTagBytes;
  return read_sized(position);
}

ItemView ValueView::map() const {
  assert(type() == Type::kMap);
  return ItemView(body_of(encoded_));
}

ListView ValueView::list() const {
  assert(type() == Type::kList);
  const auto body = body_of(encoded_);
  const char* position = body.data();
  const auto count = static_cast<uint32_t>(read_varint(position));
  return {count, body.substr(static_cast<size_t>(position - body.data()))};
}

SetView ValueView::set() const {
  assert(is_set(type()));
  const auto body = body_of(encoded_);
  const char* position = body.data();
  const auto count = static_cast<uint32_t>(read_varint(position));
  return {count, body.substr(static_cast<size_t>(position - body.data()))};
}

uint32_t ValueView::size_bytes() const { return value_size(encoded_.data()); }

int ValueView::depth() const {
  int below = 0;
  if (type() == Type::kList) {
    for (const auto element : list()) below = std::max(below, element.depth());
  } else if (type() == Type::kMap) {
    for (const auto attribute : map()) below = std::max(below, attribute.value.depth());
  }
  return 1 + below;
}

std::string ValueView::to_json() const {
  std::string json;
  append_json(json, *this);
  return json;
}

std::optional<std::strong_ordering> compare(ValueView a, ValueView b) {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case Type::kNumber:
      return a.number() <=> b.number();
    case Type::kString:
    case Type::kBinary:
      return a.bytes() <=> b.bytes();
    default:
      return std::nullopt;
  }
}

ListView::iterator& ListView::iterator::operator++() {
  position_ = skip_value(position_);
  return *this;
}

std::optional<ValueView> ListView::at(uint32_t index) const {
  if (index >= count_) return std::nullopt;
  const char* position = elements_.data();
  for (; index > 0; --index) position = skip_value(position);
  return ValueView::at(position);
}

std::string_view SetView::iterator::operator*() const {
  const char* position = position_;
  return read_sized(position);
}

SetView::iterator& SetView::iterator::operator++() {
  read_sized(position_);
  return *this;
}

bool SetView::contains(std::string_view element) const {
  for (const auto present : *this) {
    if (present >= element) return present == element;
  }
  return false;
}

ItemView::ItemView() : ItemView(std::string_view("\0", 1)) {}

ItemView::ItemView(std::string_view encoded) : encoded_(encoded) {
  const char* position = encoded.data();
  count_ = static_cast<uint32_t>(read_varint(position));
  entries_ = encoded.substr(static_cast<size_t>(position - encoded.data()));
}

std::optional<ValueView> ItemView::find(std::string_view name) const {
  const char* position = entries_.data();
  for (uint32_t i = 0; i < count_; ++i) {
    const int order = read_sized(position).compare(name);
    if (order == 0) return ValueView::at(position);
    if (order > 0) return std::nullopt;
    position = skip_value(position);
  }
  return std::nullopt;
}

uint32_t ItemView::size_bytes() const { return map_elements_size(entries_.data(), count_, 0); }

std::string ItemView::to_json() const {
  std::string json;
  append_json(json, *this);
  return json;
}

Attribute ItemView::iterator::operator*() const {
  const char* position = position_;
  const auto name = read_sized(position);
  return {name, ValueView::at(position)};
}

ItemView::iterator& ItemView::iterator::operator++() {
  read_sized(position_);
  position_ = skip_value(position_);
  return *this;
}

}  // namespace sheaf

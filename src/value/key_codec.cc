#include "value/key_codec.h"

#include <xxhash.h>

#include <cassert>
#include <cstring>

#include "base/try.h"

namespace sheaf {
namespace {

// A zero byte of the value is escaped; a zero byte with another companion ends it. The end sorts before the
// escape, so a value sorts before those that it begins.
constexpr char kZero = 0x00;
constexpr char kEscapedZero = static_cast<char>(0xff);
constexpr char kEnd = 0x01;

Error malformed() { return {Code::kCorrupt, "the bytes are not an encoded key component"}; }

// The end of the run of bytes from `position` on that stand for themselves.
const char* find_zero(const char* position, const char* end) {
  if (position == end) return end;
  const void* zero = std::memchr(position, kZero, static_cast<size_t>(end - position));
  return zero == nullptr ? end : static_cast<const char*>(zero);
}

// Takes the bytes of a string or binary; `unescaped` holds them if they are not in `encoded` as they are.
Result<std::string_view> take_bytes(std::string_view& encoded, std::string& unescaped) {
  const char* position = encoded.data();
  const char* const end = position + encoded.size();
  while (true) {
    const char* const zero = find_zero(position, end);
    if (end - zero < 2) return malformed();
    const std::string_view run(position, static_cast<size_t>(zero - position));
    position = zero + 2;
    if (zero[1] == kEnd) {
      encoded.remove_prefix(static_cast<size_t>(position - encoded.data()));
      if (unescaped.empty()) return run;
      return std::string_view(unescaped.append(run));
    }
    if (zero[1] != kEscapedZero) return malformed();
    unescaped.append(run).push_back(kZero);
  }
}

}  // namespace

void append_key_component(std::string& out, ValueView value) {
  if (value.type() == Type::kNumber) {
    out.append(value.number().encoded());
    return;
  }
  assert(value.type() == Type::kString || value.type() == Type::kBinary);
  append_key_prefix(out, value.bytes());
  out.push_back(kZero);
  out.push_back(kEnd);
}

void append_key_prefix(std::string& out, std::string_view prefix) {
  const char* position = prefix.data();
  const char* const end = position + prefix.size();
  while (true) {
    const char* const zero = find_zero(position, end);
    out.append(position, static_cast<size_t>(zero - position));
    if (zero == end) return;
    out.push_back(kZero);
    out.push_back(kEscapedZero);
    position = zero + 1;
  }
}

Result<Value> take_key_component(std::string_view& encoded, Type type) {
  std::string unescaped;
  switch (type) {
    case Type::kNumber: {
      const auto number = TRY(Number::decode_prefix(encoded));
      encoded.remove_prefix(number.encoded().size());
      return Value(number);
    }
    case Type::kString:
      return Value(TRY(take_bytes(encoded, unescaped)));
    case Type::kBinary:
      return Value::binary(TRY(take_bytes(encoded, unescaped)));
    default:
      assert(false);
      return malformed();
  }
}

bool skip_key_component(std::string_view& encoded, Type type) {
  if (type == Type::kNumber) {
    const auto number = Number::decode_prefix(encoded);
    if (!number.ok()) return false;
    encoded.remove_prefix(number->encoded().size());
    return true;
  }
  const char* const end = encoded.data() + encoded.size();
  for (const char* position = encoded.data();;) {
    const char* const zero = find_zero(position, end);
    if (end - zero < 2) return false;
    position = zero + 2;
    if (zero[1] == kEscapedZero) continue;
    if (zero[1] != kEnd) return false;
    encoded.remove_prefix(static_cast<size_t>(position - encoded.data()));
    return true;
  }
}

std::string prefix_end(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(end.back() + 1);
  return end;
}

uint64_t partition_hash(std::string_view encoded_components) {
  return XXH3_64bits(encoded_components.data(), encoded_components.size());
}

}  // namespace sheaf

// Taking values from bytes that nobody has vouched for.
#include <optional>

#include "sheaf/value.h"

#include "base/try.h"
#include "base/varint.h"
#include "value/flat_format.h"
#include "value/utf8.h"

namespace sheaf {
namespace {

Error malformed(std::string_view what) {
  return {Code::kCorrupt, "the bytes are not an encoded value: " + std::string(what)};
}

// Checks one encoded value or body after the other, front to back. Every byte is looked at once, and none
// behind the end.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  // `level`: of the value, an attribute's own being 1.
  Result<void> check_value(int level) {
    if (level > kNestingMax) return malformed("nested too deeply");
    const auto tag = TRY(take(kTagBytes)).front();
    const auto type = static_cast<Type>(tag);
    switch (type) {
      case Type::kNull:
        return {};
      case Type::kBool:
        if (static_cast<unsigned char>(TRY(take(1)).front()) > 1) return malformed("neither true nor false");
        return {};
      case Type::kNumber:
        return check_number(TRY(take(static_cast<unsigned char>(TRY(take(1)).front()))));
      case Type::kString:
        if (!is_utf8(TRY(take_sized()))) return malformed("a string is not UTF-8");
        return {};
      case Type::kBinary:
        TRY(take_sized());
        return {};
      case Type::kMap:
      case Type::kList:
      case Type::kStringSet:
      case Type::kNumberSet:
      case Type::kBinarySet: {
        const auto length = read_body_length(TRY(take(kBodyLengthBytes)).data());
        Decoder body(TRY(take(length)));
        return body.check_body(type, level);
      }
    }
    return malformed("an unknown type");
  }

  // The whole of the bytes as the body of a map, list or set.
  Result<void> check_body(Type type, int level) {
    const uint64_t count = TRY(take_count());
    if (is_set(type) && count == 0) return malformed("an empty set");
    std::optional<std::string_view> last;
    for (uint64_t i = 0; i < count; ++i) {
      if (type != Type::kList) {
        const auto key = TRY(take_sized());
        if (last.has_value() && *last >= key) return malformed("names or elements out of order");
        if (type == Type::kNumberSet) {
          TRY(check_number(key));
        } else if (type != Type::kBinarySet && !is_utf8(key)) {
          return malformed("a name or element is not UTF-8");
        }
        last = key;
      }
      if (!is_set(type)) TRY(check_value(level + 1));
    }
    return check_end();
  }

  Result<void> check_end() const {
    if (!bytes_.empty()) return malformed("it goes on behind its end");
    return {};
  }

 private:
  static Result<void> check_number(std::string_view encoded) {
    const auto number = TRY(Number::decode_prefix(encoded));
    if (number.encoded().size() != encoded.size()) return malformed("a number goes on behind its end");
    return {};
  }

  Result<std::string_view> take(size_t length) {
    if (length > bytes_.size()) return malformed("it ends too early");
    const auto taken = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return taken;
  }

  Result<uint64_t> take_count() {
    const auto count = take_varint(bytes_);
    // A count is kept in 32 bits, and every entry takes at least a byte.
    if (!count.has_value() || *count > bytes_.size() || *count > UINT32_MAX)
      return malformed("a wrong count");
    return *count;
  }

  Result<std::string_view> take_sized() {
    const auto length = take_varint(bytes_);
    if (!length.has_value()) return malformed("a wrong length");
    return take(*length);
  }

  std::string_view bytes_;
};

}  // namespace

Result<Value> Value::decode(std::string encoded) {
  Decoder decoder(encoded);
  TRY(decoder.check_value(1));
  TRY(decoder.check_end());
  Value value;
  value.encoded_ = std::move(encoded);
  return value;
}

Result<Item> Item::decode(std::string encoded) {
  TRY(Decoder(encoded).check_body(Type::kMap, 0));
  return from_encoded(std::move(encoded));
}

}  // namespace sheaf

#include "value/value_json.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "value/base64.h"
#include "value/number_parts.h"

namespace sheaf {
namespace {

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Whether one of eight bytes needs an escape. Borrows can mark a byte above one that does, so this does not
// tell which one it is.
bool any_needs_escape(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighs = 0x8080808080808080;
  const uint64_t quotes = bytes ^ (kOnes * '"');
  const uint64_t backslashes = bytes ^ (kOnes * '\\');
  const uint64_t controls = (bytes - kOnes * 0x20) & ~bytes;
  return (((quotes - kOnes) & ~quotes) | ((backslashes - kOnes) & ~backslashes) | controls) & kHighs;
}

// The first byte from `position` on that needs an escape, or `end`.
const char* find_escape(const char* position, const char* end) {
  for (; end - position >= 8; position += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, position, sizeof(bytes));
    if (any_needs_escape(bytes)) break;
  }
  while (position != end && !needs_escape(*position)) ++position;
  return position;
}

// Text that grows at the end of a string. Appending piece by piece to the string itself would spend most of
// the time on calls and on ending it after every piece; here its room is filled first and what is left is
// given back.
class GrowingText {
 public:
  GrowingText(std::string& out, size_t expected_bytes) : out_(out) {
    const size_t used = out.size();
    make_room(used, expected_bytes);
  }
  ~GrowingText() { out_.resize(size()); }
  GrowingText(const GrowingText&) = delete;
  GrowingText& operator=(const GrowingText&) = delete;

  void put(char c) {
    if (position_ == end_) [[unlikely]]
      grow(size(), 1);
    *position_++ = c;
  }

  void put(std::string_view text) {
    char* const room = reserve(text.size());
    std::memcpy(room, text.data(), text.size());
    position_ = room + text.size();
  }

  // Where up to `count` bytes may be written; advance_to tells how far they were.
  char* reserve(size_t count) {
    if (static_cast<size_t>(end_ - position_) < count) [[unlikely]]
      grow(size(), count);
    return position_;
  }
  void advance_to(char* position) { position_ = position; }

 private:
  size_t size() const { return static_cast<size_t>(position_ - out_.data()); }

  void grow(size_t used, size_t count) { make_room(used, std::max(count, used / 2)); }

  // The string fills its new room with zeros first, so no more is asked for than is likely to be used.
  void make_room(size_t used, size_t count) {
    if (out_.capacity() < used + count + kStepBytes)
      out_.reserve(std::max(2 * out_.capacity(), used + count + kStepBytes));
    out_.resize(used + count + kStepBytes);
    position_ = out_.data() + used;
    end_ = out_.data() + out_.size();
  }

  static constexpr size_t kStepBytes = 64;

  std::string& out_;
  char* position_ = nullptr;
  char* end_ = nullptr;
};

void put_escape(GrowingText& text, char c) {
  switch (c) {
    case '"':
      return text.put("\\\"");
    case '\\':
      return text.put("\\\\");
    case '\b':
      return text.put("\\b");
    case '\f':
      return text.put("\\f");
    case '\n':
      return text.put("\\n");
    case '\r':
      return text.put("\\r");
    case '\t':
      return text.put("\\t");
    default:
      text.put("\\u00");
      text.put(static_cast<char>('0' + (c >> 4)));
      text.put("0123456789abcdef"[c & 15]);
  }
}

void put_string(GrowingText& text, std::string_view string) {
  text.put('"');
  const char* position = string.data();
  const char* const end = position + string.size();
  while (true) {
    const char* const escape = find_escape(position, end);
    text.put(std::string_view(position, static_cast<size_t>(escape - position)));
    if (escape == end) break;
    put_escape(text, *escape);
    position = escape + 1;
  }
  text.put('"');
}

void put_number(GrowingText& text, NumberView number) {
  text.put('"');
  text.advance_to(print_number(text.reserve(kNumberTextBytesMax), number));
  text.put('"');
}

void put_binary(GrowingText& text, std::string_view bytes) {
  text.put('"');
  text.advance_to(print_base64(text.reserve(base64_bytes(bytes.size())), bytes));
  text.put('"');
}

void put_value(GrowingText& text, ValueView value);

void put_item(GrowingText& text, ItemView item) {
  text.put('{');
  bool first = true;
  for (const auto attribute : item) {
    if (!first) text.put(',');
    first = false;
    put_string(text, attribute.name);
    text.put(':');
    put_value(text, attribute.value);
  }
  text.put('}');
}

void put_list(GrowingText& text, ListView list) {
  text.put('[');
  bool first = true;
  for (const auto element : list) {
    if (!first) text.put(',');
    first = false;
    put_value(text, element);
  }
  text.put(']');
}

void put_set(GrowingText& text, Type type, SetView set) {
  text.put('[');
  bool first = true;
  for (const auto element : set) {
    if (!first) text.put(',');
    first = false;
    if (type == Type::kStringSet) {
      put_string(text, element);
    } else if (type == Type::kNumberSet) {
      put_number(text, NumberView(element));
    } else {
      put_binary(text, element);
    }
  }
  text.put(']');
}

void put_value(GrowingText& text, ValueView value) {
  switch (value.type()) {
    case Type::kNull:
      return text.put("{\"NULL\":true}");
    case Type::kBool:
      return text.put(value.boolean() ? "{\"BOOL\":true}" : "{\"BOOL\":false}");
    case Type::kNumber:
      text.put("{\"N\":");
      put_number(text, value.number());
      break;
    case Type::kString:
      text.put("{\"S\":");
      put_string(text, value.bytes());
      break;
    case Type::kBinary:
      text.put("{\"B\":");
      put_binary(text, value.bytes());
      break;
    case Type::kMap:
      text.put("{\"M\":");
      put_item(text, value.map());
      break;
    case Type::kList:
      text.put("{\"L\":");
      put_list(text, value.list());
      break;
    case Type::kStringSet:
    case Type::kNumberSet:
    case Type::kBinarySet:
      text.put("{\"");
      text.put(type_name(value.type()));
      text.put("\":");
      put_set(text, value.type(), value.set());
      break;
  }
  text.put('}');
}

// The flat form and its JSON differ by little but quotes and braces.
size_t expected_bytes(std::string_view encoded) { return encoded.size() * 2; }

}  // namespace

void append_json(std::string& out, ValueView value) {
  GrowingText text(out, expected_bytes(value.encoded()));
  put_value(text, value);
}

void append_json(std::string& out, ItemView item) {
  GrowingText text(out, expected_bytes(item.encoded()));
  put_item(text, item);
}

void append_json_string(std::string& out, std::string_view string) {
  GrowingText text(out, string.size());
  put_string(text, string);
}

}  // namespace sheaf

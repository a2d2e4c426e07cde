#include "model/key_template.h"

#include <algorithm>

#include "model/time_buckets.h"
#include "model/value_type.h"

namespace sheaf::model {

using Format = language::Hole::Format;
using Kind = language::Type::Kind;

namespace {

constexpr char kEscape = '%';
constexpr std::string_view kHexDigits = "0123456789ABCDEF";
constexpr char32_t kPlainFirst = U'&';  // the first character that a hole holds as it is

char32_t first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return first;
  if (first < 0xE0) return ((first & 0x1F) << 6) | (byte(1) & 0x3F);
  if (first < 0xF0) return ((first & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
  return ((first & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
}

size_t character_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

bool is_escaped(char32_t c, std::optional<char32_t> next) { return c < kPlainFirst || (next && c == *next); }

std::string escape(std::string_view value, std::optional<char32_t> next) {
  std::string out;
  for (size_t i = 0; i < value.size();) {
    const size_t bytes = std::min(character_bytes(value[i]), value.size() - i);
    const std::string_view character = value.substr(i, bytes);
    if (is_escaped(first_character(character), next)) {
      for (const char byte : character) {
        const auto number = static_cast<unsigned char>(byte);
        out += {kEscape, kHexDigits[number >> 4], kHexDigits[number & 15]};
      }
    } else {
      out += character;
    }
    i += bytes;
  }
  return out;
}

bool has_escapes(std::string_view text, std::optional<char32_t> next) {
  if (next && *next >= 0x80) return true;  // or may have: nobody writes keys like that
  return std::any_of(text.begin(), text.end(), [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < kPlainFirst || (next && byte == *next);
  });
}

// False if no value is written like that.
bool unescape(std::string_view text, std::optional<char32_t> next, std::string& out) {
  if (!has_escapes(text, next)) {
    out = text;
    return true;
  }
  out.clear();
  for (size_t i = 0; i < text.size();) {
    if (text[i] == kEscape) {
      if (i + 2 >= text.size()) return false;
      const size_t high = kHexDigits.find(text[i + 1]), low = kHexDigits.find(text[i + 2]);
      if (high == std::string_view::npos || low == std::string_view::npos) return false;
      out += static_cast<char>(high * 16 + low);
      i += 3;
      continue;
    }
    const size_t bytes = std::min(character_bytes(text[i]), text.size() - i);
    if (is_escaped(first_character(text.substr(i, bytes)), next)) return false;
    out += text.substr(i, bytes);
    i += bytes;
  }
  // One text for each value: what need not be escaped is not.
  return escape(out, next) == text;
}

size_t digits_of(int64_t count) { return std::to_string(count - 1).size(); }

std::string padded(std::string digits, size_t width) {
  return digits.size() >= width ? digits : std::string(width - digits.size(), '0') + digits;
}

// Bytes of a hole whose width is fixed.
size_t width_of(const Hole& hole) {
  if (hole.format == Format::kDigits) return static_cast<size_t>(hole.count);
  if (hole.format == Format::kShard) return digits_of(hole.count);
  if (hole.is_bucket()) return TimeBuckets(hole.format).bytes();
  switch (hole.field.type.kind) {
    case Kind::kTime:
      return 24;
    case Kind::kDate:
      return 10;
    case Kind::kUlid:
      return 26;
    case Kind::kUuid:
      return 36;
    default:
      return 0;
  }
}

RegularLanguage digits(int count) {
  return RegularLanguage::characters({{U'0', U'9'}}).repeated(count, count);
}

RegularLanguage expression(std::string_view pattern) { return *RegularLanguage::expression(pattern); }

// The values of a type, before they are escaped.
RegularLanguage values_of(const Field& field) {
  switch (field.type.kind) {
    case Kind::kEnum: {
      RegularLanguage language = RegularLanguage::text(field.type.values.front().text);
      for (size_t i = 1; i < field.type.values.size(); ++i)
        language.or_else(RegularLanguage::text(field.type.values[i].text));
      return language;
    }
    case Kind::kTime:
      return expression("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    case Kind::kDate:
      return expression("\\d{4}-\\d\\d-\\d\\d");
    case Kind::kUlid:
      return expression("[0-9A-HJKMNP-TV-Z]{26}");
    case Kind::kUuid:
      return expression("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    case Kind::kNumber:
      return expression("-?\\d+(\\.\\d+)?(E[+-]?\\d+)?");
    case Kind::kInt:
      return expression("-?\\d+");
    case Kind::kBool:
      return expression("true|false");
    default:
      break;
  }
  if (field.syntax != nullptr && field.syntax->matches) {
    if (const auto language = RegularLanguage::expression(field.syntax->matches->text); language.ok())
      return *language;
  }
  return RegularLanguage::characters({{0, 0x10FFFF}}).repeated(0, std::nullopt);
}

}  // namespace

uint64_t shard_hash(std::string_view value) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : value) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string Hole::written() const {
  const std::string name = text.substr(0, text.size() - 1);
  if (is_bucket()) return name + ":" + std::string(TimeBuckets(format).name()) + ">";
  switch (format) {
    case Format::kRaw:
      return name + ":raw>";
    case Format::kDigits:
      return name + ":" + std::string(static_cast<size_t>(count), '0') + ">";
    case Format::kShard:
      return name + ":shard(" + std::to_string(count) + ")>";
    default:
      return text;
  }
}

bool Hole::is_bucket() const { return TimeBuckets::is_one(format); }

bool Hole::is_shard() const { return format == Format::kShard; }

bool Hole::is_fixed_width() const { return width_of(*this) > 0; }

bool Hole::keeps_order() const {
  if (is_bucket()) return true;
  if (is_shard()) return false;
  return format == Format::kDigits || !is_numeric(field.type);
}

std::vector<CharacterRange> escaped_characters(char32_t next) {
  std::vector<CharacterRange> ranges = {{0, kPlainFirst - 1}};
  if (next >= kPlainFirst) ranges.push_back({next, next});
  return ranges;
}

std::vector<const Hole*> KeyTemplate::holes() const {
  std::vector<const Hole*> holes;
  for (const Piece& piece : pieces_) {
    if (const auto* hole = std::get_if<Hole>(&piece)) holes.push_back(hole);
  }
  return holes;
}

const Hole* KeyTemplate::bare_hole() const {
  if (pieces_.size() != 1) return nullptr;
  const auto* hole = std::get_if<Hole>(&pieces_.front());
  return hole != nullptr && (hole->format == Format::kPlain || hole->format == Format::kRaw) ? hole : nullptr;
}

std::string KeyTemplate::leading_text() const {
  if (pieces_.empty()) return {};
  const auto* text = std::get_if<std::string>(&pieces_.front());
  return text == nullptr ? std::string() : *text;
}

std::string KeyTemplate::text() const {
  std::string out;
  for (const Piece& piece : pieces_) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      out += *text;
    } else {
      out += std::get<Hole>(piece).written();
    }
  }
  return out;
}

std::optional<char32_t> KeyTemplate::next_character(size_t piece) const {
  if (piece + 1 >= pieces_.size()) return std::nullopt;
  const auto* text = std::get_if<std::string>(&pieces_[piece + 1]);
  return text == nullptr ? std::nullopt : std::optional(first_character(*text));
}

KeyTemplate KeyTemplate::with_numbers_for(const std::vector<bool>& holes) const {
  KeyTemplate made = *this;
  size_t next = 0;
  for (Piece& piece : made.pieces_) {
    auto* hole = std::get_if<Hole>(&piece);
    if (hole == nullptr || !holes[next++] || !hole->is_shard()) continue;
    hole->format = Format::kDigits;
    hole->count = static_cast<int64_t>(digits_of(hole->count));
  }
  return made;
}

Result<std::string> KeyTemplate::encode(const std::vector<std::string>& values) const {
  return encode_prefix(values);
}

Result<std::string> KeyTemplate::encode_prefix(const std::vector<std::string>& values) const {
  // The field itself needs no escapes: nothing stands beside it.
  if (bare_hole() != nullptr) return values.empty() ? std::string() : values.front();
  std::string out;
  size_t next_value = 0;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (const auto* text = std::get_if<std::string>(&pieces_[i])) {
      out += *text;
      continue;
    }
    const Hole& hole = std::get<Hole>(pieces_[i]);
    if (next_value == values.size()) break;
    const std::string& value = values[next_value++];
    const auto refuse = [&](std::string why) {
      return Error{Code::kInvalid, hole.text + " cannot hold \"" + value + "\": " + why};
    };
    switch (hole.format) {
      case Format::kShard:
        out += padded(std::to_string(shard_hash(value) % static_cast<uint64_t>(hole.count)),
                      digits_of(hole.count));
        break;
      case Format::kDigits: {
        const bool is_whole = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
        if (!is_whole || value.size() > static_cast<size_t>(hole.count))
          return refuse("it is no whole number of at most " + std::to_string(hole.count) + " digits");
        out += padded(value, static_cast<size_t>(hole.count));
        break;
      }
      case Format::kYear:
      case Format::kMonth:
      case Format::kDay:
      case Format::kHour:
        if (value.size() < TimeBuckets(hole.format).bytes()) return refuse("it is no time");
        out += value.substr(0, TimeBuckets(hole.format).bytes());
        break;
      case Format::kRaw: {
        const std::string escaped = escape(value, next_character(i));
        if (escaped != value) return refuse("it has characters that separate the parts of keys");
        out += value;
        break;
      }
      case Format::kPlain:
        out += escape(value, next_character(i));
        break;
    }
  }
  return out;
}

std::optional<std::vector<std::string>> KeyTemplate::decode(std::string_view key) const {
  std::vector<std::string> values;
  if (!decode(key, values)) return std::nullopt;
  return values;
}

bool KeyTemplate::decode(std::string_view key, std::vector<std::string>& values) const {
  size_t count = 0;
  const auto next_value = [&]() -> std::string& {
    if (count == values.size()) values.emplace_back();
    return values[count++];
  };
  if (bare_hole() != nullptr) {
    next_value() = key;
    values.resize(count);
    return true;
  }
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (const auto* text = std::get_if<std::string>(&pieces_[i])) {
      if (!key.starts_with(*text)) return false;
      key.remove_prefix(text->size());
      continue;
    }
    const Hole& hole = std::get<Hole>(pieces_[i]);
    const std::optional<char32_t> next = next_character(i);
    std::string_view part = key;
    if (hole.is_fixed_width()) {
      if (key.size() < width_of(hole)) return false;
      part = key.substr(0, width_of(hole));
    } else if (next) {
      // The next literal's first character is never in the hole.
      const auto& literal = std::get<std::string>(pieces_[i + 1]);
      part = key.substr(0, key.find(std::string_view(literal).substr(0, character_bytes(literal.front()))));
    }
    key.remove_prefix(part.size());
    if (hole.format == Format::kDigits) {
      if (part.find_first_not_of("0123456789") != std::string_view::npos) return false;
      const size_t first = std::min(part.find_first_not_of('0'), part.size() - 1);
      next_value() = part.substr(first);
    } else if (!unescape(part, next, next_value())) {
      return false;
    }
  }
  values.resize(count);
  return key.empty();
}

RegularLanguage KeyTemplate::language() const {
  if (const Hole* const bare = bare_hole()) {
    const bool is_any_text = bare->field.type.kind == Kind::kString && !bare->field.syntax->matches;
    // A key is never empty.
    if (is_any_text) return RegularLanguage::characters({{0, 0x10FFFF}}).repeated(1, std::nullopt);
    return values_of(bare->field);
  }
  RegularLanguage language;
  for (size_t i = 0; i < pieces_.size(); ++i) {
    if (const auto* text = std::get_if<std::string>(&pieces_[i])) {
      language.then(RegularLanguage::text(*text));
      continue;
    }
    const Hole& hole = std::get<Hole>(pieces_[i]);
    const std::vector<CharacterRange> escaped = escaped_characters(next_character(i).value_or(0));
    switch (hole.format) {
      case Format::kDigits:
        language.then(digits(static_cast<int>(std::min<int64_t>(hole.count, 40))));
        break;
      case Format::kShard:
        language.then(digits(static_cast<int>(digits_of(hole.count))));
        break;
      case Format::kYear:
        language.then(expression("\\d{4}"));
        break;
      case Format::kMonth:
        language.then(expression("\\d{4}-\\d\\d"));
        break;
      case Format::kDay:
        language.then(expression("\\d{4}-\\d\\d-\\d\\d"));
        break;
      case Format::kHour:
        language.then(expression("\\d{4}-\\d\\d-\\d\\dT\\d\\d"));
        break;
      case Format::kRaw:
      case Format::kPlain:
        language.then(values_of(hole.field).with_escapes(escaped));
        break;
    }
  }
  return language;
}

std::optional<std::pair<const Hole*, const Hole*>> KeyTemplate::ambiguous() const {
  for (size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const auto* first = std::get_if<Hole>(&pieces_[i]);
    const auto* second = std::get_if<Hole>(&pieces_[i + 1]);
    if (first != nullptr && second != nullptr && !first->is_fixed_width()) return std::pair(first, second);
  }
  return std::nullopt;
}

std::optional<int64_t> KeyTemplate::bytes_max() const {
  int64_t bytes = 0;
  for (const Piece& piece : pieces_) {
    if (const auto* text = std::get_if<std::string>(&piece)) {
      bytes += static_cast<int64_t>(text->size());
      continue;
    }
    const Hole& hole = std::get<Hole>(piece);
    if (hole.is_fixed_width()) {
      bytes += static_cast<int64_t>(width_of(hole));
    } else if (hole.field.type.kind == Kind::kEnum) {
      size_t longest = 0;
      for (const language::Name& value : hole.field.type.values)
        longest = std::max(longest, value.text.size());
      bytes += static_cast<int64_t>(longest);
    } else if (is_numeric(hole.field.type)) {
      bytes += 40;
    } else if (hole.field.syntax != nullptr && hole.field.syntax->max) {
      bytes += hole.field.syntax->max->value;
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

}  // namespace sheaf::model

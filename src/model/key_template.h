// Key templates with their holes looked up: how values become key text, how key text becomes values again,
// and which texts there can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sheaf/result.h"

#include "language/syntax.h"
#include "model/model.h"
#include "model/regular_language.h"

namespace sheaf::model {

// Where a hole's value comes from.
struct HoleSource {
  enum class Root : uint8_t {
    kEntity,     // the entity that the item belongs to
    kEdgeEnd,    // an edge's end: the entity that it leads to
    kEdgeField,  // a field of the edge
    kAttribute,  // of an entity that is stored field by field: the attribute whose item it is
  };
  Root root = Root::kEntity;
  int side = 0;  // kEdgeEnd
  FieldPath path;

  bool operator==(const HoleSource&) const = default;
};

struct Hole {
  HoleSource source;
  Field field;  // what it leads to
  language::Hole::Format format = language::Hole::Format::kPlain;
  int64_t count = 0;  // digits, or shards
  std::string text;   // what is in it: <org.name>
  language::Span span;

  // With its format: <at:month>
  std::string written() const;
  bool is_bucket() const;
  bool is_shard() const;
  bool is_attribute() const { return source.root == HoleSource::Root::kAttribute; }
  // Its value can be told from the key text: not that of a bucket or a shard.
  bool holds_value() const { return !is_bucket() && !is_shard(); }
  // Its text has always the same number of bytes.
  bool is_fixed_width() const;
  // Key texts sort as the values do.
  bool keeps_order() const;
};

// The characters that a hole does not hold as they are: up to %, and the first of what follows it.
std::vector<CharacterRange> escaped_characters(char32_t next);

class KeyTemplate {
 public:
  using Piece = std::variant<std::string, Hole>;

  KeyTemplate() = default;
  KeyTemplate(std::vector<Piece> pieces, language::Span span) : pieces_(std::move(pieces)), span_(span) {}

  const std::vector<Piece>& pieces() const { return pieces_; }
  language::Span span() const { return span_; }
  std::vector<const Hole*> holes() const;
  // It is one hole and nothing else: the key attribute is the field itself.
  const Hole* bare_hole() const;
  // The text before the first hole.
  std::string leading_text() const;
  // As it is written: ORG#<name>.
  std::string text() const;

  // The same, where some of the shards are not worked out from a value: the value is which one it is.
  KeyTemplate with_numbers_for(const std::vector<bool>& holes) const;

  // One value a hole, in order, as text. Or why one cannot be in this key.
  Result<std::string> encode(const std::vector<std::string>& values) const;
  // The first `values.size()` holes and the literals up to the next hole: what all keys with these values
  // begin with.
  Result<std::string> encode_prefix(const std::vector<std::string>& values) const;
  // The values again; nothing if no values give this text.
  std::optional<std::vector<std::string>> decode(std::string_view key) const;
  // The same, into what `values` has room for; false if no values give this text.
  bool decode(std::string_view key, std::vector<std::string>& values) const;

  // All texts that it can give.
  RegularLanguage language() const;
  // Two holes of which nobody could say where one ends and the other begins, if there are any.
  std::optional<std::pair<const Hole*, const Hole*>> ambiguous() const;
  // The most bytes that a key can have, if every field says its max, without escapes.
  std::optional<int64_t> bytes_max() const;

 private:
  // What follows the piece, if it is text.
  std::optional<char32_t> next_character(size_t piece) const;

  std::vector<Piece> pieces_;
  language::Span span_;
};

// FNV-1a of 64 bits: which shard a value is in must never change.
uint64_t shard_hash(std::string_view value);

}  // namespace sheaf::model

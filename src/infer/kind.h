// One kind of items while it is being found out: what its keys are made of, and what it holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sheaf/value.h"

#include "infer/evidence.h"
#include "infer/observed.h"
#include "language/syntax.h"

namespace sheaf::infer {

using Texts = std::vector<std::optional<std::string>>;  // one an item; none where it is missing

// A value that keys are made of.
struct KeyValue {
  std::string attribute;  // under which items store it, too; empty: only keys hold it
  Texts texts;
  bool is_in_key = false;  // the primary key holds it
  language::Type type;
  std::string after;    // the word before it in the key: ORG in ORG#<..>
  std::string bare_of;  // the key attribute that it is, if it is one whole
};

struct Piece {
  std::string literal;          // if there is no value
  std::optional<size_t> value;  // of Kind::values
  language::Hole::Format format = language::Hole::Format::kPlain;
  int64_t count = 0;          // digits, or shards
  bool is_attribute = false;  // of what is stored field by field: which field it is

  bool holds_value() const {
    return value && (format == language::Hole::Format::kPlain || format == language::Hole::Format::kRaw ||
                     format == language::Hole::Format::kDigits);
  }
};

struct Shape {
  std::vector<Piece> pieces;
  Evidence evidence;
  // The key is taken whole, as one value: its parts are not understood, or a hole could not hold them.
  bool is_whole = false;

  std::vector<size_t> held() const;  // the values that it tells, in order
  bool has_word() const;             // not of values alone
};

struct IndexShape {
  size_t index = 0;  // of the table's
  Shape pk;
  std::optional<Shape> sk;
  std::optional<language::Condition> when;
};

struct Kind {
  size_t table = 0;
  std::string tag;       // what the table's tag attribute says; empty: there is none
  std::string facet;     // its name, if somebody gave it one
  std::string pk_alias;  // how a facet calls its keys: ORG#<name>, or ITEM#ItemId
  std::string sk_alias;
  std::vector<Item> items;
  std::vector<KeyValue> values;
  Shape pk;
  std::optional<Shape> sk;
  std::vector<IndexShape> indexes;
  bool is_by_field = false;                 // an item for each field
  std::vector<std::string> attributes;      // beside keys, tag and keys of indexes
  std::vector<DeclaredAttribute> declared;  // of a facet without items

  // `attributes`, and those keys of indexes that are values of their own.
  std::vector<std::string> stored_attributes() const;
  // What tells one from another: the values of the primary key, each once.
  std::vector<size_t> identity() const;
  // The value that is stored as this attribute.
  std::optional<size_t> find_value(const std::string& attribute) const;
  // Its identity in one item; nothing if a part is missing.
  std::optional<std::vector<std::string>> identity_of(size_t item) const;
  std::string key_text(size_t item) const;  // for people
};

// A string, a number or a bool as keys write it.
std::optional<std::string> text_of(ValueView value);

}  // namespace sheaf::infer

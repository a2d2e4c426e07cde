#include "infer/key_shapes.h"

#include <algorithm>
#include <map>

#include "infer/field_types.h"
#include "infer/index_shapes.h"
#include "infer/key_columns.h"
#include "infer/key_words.h"
#include "model/value_type.h"

namespace sheaf::infer {
namespace {

using Format = language::Hole::Format;
using TypeKind = language::Type::Kind;

Texts unescaped_texts(const Texts& texts) {
  Texts out = texts;
  for (auto& text : out) {
    if (text) text = unescaped(*text);
  }
  return out;
}

Format bucket_format(size_t bytes) {
  return bytes == 4    ? Format::kYear
         : bytes == 7  ? Format::kMonth
         : bytes == 10 ? Format::kDay
                       : Format::kHour;
}

class PrimaryKey {
 public:
  PrimaryKey(const ObservedTable& table, Kind& kind) : kind_(kind), pk_(table.key.partition.front()) {
    if (!table.key.sort.empty()) sk_ = table.key.sort.front();
  }

  void run() {
    auto pk = columns_of(kind_.items, pk_.name);
    auto sk = sk_ ? columns_of(kind_.items, sk_->name) : std::nullopt;
    if (sk && sk_ && sk_->type == Type::kString && is_by_field(*sk)) kind_.is_by_field = true;
    partitions_ = pk ? count_partitions() : 0;
    if (pk && pk_.type == Type::kString) plan(*pk, false);
    if (sk && sk_->type == Type::kString) plan(*sk, true);
    // Buckets are of values that stand elsewhere: those come first.
    if (pk) kind_.pk = shape(pk_.name, *pk, is_hole_pk_);
    if (!pk) kind_.pk = whole(pk_);
    if (sk_) kind_.sk = sk ? shape(sk_->name, *sk, is_hole_sk_) : whole(*sk_);
    find_buckets(kind_.pk);
    if (kind_.sk) find_buckets(*kind_.sk);
    drop_unused();
  }

  Shape whole(const KeyAttribute& key) {
    KeyValue value{.is_in_key = true, .bare_of = key.name};
    for (const Item& item : kind_.items) {
      const auto stored = item.find(key.name);
      value.texts.push_back(stored ? text_of(*stored) : std::nullopt);
      if (stored && stored->type() == Type::kBinary) value.texts.back() = std::string(stored->bytes());
    }
    value.type.kind = key.type == Type::kNumber   ? TypeKind::kNumber
                      : key.type == Type::kBinary ? TypeKind::kBinary
                                                  : TypeKind::kString;
    Shape shape{.is_whole = true};
    for (size_t i = 0; i < kind_.items.size(); ++i) shape.evidence.add(true, "");
    kind_.values.push_back(std::move(value));
    shape.pieces.push_back({.value = kind_.values.size() - 1});
    return shape;
  }

 private:
  size_t count_partitions() const {
    std::set<std::string> all;
    for (const Item& item : kind_.items) {
      if (const auto value = item.find(pk_.name)) all.insert(std::string(value->encoded()));
    }
    return all.size();
  }

  // An item for each field: one attribute, `value`, under sort keys that name the fields.
  bool is_by_field(const std::vector<Column>& sk) const {
    if (kind_.attributes != std::vector<std::string>{"value"} || kind_.items.size() < 2) return false;
    std::map<std::string, size_t> fields;
    for (const Item& item : kind_.items) {
      if (!item.find("value")) return false;
    }
    for (const auto& text : sk.back().texts) {
      if (!text || !is_word(*text)) return false;
      ++fields[*text];
    }
    std::set<std::string> partitions;
    for (const Item& item : kind_.items) partitions.insert(std::string(item.find(pk_.name)->encoded()));
    return fields.size() > 1 && fields.size() < kind_.items.size() &&
           std::any_of(fields.begin(), fields.end(),
                       [&](const auto& field) { return field.second == partitions.size(); });
  }

  // Decides which columns are values.
  void plan(const std::vector<Column>& columns, bool is_sk) {
    std::vector<bool>& is_hole = is_sk ? is_hole_sk_ : is_hole_pk_;
    for (size_t j = 0; j < columns.size(); ++j) {
      const auto constant = columns[j].constant();
      const bool is_hole_before = j > 0 && is_hole[j - 1];
      const std::string before = j > 0 && !is_hole_before ? columns[j - 1].constant().value_or("") : "";
      const bool is_literal =
          constant && (is_sk ? is_literal_sk(columns, j, *constant, is_hole_before, before)
                             : is_literal_pk(columns, j, *constant, is_hole_before));
      is_hole.push_back(!is_literal);
      if (!is_sk && !is_literal) in_pk_.push_back(unescaped_texts(columns[j].texts));
    }
    const bool has_hole = std::find(is_hole.begin(), is_hole.end(), true) != is_hole.end();
    // Items of one kind have different keys.
    if ((is_sk || !sk_) && !has_hole && in_pk_.empty()) is_hole.back() = true;
  }

  bool is_literal_pk(const std::vector<Column>& columns, size_t j, const std::string& text,
                     bool is_hole_before) const {
    if (text.empty()) return true;
    const bool is_last = j + 1 == columns.size();
    if (columns.size() == 1) return is_capital_word(text) && sk_.has_value();
    if (is_last) return is_hole_before && is_word(text);
    return j == 0 ? is_word(text) : is_capital_word(text);
  }

  bool is_literal_sk(const std::vector<Column>& columns, size_t j, const std::string& text,
                     bool is_hole_before, const std::string& before) const {
    if (text.empty()) return true;
    for (const Texts& known : in_pk_) {
      if (known == unescaped_texts(columns[j].texts)) return false;
    }
    if (partitions_ > 1 && !in_pk_.empty()) return true;
    if (columns.size() == 1) return is_word(text);
    if (j == 0) return is_word(text);
    if (is_hole_before) return is_word(text);
    return before.empty() ? is_word(text) : is_head_word(before) || is_head_word(text);
  }

  Shape shape(const std::string& attribute, const std::vector<Column>& columns,
              const std::vector<bool>& is_hole) {
    Shape shape;
    const bool is_sk = sk_ && attribute == sk_->name;
    std::string word;
    for (size_t j = 0; j < columns.size(); ++j) {
      const Column& column = columns[j];
      if (!column.literal.empty()) add_literal(shape, column.literal);
      if (kind_.is_by_field && is_sk && j + 1 == columns.size()) {
        shape.pieces.push_back({.is_attribute = true});
      } else if (!is_hole[j]) {
        word = *column.constant();
        add_literal(shape, word);
      } else {
        add_value(shape, column, word, columns.size() == 1 ? attribute : std::string());
      }
    }
    for (size_t i = 0; i < kind_.items.size(); ++i) shape.evidence.add(true, "");
    return shape;
  }

  static void add_literal(Shape& shape, const std::string& text) {
    if (text.empty()) return;
    if (!shape.pieces.empty() && !shape.pieces.back().value && !shape.pieces.back().is_attribute) {
      shape.pieces.back().literal += text;
    } else {
      shape.pieces.push_back({.literal = text});
    }
  }

  void add_value(Shape& shape, const Column& column, const std::string& word, const std::string& bare_of) {
    const std::set<std::string> distinct = column.distinct();
    const std::string ending = common_ending(distinct);
    const size_t width = ending.empty() && bare_of.empty() ? digits_width(distinct) : 0;
    Piece piece;
    Texts texts = column.texts;
    for (auto& text : texts) {
      if (!text) continue;
      *text = text->substr(0, text->size() - ending.size());
      text = width > 0 ? without_zeros(*text) : bare_of.empty() || !ending.empty() ? unescaped(*text) : *text;
    }
    piece.value = value_of(std::move(texts), word, ending.empty() ? bare_of : std::string());
    KeyValue& value = kind_.values[*piece.value];
    if (width > 0) {
      piece.format = Format::kDigits;
      piece.count = static_cast<int64_t>(width);
      value.type.kind = TypeKind::kInt;
    } else if (!value.attribute.empty()) {
      piece.format = Format::kRaw;
    }
    shape.pieces.push_back(piece);
    add_literal(shape, ending);
  }

  // The value with these texts: known already, an attribute, or one that only keys hold.
  size_t value_of(Texts texts, const std::string& word, const std::string& bare_of) {
    for (size_t i = 0; i < kind_.values.size(); ++i) {
      if (kind_.values[i].texts == texts) return i;
    }
    KeyValue value{.is_in_key = true, .after = word, .bare_of = bare_of};
    if (!kind_.is_by_field) value.attribute = attribute_with(kind_, texts).value_or("");
    std::vector<std::string> known;
    std::vector<ValueView> stored;
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i]) known.push_back(*texts[i]);
      if (!value.attribute.empty()) stored.push_back(*kind_.items[i].find(value.attribute));
    }
    value.type = value.attribute.empty() ? type_of_texts(known) : type_of_values(stored);
    if (value.type.kind == TypeKind::kEnum) value.type = {};
    value.texts = std::move(texts);
    kind_.values.push_back(std::move(value));
    return kind_.values.size() - 1;
  }

  // Parts of keys that are the beginning of a time that another part, or an attribute, has.
  void find_buckets(Shape& shape) {
    for (Piece& piece : shape.pieces) {
      if (!piece.value || piece.format != Format::kPlain) continue;
      Column column{.texts = kind_.values[*piece.value].texts};
      const size_t bytes = bucket_bytes(column.distinct());
      if (bytes == 0) continue;
      const auto source = bucket_source(kind_, column.texts, bytes);
      if (!source || *source == *piece.value) continue;
      piece.value = source;
      piece.format = bucket_format(bytes);
    }
  }

  // Values that turned out to be buckets of others.
  void drop_unused() {
    std::vector<bool> is_used(kind_.values.size(), false);
    const auto note = [&](const Shape& shape) {
      for (const Piece& piece : shape.pieces) {
        if (piece.value) is_used[*piece.value] = true;
      }
    };
    note(kind_.pk);
    if (kind_.sk) note(*kind_.sk);
    std::vector<size_t> moved(kind_.values.size());
    std::vector<KeyValue> kept;
    for (size_t i = 0; i < kind_.values.size(); ++i) {
      moved[i] = kept.size();
      if (is_used[i]) kept.push_back(std::move(kind_.values[i]));
    }
    kind_.values = std::move(kept);
    const auto move = [&](Shape& shape) {
      for (Piece& piece : shape.pieces) {
        if (piece.value) piece.value = moved[*piece.value];
      }
    };
    move(kind_.pk);
    if (kind_.sk) move(*kind_.sk);
    for (KeyValue& value : kind_.values) value.is_in_key = false;
    for (const size_t value : kind_.identity()) kind_.values[value].is_in_key = true;
  }

  Kind& kind_;
  KeyAttribute pk_;
  std::optional<KeyAttribute> sk_;
  std::vector<bool> is_hole_pk_;
  std::vector<bool> is_hole_sk_;
  std::vector<Texts> in_pk_;
  size_t partitions_ = 0;
};

}  // namespace

void find_shapes(const ObservedTable& table, Kind& kind) {
  PrimaryKey(table, kind).run();
  if (!kind.is_by_field) find_index_shapes(table, kind);
}

void take_keys_whole(const ObservedTable& table, Kind& kind) {
  kind.values.clear();
  kind.indexes.clear();
  kind.is_by_field = false;
  PrimaryKey primary(table, kind);
  kind.pk = primary.whole(table.key.partition.front());
  kind.sk.reset();
  if (!table.key.sort.empty()) kind.sk = primary.whole(table.key.sort.front());
  take_indexes_whole(table, kind);
}

}  // namespace sheaf::infer

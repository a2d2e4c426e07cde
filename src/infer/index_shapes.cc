#include "infer/index_shapes.h"

#include <algorithm>
#include <map>
#include <set>

#include "infer/field_types.h"
#include "infer/key_columns.h"
#include "infer/key_words.h"
#include "model/key_template.h"
#include "model/value_type.h"

namespace sheaf::infer {
namespace {

using Format = language::Hole::Format;
using TypeKind = language::Type::Kind;

constexpr int64_t kShardsMax = 1000;
constexpr size_t kShardItemsMin = 4;

Texts attribute_texts(const Kind& kind, const std::string& attribute) {
  Texts texts;
  for (const Item& item : kind.items) {
    const auto value = item.find(attribute);
    texts.push_back(value ? text_of(*value) : std::nullopt);
  }
  return texts;
}

language::Type attribute_type(const Kind& kind, const std::string& attribute) {
  std::vector<ValueView> values;
  for (const Item& item : kind.items) {
    if (const auto value = item.find(attribute)) values.push_back(*value);
  }
  return type_of_values(values);
}

// The value that an attribute is.
size_t value_for(Kind& kind, const std::string& attribute) {
  if (const auto known = kind.find_value(attribute)) return *known;
  KeyValue value{.attribute = attribute};
  value.texts = attribute_texts(kind, attribute);
  value.type = attribute_type(kind, attribute);
  kind.values.push_back(std::move(value));
  return kind.values.size() - 1;
}

// Whether a value gives each text that there is.
template <typename Gives>
bool fits(const Texts& texts, const Texts& values, Gives gives) {
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] && (!values[i] || !gives(*values[i], *texts[i]))) return false;
  }
  return true;
}

class IndexKeys {
 public:
  IndexKeys(const ObservedTable& table, Kind& kind) : table_(table), kind_(kind) {}

  void run(bool is_whole) {
    for (const ObservedIndex& index : table_.indexes) note_partial(index, is_whole);
    for (size_t i = 0; i < table_.indexes.size(); ++i) {
      const ObservedIndex& index = table_.indexes[i];
      if (is_expressible(index) && !is_over_table_keys(table_, index)) add(i, index);
    }
  }

 private:
  static std::vector<KeyAttribute> attributes_of(const ObservedIndex& index) {
    std::vector<KeyAttribute> attributes = index.key.partition;
    attributes.insert(attributes.end(), index.key.sort.begin(), index.key.sort.end());
    return attributes;
  }

  // An attribute that items have without being in its index is a value of its own: nothing else would put it
  // there.
  void note_partial(const ObservedIndex& index, bool is_whole) {
    const std::vector<KeyAttribute> attributes = attributes_of(index);
    const bool is_partial = std::any_of(kind_.items.begin(), kind_.items.end(), [&](const Item& item) {
      const auto has = [&](const KeyAttribute& key) { return item.find(key.name).has_value(); };
      return std::any_of(attributes.begin(), attributes.end(), has) &&
             !std::all_of(attributes.begin(), attributes.end(), has);
    });
    if (!is_partial && !is_whole) return;
    for (const KeyAttribute& key : attributes) {
      if (!is_table_key(key.name)) taken_whole_.insert(key.name);
    }
  }

  void add(size_t id, const ObservedIndex& index) {
    const std::vector<KeyAttribute> attributes = attributes_of(index);
    size_t in = 0;
    bool has_own = false;
    for (const Item& item : kind_.items) {
      bool all = true;
      for (const KeyAttribute& key : attributes) {
        const bool has = item.find(key.name).has_value();
        all = all && has;
        has_own = has_own || (has && !is_table_key(key.name));
      }
      in += all ? 1 : 0;
    }
    if (in == 0 && !has_own) return;
    const auto shape_of = [&](const KeyAttribute& key) {
      const bool is_whole = taken_whole_.contains(key.name);
      const auto shape = is_whole ? std::nullopt : understood(key);
      return shape ? *shape : whole(key);
    };
    IndexShape shape{.index = id, .pk = shape_of(attributes.front())};
    if (attributes.size() > 1) shape.sk = shape_of(attributes.back());
    if (!explains_absence(shape, in)) {
      shape.pk = whole(attributes.front());
      if (attributes.size() > 1) shape.sk = whole(attributes.back());
    }
    keep(std::move(shape));
  }

  void keep(IndexShape shape) {
    const ObservedIndex& index = table_.indexes[shape.index];
    known_[index.key.partition.front().name] = shape.pk;
    if (shape.sk) known_[index.key.sort.front().name] = *shape.sk;
    kind_.indexes.push_back(std::move(shape));
  }

  bool is_table_key(const std::string& attribute) const {
    return attribute == table_.key.partition.front().name ||
           (!table_.key.sort.empty() && attribute == table_.key.sort.front().name);
  }

  std::optional<Shape> known_shape(const std::string& attribute) const {
    if (attribute == table_.key.partition.front().name) return kind_.pk;
    if (!table_.key.sort.empty() && attribute == table_.key.sort.front().name) return kind_.sk;
    const auto known = known_.find(attribute);
    return known == known_.end() ? std::nullopt : std::optional(known->second);
  }

  Shape whole(const KeyAttribute& key) {
    if (auto known = known_shape(key.name)) return *known;
    const size_t value = value_for(kind_, key.name);
    kind_.values[value].bare_of = key.name;
    if (key.type == Type::kNumber && kind_.values[value].type.kind != TypeKind::kInt)
      kind_.values[value].type.kind = TypeKind::kNumber;
    if (key.type == Type::kBinary) kind_.values[value].type.kind = TypeKind::kBinary;
    if (key.type == Type::kString && !model::is_textual(kind_.values[value].type))
      kind_.values[value].type = {};
    Shape shape{.is_whole = true};
    shape.pieces.push_back({.value = value});
    for (const auto& text : kind_.values[value].texts) {
      if (text) shape.evidence.add(true, "");
    }
    return shape;
  }

  std::optional<Shape> understood(const KeyAttribute& key) {
    if (auto known = known_shape(key.name)) return known;
    const auto columns = columns_of(kind_.items, key.name);
    if (!columns || key.type != Type::kString) return std::nullopt;
    Shape shape;
    for (size_t j = 0; j < columns->size(); ++j) {
      const Column& column = (*columns)[j];
      add_literal(shape, column.literal);
      const auto constant = column.constant();
      const bool is_label = constant && j == 0 && columns->size() > 1 && is_word(*constant);
      if (!is_label && add_value(shape, column, columns->size() == 1)) continue;
      // What looks like an id is one, even if all items have the same.
      if (!constant || has_digit(*constant) || (columns->size() == 1 && !is_word(*constant)))
        return std::nullopt;
      add_literal(shape, *constant);
    }
    for (const auto& text : columns->front().texts) {
      if (text) shape.evidence.add(true, "");
    }
    return shape;
  }

  static void add_literal(Shape& shape, const std::string& text) {
    if (text.empty()) return;
    if (!shape.pieces.empty() && !shape.pieces.back().value) {
      shape.pieces.back().literal += text;
    } else {
      shape.pieces.push_back({.literal = text});
    }
  }

  // A value of the primary key, an attribute, or something made of one of them.
  bool add_value(Shape& shape, const Column& column, bool is_bare) {
    const auto equals = [&](const std::string& value, const std::string& text) {
      return value == (is_bare ? text : unescaped(text));
    };
    for (size_t v = 0; v < kind_.values.size(); ++v) {
      if (!fits(column.texts, kind_.values[v].texts, equals)) continue;
      shape.pieces.push_back({.value = v});
      return true;
    }
    for (const std::string& attribute : kind_.attributes) {
      if (!fits(column.texts, attribute_texts(kind_, attribute), equals) ||
          !model::may_be_key(attribute_type(kind_, attribute)) ||
          attribute_type(kind_, attribute).kind == TypeKind::kAny)
        continue;
      shape.pieces.push_back({.value = value_for(kind_, attribute)});
      return true;
    }
    return add_with_ending(shape, column) ||
           (!is_bare && (add_digits(shape, column) || add_bucket(shape, column) || add_shard(shape, column)));
  }

  bool add_digits(Shape& shape, const Column& column) {
    const size_t width = digits_width(column.distinct());
    if (width == 0) return false;
    for (size_t v = 0; v < kind_.values.size(); ++v) {
      const bool is_same = fits(
          column.texts, kind_.values[v].texts,
          [](const std::string& value, const std::string& text) { return without_zeros(text) == value; });
      if (!is_same || !model::is_numeric(kind_.values[v].type)) continue;
      shape.pieces.push_back({.value = v, .format = Format::kDigits, .count = static_cast<int64_t>(width)});
      return true;
    }
    return false;
  }

  bool add_with_ending(Shape& shape, const Column& column) {
    const std::string ending = common_ending(column.distinct());
    if (ending.empty()) return false;
    for (size_t v = 0; v < kind_.values.size(); ++v) {
      const bool is_same =
          fits(column.texts, kind_.values[v].texts,
               [&](const std::string& value, const std::string& text) { return text == value + ending; });
      if (!is_same) continue;
      shape.pieces.push_back({.value = v});
      add_literal(shape, ending);
      return true;
    }
    return false;
  }

  bool add_bucket(Shape& shape, const Column& column) {
    const size_t bytes = bucket_bytes(column.distinct());
    const auto source = bytes > 0 ? bucket_source(kind_, column.texts, bytes) : std::nullopt;
    if (!source) return false;
    const Format format = bytes == 4    ? Format::kYear
                          : bytes == 7  ? Format::kMonth
                          : bytes == 10 ? Format::kDay
                                        : Format::kHour;
    shape.pieces.push_back({.value = source, .format = format});
    return true;
  }

  // A number that is the hash of a value, in as many shards as fit.
  bool add_shard(Shape& shape, const Column& column) {
    const std::set<std::string> distinct = column.distinct();
    const size_t width = distinct.empty() ? 0 : distinct.begin()->size();
    int64_t largest = 0;
    for (const std::string& text : distinct) {
      if (width == 0 || text.size() != width || width > 3 ||
          text.find_first_not_of("0123456789") != std::string::npos)
        return false;
      largest = std::max<int64_t>(largest, std::stoll(text));
    }
    const auto rows = std::count_if(column.texts.begin(), column.texts.end(),
                                    [](const auto& text) { return text.has_value(); });
    if (static_cast<size_t>(rows) < kShardItemsMin || distinct.size() < 2) return false;
    for (int64_t count = largest + 1; count <= kShardsMax; ++count) {
      if (count < 2 || std::to_string(count - 1).size() != width) continue;
      for (size_t v = 0; v < kind_.values.size(); ++v) {
        const bool is_same =
            fits(column.texts, kind_.values[v].texts, [&](const std::string& value, const std::string& text) {
              return model::shard_hash(value) % static_cast<uint64_t>(count) ==
                     static_cast<uint64_t>(std::stoll(text));
            });
        if (!is_same) continue;
        shape.pieces.push_back({.value = v, .format = Format::kShard, .count = count});
        return true;
      }
    }
    return false;
  }

  // Items that are not in the index lack a value for its keys, or a condition keeps them out.
  bool explains_absence(IndexShape& shape, size_t in) {
    if (in == kind_.items.size() || (shape.pk.is_whole && (!shape.sk || shape.sk->is_whole))) return true;
    std::vector<bool> is_in, has_all;
    for (size_t i = 0; i < kind_.items.size(); ++i) {
      bool has_keys = true;
      for (const KeyAttribute& key : attributes_of(table_.indexes[shape.index]))
        has_keys = has_keys && kind_.items[i].find(key.name);
      is_in.push_back(has_keys);
      bool all = true;
      const auto check = [&](const Shape& key) {
        for (const Piece& piece : key.pieces)
          all = all && (!piece.value || kind_.values[*piece.value].texts[i]);
      };
      check(shape.pk);
      if (shape.sk) check(*shape.sk);
      has_all.push_back(all);
    }
    if (is_in == has_all) return true;
    shape.when = condition_for(is_in);
    return shape.when.has_value();
  }

  // An attribute that those in the index have, and the others have not; or have with another value.
  std::optional<language::Condition> condition_for(const std::vector<bool>& is_in) const {
    for (const std::string& attribute : kind_.attributes) {
      if (!language_name(attribute)) continue;
      const Texts texts = attribute_texts(kind_, attribute);
      bool by_presence = true, by_value = true;
      std::optional<std::string> value;
      for (size_t i = 0; i < is_in.size(); ++i) {
        by_presence = by_presence && kind_.items[i].find(attribute).has_value() == is_in[i];
        if (is_in[i] && !value) value = texts[i];
      }
      for (size_t i = 0; i < is_in.size(); ++i)
        by_value = by_value && value && (texts[i] == value) == is_in[i];
      language::Condition condition;
      condition.path.names.push_back({.text = attribute});
      if (by_presence) {
        condition.test = language::Condition::Test::kExists;
        return condition;
      }
      const language::Type type = attribute_type(kind_, attribute);
      if (by_value && model::is_textual(type)) {
        condition.test = language::Condition::Test::kEqual;
        language::Literal literal;
        literal.kind = language::Literal::Kind::kString;
        literal.text = *value;
        condition.operands.push_back(std::move(literal));
        return condition;
      }
    }
    return std::nullopt;
  }

  static bool language_name(const std::string& attribute) {
    return !attribute.empty() && attribute.find_first_of("`\n") == std::string::npos;
  }

  const ObservedTable& table_;
  Kind& kind_;
  std::set<std::string> taken_whole_;
  std::map<std::string, Shape> known_;  // by attribute
};

}  // namespace

bool is_expressible(const ObservedIndex& index) {
  return !index.is_local && index.key.partition.size() == 1 && index.key.sort.size() <= 1;
}

bool is_over_table_keys(const ObservedTable& table, const ObservedIndex& index) {
  return !table.key.sort.empty() && !index.key.sort.empty() &&
         index.key.partition.front().name == table.key.sort.front().name &&
         index.key.sort.front().name == table.key.partition.front().name;
}

std::optional<std::string> attribute_with(const Kind& kind, const Texts& texts) {
  for (const std::string& attribute : kind.attributes) {
    const Texts stored = attribute_texts(kind, attribute);
    const language::Type type = attribute_type(kind, attribute);
    const bool is_scalar = model::is_textual(type) || model::is_numeric(type);
    // One item agrees too easily with a number.
    if (!is_scalar || stored != texts || (kind.items.size() == 1 && !model::is_textual(type))) continue;
    return attribute;
  }
  return std::nullopt;
}

std::optional<size_t> bucket_source(Kind& kind, const Texts& texts, size_t bytes) {
  const auto begins = [](const std::string& value, const std::string& text) {
    return value.size() > text.size() && value.starts_with(text);
  };
  const auto is_timely = [&](const language::Type& type) {
    return type.kind == TypeKind::kTime || (type.kind == TypeKind::kDate && bytes < 10);
  };
  for (size_t v = 0; v < kind.values.size(); ++v) {
    if (is_timely(kind.values[v].type) && fits(texts, kind.values[v].texts, begins)) return v;
  }
  for (const std::string& attribute : kind.attributes) {
    if (is_timely(attribute_type(kind, attribute)) && fits(texts, attribute_texts(kind, attribute), begins))
      return value_for(kind, attribute);
  }
  return std::nullopt;
}

void find_index_shapes(const ObservedTable& table, Kind& kind) { IndexKeys(table, kind).run(false); }

void take_indexes_whole(const ObservedTable& table, Kind& kind) { IndexKeys(table, kind).run(true); }

}  // namespace sheaf::infer

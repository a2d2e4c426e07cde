// Keys of kinds that have no items, as somebody calls them.
#include <algorithm>

#include "infer/key_shapes.h"
#include "infer/key_words.h"
#include "infer/names.h"
#include "language/written_parts.h"

namespace sheaf::infer {
namespace {

using Format = language::Hole::Format;

class Aliases {
 public:
  explicit Aliases(Kind& kind) : kind_(kind) {}

  // Nothing if it says no more than the attribute's own name.
  std::optional<Shape> shape(const KeyAttribute& key, const std::string& alias) {
    if (key.type != Type::kString || alias.empty() || alias == key.name) return std::nullopt;
    return alias.find('<') != std::string::npos ? of_template(alias) : of_words(alias);
  }

 private:
  // ORG#<org.name>, as Sheaf writes them. Buckets and shards need data, so they are plain values here.
  std::optional<Shape> of_template(const std::string& alias) {
    const Result<language::Template> read = language::read_template(alias);
    if (!read.ok()) return std::nullopt;
    Shape shape;
    for (const auto& piece : read->pieces) {
      if (const auto* text = std::get_if<std::string>(&piece)) {
        shape.pieces.push_back({.literal = *text});
        continue;
      }
      const auto& hole = std::get<language::Hole>(piece);
      std::string name;
      for (const language::Name& each : hole.path.names) name += (name.empty() ? "" : "_") + each.text;
      const bool is_number = hole.format == Format::kDigits;
      const size_t value = value_named(name, is_number);
      shape.pieces.push_back({.value = value,
                              .format = is_number ? Format::kDigits : Format::kPlain,
                              .count = is_number ? hole.count : 0});
    }
    return shape;
  }

  // ITEM#ItemId: words in capitals are literals, others are names of values.
  std::optional<Shape> of_words(const std::string& alias) {
    const KeyTokens key = split_key(alias);
    Shape shape;
    const auto add_literal = [&](const std::string& text) {
      if (text.empty()) return;
      if (!shape.pieces.empty() && !shape.pieces.back().value) {
        shape.pieces.back().literal += text;
      } else {
        shape.pieces.push_back({.literal = text});
      }
    };
    for (size_t i = 0; i < key.tokens.size(); ++i) {
      if (i > 0) add_literal(key.delimiters[i - 1]);
      if (key.tokens[i].empty() || is_capital_word(key.tokens[i])) {
        add_literal(key.tokens[i]);
      } else {
        shape.pieces.push_back({.value = value_named(hole_name(key.tokens[i]), false)});
      }
    }
    return shape;
  }

  size_t value_named(const std::string& name, bool is_number) {
    for (size_t i = 0; i < kind_.values.size(); ++i) {
      if (kind_.values[i].bare_of == name) return i;
    }
    KeyValue value{.is_in_key = true, .bare_of = name};
    if (is_number) value.type.kind = language::Type::Kind::kInt;
    kind_.values.push_back(std::move(value));
    return kind_.values.size() - 1;
  }

  Kind& kind_;
};

}  // namespace

void take_aliases(const ObservedTable& table, Kind& kind) {
  Aliases aliases(kind);
  const auto pk = aliases.shape(table.key.partition.front(), kind.pk_alias);
  const auto sk =
      !pk || table.key.sort.empty() ? std::nullopt : aliases.shape(table.key.sort.front(), kind.sk_alias);
  if (!pk || (!table.key.sort.empty() && !sk)) return take_keys_whole(table, kind);
  kind.pk = *pk;
  kind.sk = sk;
  if (kind.identity().empty()) take_keys_whole(table, kind);
}

}  // namespace sheaf::infer

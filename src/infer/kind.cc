#include "infer/kind.h"

#include <algorithm>

namespace sheaf::infer {

std::vector<size_t> Shape::held() const {
  std::vector<size_t> values;
  for (const Piece& piece : pieces) {
    if (piece.holds_value() && std::find(values.begin(), values.end(), *piece.value) == values.end())
      values.push_back(*piece.value);
  }
  return values;
}

bool Shape::has_word() const {
  return std::any_of(pieces.begin(), pieces.end(),
                     [](const Piece& piece) { return !piece.value && !piece.literal.empty(); });
}

std::vector<std::string> Kind::stored_attributes() const {
  std::vector<std::string> all = attributes;
  for (const KeyValue& value : values) {
    if (!value.attribute.empty() && std::find(all.begin(), all.end(), value.attribute) == all.end())
      all.push_back(value.attribute);
  }
  return all;
}

std::vector<size_t> Kind::identity() const {
  std::vector<size_t> parts = pk.held();
  if (!sk) return parts;
  for (const size_t value : sk->held()) {
    if (std::find(parts.begin(), parts.end(), value) == parts.end()) parts.push_back(value);
  }
  return parts;
}

std::optional<size_t> Kind::find_value(const std::string& attribute) const {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].attribute == attribute) return i;
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> Kind::identity_of(size_t item) const {
  std::vector<std::string> parts;
  for (const size_t value : identity()) {
    if (!values[value].texts[item]) return std::nullopt;
    parts.push_back(*values[value].texts[item]);
  }
  return parts;
}

std::string Kind::key_text(size_t item) const {
  std::string text;
  for (const size_t value : identity())
    text += (text.empty() ? "" : "/") + values[value].texts[item].value_or("?");
  return text;
}

std::optional<std::string> text_of(ValueView value) {
  switch (value.type()) {
    case Type::kString:
      return std::string(value.bytes());
    case Type::kNumber:
      return value.number().to_string();
    case Type::kBool:
      return value.boolean() ? "true" : "false";
    default:
      return std::nullopt;
  }
}

}  // namespace sheaf::infer

#include "prove/random_values.h"

#include <algorithm>

#include "language/written_parts.h"
#include "model/regular_language.h"
#include "model/value_type.h"
#include "prove/value_texts.h"
#include "run/item_codec.h"
#include "value/base64.h"

namespace sheaf::prove {
namespace {

using language::Type;
using Kind = language::Type::Kind;

constexpr size_t kPoolValues = 6;
constexpr size_t kLongBytes = 700;
constexpr size_t kLongKeyBytes = 60;

uint64_t text_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

Value base64_of(const std::string& bytes) {
  std::string text;
  append_base64(text, bytes);
  return Value(text);
}

Value number_of(const std::string& text) { return Value(*Number::parse(text)); }

std::vector<Value> strings(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.emplace_back(text);
  return values;
}

class Pool {
 public:
  explicit Pool(const ValueKind& kind)
      : kind_(kind), chance_(text_hash(kind.name + "/" + std::to_string(static_cast<int>(kind.type.kind)))) {}

  std::vector<Value> run() {
    switch (kind_.type.kind) {
      case Kind::kString:
        return strings(texts());
      case Kind::kNumber:
        return numbers(hostile_numbers());
      case Kind::kInt:
        return numbers(whole_numbers());
      case Kind::kBool:
        return {Value(true), Value(false)};
      case Kind::kBinary:
        return binaries();
      case Kind::kTime:
        return strings(some(matching(border_times()), kPoolValues));
      case Kind::kDate:
        return strings(some(matching(border_dates()), kPoolValues));
      case Kind::kUlid:
        return strings(matching({"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW",
                                 "00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"}));
      case Kind::kUuid:
        return strings(
            matching({"123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-a456-426614174001",
                      "00000000-0000-4000-8000-000000000000"}));
      case Kind::kEnum:
        return strings(enum_texts());
      default:
        return {};
    }
  }

 private:
  // Fewer of them, in an order that belongs to the kind; the first ones are always among them.
  template <typename T>
  std::vector<T> some(std::vector<T> all, size_t count, size_t kept = 0) {
    for (size_t i = kept; i + 1 < all.size(); ++i) {
      const size_t other = i + chance_.below(all.size() - i);
      std::swap(all[i], all[other]);
    }
    if (all.size() > count) all.resize(count);
    return all;
  }

  bool is_allowed(const std::string& text) const {
    if (kind_.max && text.size() > static_cast<uint64_t>(*kind_.max)) return false;
    if (kind_.is_key && (text.empty() || text.size() > kLongKeyBytes)) return false;
    if (!kind_.since.empty() && text < kind_.since) return false;
    return true;
  }

  std::vector<std::string> matching(const std::vector<std::string>& all) const {
    std::vector<std::string> kept;
    const auto language = kind_.matches.empty() ? Result<model::RegularLanguage>(model::RegularLanguage())
                                                : model::RegularLanguage::expression(kind_.matches);
    for (const std::string& text : all) {
      const bool matches = kind_.matches.empty() || (language.ok() && language->contains(text));
      if (matches && is_allowed(text)) kept.push_back(text);
    }
    return kept;
  }

  std::vector<std::string> texts() {
    if (!kind_.matches.empty()) return some(matching(candidates()), kPoolValues);
    std::vector<std::string> all = matching(hostile_texts());
    // A text, another that begins with it, and one that sorts between them once a delimiter follows.
    std::vector<std::string> made = some(std::move(all), kPoolValues, 3);
    for (const std::string& extra :
         {std::string(kind_.is_key ? kLongKeyBytes : kLongBytes, 'a'), std::string()}) {
      if (is_allowed(extra) && chance_.one_in(3)) made.push_back(extra);
    }
    if (made.empty()) made.emplace_back("a");
    return made;
  }

  // Texts of known expressions, and others behind the text that the expression begins with.
  std::vector<std::string> candidates() const {
    std::vector<std::string> all;
    for (const Expression& each : expressions()) all.insert(all.end(), each.texts.begin(), each.texts.end());
    const std::string prefix = kind_.matches.substr(0, kind_.matches.find_first_of(".[\\(*+?{|"));
    for (const std::string& text : hostile_texts()) all.push_back(prefix + text);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  std::vector<Value> numbers(const std::vector<std::string>& all) {
    std::vector<Value> kept;
    for (const std::string& text : all) {
      Value value = number_of(text);
      const auto order = kind_.max ? compare(value, Value(*kind_.max)) : std::nullopt;
      if (!order || *order <= 0) kept.push_back(std::move(value));
    }
    return some(std::move(kept), kPoolValues, 2);
  }

  std::vector<Value> binaries() {
    std::vector<Value> made;
    for (const std::string& bytes :
         some<std::string>({"a", "a#", std::string("\0", 1), "\xFF", "ab", "", "a-"}, 5)) {
      if (is_allowed(bytes)) made.push_back(base64_of(bytes));
    }
    if (made.empty()) made.emplace_back("YQ==");
    return made;
  }

  std::vector<std::string> enum_texts() const {
    std::vector<std::string> texts;
    for (const language::Name& name : kind_.type.values) texts.push_back(name.text);
    return texts;
  }

  const ValueKind& kind_;
  Chance chance_;
};

ValueKind element_kind(const ValueKind& kind) {
  return {.type = kind.type.element.front(), .name = kind.name + "[]"};
}

ValueKind member_kind(const ValueKind& kind, const language::Field& field) {
  ValueKind made{.type = field.type.value_or(Type{}), .name = kind.name + "." + field.name.text};
  if (field.max) made.max = field.max->value;
  if (field.matches) made.matches = field.matches->text;
  if (field.since) made.since = field.since->text;
  return made;
}

Value random_list(const ValueKind& kind, Chance& chance) {
  const bool is_set = kind.type.kind == Kind::kSet;
  size_t count = chance.between(is_set ? 1 : 0, 3);
  if (kind.max) count = std::min(count, static_cast<size_t>(*kind.max));
  std::vector<Value> values;
  for (size_t i = 0; i < count; ++i) {
    Value value = random_value(element_kind(kind), chance);
    const bool is_there = std::find(values.begin(), values.end(), value) != values.end();
    if (!is_set || !is_there) values.push_back(std::move(value));
  }
  return Value::list(values);
}

Value random_map(const ValueKind& kind, Chance& chance) {
  static const std::vector<std::string> keys = {"a", "b", "a#", "x.y", "", "😀"};
  run::Fields members;
  if (kind.type.kind == Kind::kMap) {
    const size_t count = chance.below(3);
    for (size_t i = 0; i < count; ++i) {
      const std::string& key = chance.of(keys);
      if (!key.empty()) members.insert_or_assign(key, random_value(element_kind(kind), chance));
    }
    return Value(run::item_of(members));
  }
  for (const language::Field& field : kind.type.fields) {
    const bool may_miss = field.is_optional || field.default_value.has_value();
    if (may_miss && chance.one_in(3)) continue;
    members.insert_or_assign(field.name.text, random_value(member_kind(kind, field), chance));
  }
  return Value(run::item_of(members));
}

// Of another type, or of none that a field of this type can hold.
std::vector<Value> misfits(const ValueKind& kind) {
  switch (kind.type.kind) {
    case Kind::kString:
      return {Value(int64_t{1}), Value(true)};
    case Kind::kNumber:
      return {Value("1"), Value(false)};
    case Kind::kInt:
      return {number_of("0.5"), Value("1"), number_of("1E-130")};
    case Kind::kBool:
      return {Value("true"), Value(int64_t{0})};
    case Kind::kBinary:
      return {Value("no base64!"), Value(int64_t{1})};
    case Kind::kTime:
      return {Value("2024-02-30T00:00:00.000Z"), Value("2024-02-01"), Value(int64_t{1})};
    case Kind::kDate:
      return {Value("2023-02-29"), Value("2024-02-01T00:00:00.000Z"), Value("")};
    case Kind::kUlid:
      return {Value("01ARZ3NDEKTSV4RRFFQ69G5FA"), Value("01ARZ3NDEKTSV4RRFFQ69G5FAU")};
    case Kind::kUuid:
      return {Value("123e4567-e89b-42d3-a456-42661417400"), Value("x")};
    case Kind::kEnum:
      return {Value("not one of them"), Value("")};
    case Kind::kList:
    case Kind::kSet:
      return {Value("a"), Value(int64_t{1})};
    case Kind::kMap:
    case Kind::kObject:
      return {Value("a"), Value::list({})};
    case Kind::kAny:
      return {};
  }
  return {};
}

}  // namespace

ValueKind value_kind(const model::Field& field) {
  ValueKind kind{.type = field.type, .name = field.name, .is_key = field.is_id};
  if (field.syntax == nullptr) return kind;
  if (field.syntax->max) kind.max = field.syntax->max->value;
  if (field.syntax->matches) kind.matches = field.syntax->matches->text;
  if (field.syntax->since) kind.since = field.syntax->since->text;
  kind.is_key = kind.is_key || field.syntax->is_unique;
  return kind;
}

std::vector<Value> value_pool(const ValueKind& kind) { return Pool(kind).run(); }

Value random_value(const ValueKind& kind, Chance& chance) {
  switch (kind.type.kind) {
    case Kind::kList:
    case Kind::kSet:
      return random_list(kind, chance);
    case Kind::kMap:
    case Kind::kObject:
      return random_map(kind, chance);
    case Kind::kAny: {
      ValueKind inner = kind;
      static const std::vector<Kind> kinds = {Kind::kString, Kind::kInt, Kind::kBool, Kind::kNumber};
      inner.type = {.kind = chance.of(kinds)};
      return random_value(inner, chance);
    }
    default: {
      const std::vector<Value> pool = value_pool(kind);
      return pool.empty() ? Value("a") : chance.of(pool);
    }
  }
}

Value random_value(const model::Field& field, Chance& chance) {
  return random_value(value_kind(field), chance);
}

std::optional<Value> refused_value(const ValueKind& kind, Chance& chance) {
  std::vector<Value> values = misfits(kind);
  const bool is_text = kind.type.kind == Kind::kString;
  if (is_text && kind.max) values.emplace_back(std::string(static_cast<size_t>(*kind.max) + 1, 'a'));
  if (model::is_numeric(kind.type) && kind.max) values.emplace_back(*kind.max + 1);
  if (is_text && kind.matches == "\\d+") values.emplace_back("a");
  if (is_text && kind.matches.starts_with("x-")) values.emplace_back("y-a");
  if (!kind.since.empty())
    values.emplace_back(kind.type.kind == Kind::kDate ? "1999-12-31" : "1999-12-31T23:59:59.999Z");
  if (values.empty()) return std::nullopt;
  return chance.of(values);
}

std::optional<std::string> written_value(ValueView value) {
  std::string text;
  switch (value.type()) {
    case sheaf::Type::kString:
      return language::quoted(std::string(value.bytes()));
    case sheaf::Type::kNumber:
      text = value.number().to_string();
      return text.find('E') == std::string::npos ? std::optional(text) : std::nullopt;
    case sheaf::Type::kBool:
      return value.boolean() ? "true" : "false";
    case sheaf::Type::kList:
      for (const ValueView each : value.list()) {
        const auto inner = written_value(each);
        if (!inner) return std::nullopt;
        text += (text.empty() ? "" : ", ") + *inner;
      }
      return "[" + text + "]";
    case sheaf::Type::kMap:
      for (const sheaf::Attribute each : value.map()) {
        const auto inner = written_value(each.value);
        if (!inner) return std::nullopt;
        text += (text.empty() ? "" : ", ") + language::quoted(std::string(each.name)) + ": " + *inner;
      }
      return "{" + text + "}";
    default:
      return std::nullopt;
  }
}

}  // namespace sheaf::prove

#include "prove/random_types.h"

#include "model/value_type.h"
#include "prove/random_names.h"
#include "prove/random_values.h"
#include "prove/value_texts.h"

namespace sheaf::prove {
namespace {

using language::Type;
using Kind = language::Type::Kind;
using Words = std::vector<std::string>;

constexpr int kTypeDepthMax = 3;

Type enum_type(Draw& draw) {
  static const std::vector<Words> all = {{"OPEN", "CLOSED", "LATE"},
                                         {"RED", "GREEN", "BLUE", "green"},
                                         {"A", "AB"},
                                         {"one"},
                                         {"in stock", "sold-out", "a#b"}};
  const size_t most = draw.may(Topic::kOddNames) ? all.size() : 4;
  Type type{.kind = Kind::kEnum};
  for (const std::string& value : all[draw.chance.below(most)]) type.values.push_back({.text = value});
  return type;
}

// Words for fields of a type.
const Words& words_for(const Type& type) {
  static const Words text = {"name", "title", "email", "city", "code", "nick", "label", "zip"};
  static const Words number = {"price", "amount", "rank", "score", "seats", "level", "n", "quantity"};
  static const Words time = {"at", "created", "since_when", "due", "seen", "day"};
  static const Words id = {"ref", "token", "serial"};
  static const Words choice = {"status", "color", "kind", "grade", "active", "done"};
  static const Words many = {"tags", "notes", "lines", "prefs", "flags", "history"};
  static const Words object = {"address", "place", "details", "extra", "geo"};
  switch (type.kind) {
    case Kind::kNumber:
    case Kind::kInt:
      return number;
    case Kind::kTime:
    case Kind::kDate:
      return time;
    case Kind::kBinary:
    case Kind::kUlid:
    case Kind::kUuid:
      return id;
    case Kind::kEnum:
    case Kind::kBool:
      return choice;
    case Kind::kList:
    case Kind::kMap:
    case Kind::kSet:
      return many;
    case Kind::kObject:
    case Kind::kAny:
      return object;
    default:
      return text;
  }
}

language::Field syntax_of(const FieldDraft& draft) {
  language::Field field{.name = {.text = draft.name}, .type = draft.type, .is_optional = draft.is_optional};
  const ValueKind& values = draft.values;
  if (values.max) field.max = language::Whole{.value = *values.max};
  if (!values.matches.empty()) field.matches = language::Text{.text = values.matches};
  if (!values.since.empty()) field.since = language::Text{.text = values.since};
  if (draft.has_default) field.default_value = language::Literal{};
  return field;
}

Type object_type(Draw& draw, int depth) {
  Type type{.kind = Kind::kObject};
  std::set<std::string> taken;
  const size_t count = draw.chance.between(1, 3);
  for (size_t i = 0; i < count; ++i) {
    const FieldDraft member = random_field(draw, taken, FieldPlace::kObject, depth + 1);
    language::Field field = syntax_of(member);
    field.doc = member.modifiers;  // only the text needs it
    type.fields.push_back(std::move(field));
  }
  return type;
}

Type element_type(Draw& draw, Kind container, int depth) {
  if (container == Kind::kSet) {
    static const std::vector<Kind> kinds = {Kind::kString, Kind::kString, Kind::kInt,
                                            Kind::kNumber, Kind::kTime,   Kind::kBinary,
                                            Kind::kDate,   Kind::kUuid,   Kind::kUlid};
    Type type{.kind = draw.chance.of(kinds)};
    return draw.chance.one_in(5) ? enum_type(draw) : type;
  }
  return draw.chance.one_in(3) ? random_type(draw, depth + 1) : random_scalar(draw);
}

// What may be said of a field besides its type.
class Modifiers {
 public:
  Modifiers(Draw& draw, FieldDraft& field, FieldPlace place) : draw_(draw), field_(field), place_(place) {}

  void run() {
    if (place_ == FieldPlace::kEntity && model::may_be_key(field_.type) && draw_.wants(Topic::kUnique, 6)) {
      field_.is_unique = true;
      words_.emplace_back(" unique");
    }
    add_change();
    add_text();
    if (!field_.is_unique && draw_.wants(Topic::kDefaults, 25)) add_default();
    if (draw_.wants(Topic::kStoredAs, 4))
      words_.push_back(" stored as " +
                       written_name("s_" + std::string(fits_in_keys(field_.name) ? field_.name : "x")));
    draw_.chance.shuffle(words_);
    for (const std::string& word : words_) field_.modifiers += word;
  }

 private:
  void add_change() {
    switch (draw_.chance.below(20)) {
      case 0:
      case 1:
        return words_.emplace_back(" immutable"), void();
      case 2:
        return words_.emplace_back(" changes rarely"), void();
      case 3:
        return words_.emplace_back(" changes often"), void();
      default:
        return;
    }
  }

  void add_text() {
    const Kind kind = field_.type.kind;
    if (kind == Kind::kString && draw_.wants(Topic::kMatches, 15)) {
      field_.values.matches = draw_.chance.of(expressions()).pattern;
      words_.push_back(" matches " + *written_value(Value(field_.values.matches)));
    }
    const bool has_size = kind == Kind::kString || kind == Kind::kList || kind == Kind::kBinary ||
                          kind == Kind::kInt || kind == Kind::kNumber || kind == Kind::kSet ||
                          kind == Kind::kMap || kind == Kind::kAny;
    if (has_size && draw_.chance.one_in(6)) {
      static const std::vector<int64_t> sizes = {10, 20, 40, 1000};
      field_.values.max = draw_.chance.of(sizes);
      words_.push_back(" max " + std::to_string(*field_.values.max));
    }
    if ((kind == Kind::kTime || kind == Kind::kDate) && draw_.wants(Topic::kBuckets, 30)) {
      static const Words times = {"2024-01-01", "2023-12-31T23:00:00.000Z", "2023-07-01"};
      field_.values.since = draw_.chance.of(times);
      words_.push_back(" since \"" + field_.values.since + "\"");
    }
  }

  void add_default() {
    field_.values.type = field_.type;
    field_.values.name = field_.name;
    field_.has_default = true;
    const bool takes_now = field_.type.kind == Kind::kTime || field_.type.kind == Kind::kDate;
    if (takes_now && draw_.chance.one_in(2)) return words_.emplace_back(" default now"), void();
    const auto text = written_value(random_value(field_.values, draw_.chance));
    const bool has_none = !field_.values.matches.empty() && value_pool(field_.values).empty();
    field_.has_default = text && !has_none;
    if (field_.has_default) words_.push_back(" default " + *text);
  }

  Draw& draw_;
  FieldDraft& field_;
  const FieldPlace place_;
  Words words_;
};

}  // namespace

language::Type random_scalar(Draw& draw) {
  static const std::vector<Kind> kinds = {Kind::kString, Kind::kString, Kind::kString, Kind::kInt,
                                          Kind::kInt,    Kind::kNumber, Kind::kNumber, Kind::kBool,
                                          Kind::kTime,   Kind::kTime,   Kind::kDate,   Kind::kUlid,
                                          Kind::kUuid,   Kind::kEnum,   Kind::kEnum,   Kind::kBinary};
  const Kind kind = draw.chance.of(kinds);
  if (kind == Kind::kEnum) return enum_type(draw);
  if (kind == Kind::kBinary && !draw.may(Topic::kBinary)) return {};
  return {.kind = kind};
}

language::Type random_type(Draw& draw, int depth) {
  const size_t kind = draw.chance.below(20);
  const bool is_deep = depth >= kTypeDepthMax;
  if (kind < 2 && !is_deep && draw.may(Topic::kObjects)) return object_type(draw, depth);
  if (kind == 2 && draw.may(Topic::kAny)) return {.kind = Kind::kAny};
  if (kind < 6 && kind > 2 && !is_deep && draw.may(Topic::kContainers)) {
    static const std::vector<Kind> containers = {Kind::kList, Kind::kMap, Kind::kSet};
    Type type{.kind = containers[kind - 3]};
    type.element.push_back(element_type(draw, type.kind, depth));
    return type;
  }
  return random_scalar(draw);
}

std::optional<std::string> random_literal(Draw& draw, const language::Type& type) {
  return written_value(random_value(ValueKind{.type = type}, draw.chance));
}

std::string written_type(const language::Type& type) {
  std::string text;
  switch (type.kind) {
    case Kind::kEnum:
      for (const language::Name& value : type.values)
        text += (text.empty() ? "" : ", ") + written_name(value.text);
      return "enum(" + text + ")";
    case Kind::kList:
      return "list<" + written_type(type.element.front()) + ">";
    case Kind::kMap:
      return "map<" + written_type(type.element.front()) + ">";
    case Kind::kSet:
      return "set<" + written_type(type.element.front()) + ">";
    case Kind::kObject:
      for (const language::Field& field : type.fields) {
        text +=
            written_name(field.name.text) + " " + written_type(*field.type) + (field.is_optional ? "?" : "");
        text += field.doc + "; ";
      }
      return "{ " + text + "}";
    default:
      return model::text_of(type);
  }
}

std::string written_field(const FieldDraft& field) {
  std::string text = written_name(field.name);
  if (field.is_id) text += " id";
  if (field.is_type_written) text += " " + written_type(field.type);
  if (field.is_optional) text += "?";
  return text + field.modifiers;
}

FieldDraft field_of(Draw& draw, language::Type type, std::set<std::string>& taken, FieldPlace place) {
  FieldDraft field{.type = std::move(type)};
  const bool may_be_key = model::may_be_key(field.type) && place != FieldPlace::kObject;
  field.name =
      fresh_name(draw, words_for(field.type), taken, may_be_key ? NamePlace::kKey : NamePlace::kOther);
  field.is_optional = draw.chance.one_in(4);
  if (field.type.kind == Kind::kString) field.is_type_written = draw.chance.one_in(2);
  if (place == FieldPlace::kObject) field.is_type_written = true;
  Modifiers(draw, field, place).run();
  return field;
}

FieldDraft random_field(Draw& draw, std::set<std::string>& taken, FieldPlace place, int depth) {
  return field_of(draw, random_type(draw, depth), taken, place);
}

FieldDraft random_id(Draw& draw, std::set<std::string>& taken) {
  static const Words words = {"id", "id", "id", "number", "name", "key_of", "code", "slug"};
  FieldDraft field{.is_id = true};
  if (!draw.chance.one_in(2)) field.type = random_scalar(draw);
  field.name = fresh_name(draw, words, taken, NamePlace::kKey);
  field.is_type_written = field.type.kind != Kind::kString || draw.chance.one_in(3);
  if (field.type.kind != Kind::kString) return field;
  if (draw.wants(Topic::kMatches, 40))
    field.modifiers += " matches \"" + std::string(draw.chance.one_in(2) ? "x-.+" : "[a-z]{1,8}") + "\"";
  if (draw.chance.one_in(5)) field.modifiers += " max 40";
  return field;
}

}  // namespace sheaf::prove

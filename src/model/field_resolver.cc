#include "model/field_resolver.h"

#include <map>

#include "base/article.h"
#include "model/regular_language.h"
#include "model/value_type.h"

namespace sheaf::model {
namespace {

using language::Span;
using Kind = language::Type::Kind;

constexpr std::string_view kSystemPrefix = "_";

// Where its type is written; its name, if it is not.
Span type_span(const language::Field& field) {
  return field.type && field.type->span.end > 0 ? field.type->span : field.name.span;
}

// Every value has the same size, or there is nothing to measure.
bool has_no_size(const language::Type& type) {
  return is_fixed_width(type) || type.kind == Kind::kBool || type.kind == Kind::kEnum ||
         type.kind == Kind::kObject;
}

}  // namespace

std::vector<Field> FieldResolver::resolve(const std::vector<language::Field>& declared, Owner owner) {
  std::vector<Field> fields;
  std::map<std::string_view, Span> seen;
  std::map<std::string_view, Span> attributes;
  for (const language::Field& syntax : declared) {
    if (!seen.emplace(syntax.name.text, syntax.name.span).second) {
      mistakes_.tell_duplicate("fields", syntax.name, seen[syntax.name.text]);
      continue;
    }
    const language::Name& attribute = syntax.stored_as ? *syntax.stored_as : syntax.name;
    Field field{.syntax = &syntax,
                .name = syntax.name.text,
                .attribute = attribute.text,
                .type = syntax.type.value_or(language::Type{}),
                .is_id = syntax.is_id,
                .is_optional = syntax.is_optional};
    if (field.attribute.starts_with(kSystemPrefix)) {
      mistakes_.tell("reserved-name", attribute.span, "attributes that begin with _ belong to Sheaf",
                     "choose another name");
    }
    if (!attributes.emplace(attribute.text, attribute.span).second)
      mistakes_.tell_duplicate("attributes", attribute, attributes[attribute.text]);
    check(syntax, field, owner);
    fields.push_back(std::move(field));
  }
  return fields;
}

void FieldResolver::check(const language::Field& syntax, const Field& field, Owner owner) {
  check_type(field.type);
  check_id(syntax, field, owner);
  check_default(syntax, field);
  check_text(syntax, field);
  if (syntax.since) {
    if (field.type.kind != Kind::kTime && field.type.kind != Kind::kDate) {
      mistakes_.tell(
          "wrong-type", syntax.since->span,
          "since is for times and dates, and " + field.name + " is " + with_article(text_of(field.type)),
          "remove it, or declare " + field.name + " time");
    } else if (!is_date(syntax.since->text) && !is_time(syntax.since->text)) {
      mistakes_.tell("wrong-type", syntax.since->span, "since needs a date or a time",
                     "write \"2026-01-31\" or \"2026-01-31T00:00:00.000Z\"");
    }
  }
  if (syntax.is_unique && !may_be_key(field.type))
    mistakes_.tell("wrong-type", syntax.unique_span, with_article(text_of(field.type)) + " cannot be unique",
                   "only strings, numbers, bools and binaries can");
  if (syntax.is_immutable && syntax.changes != language::Changes::kUnsaid)
    mistakes_.tell("contradiction", syntax.immutable_span, "an immutable field does not change",
                   "remove immutable, or changes");
  if (syntax.count_of && owner != Owner::kEntity)
    mistakes_.tell("contradiction", syntax.count_of->span,
                   "only a field of an entity can count what an end leads to",
                   "move it to the entity that has the end");
}

void FieldResolver::check_id(const language::Field& syntax, const Field& field, Owner owner) {
  if (owner == Owner::kObject && (syntax.is_id || syntax.is_unique)) {
    return mistakes_.tell("bad-id", syntax.name.span,
                          "only a field of the entity itself can be an id or unique",
                          "move it out of the { }");
  }
  if (owner == Owner::kEdge && syntax.is_unique)
    mistakes_.tell("contradiction", syntax.unique_span, "a field of an edge cannot be unique",
                   "mark it id if it tells one edge from another between the same two");
  if (!syntax.is_id) return;
  if (syntax.is_optional)
    mistakes_.tell("bad-id", syntax.optional_span, "an id is never missing", "remove the ?");
  if (!may_be_key(field.type))
    mistakes_.tell("bad-id", type_span(syntax), with_article(text_of(field.type)) + " cannot be an id",
                   "use a string, a number, a time or a generated ulid or uuid");
  if (syntax.default_value)
    mistakes_.tell("bad-id", syntax.default_value->span, "an id has no default: two would be the same",
                   "remove it, or use ulid or uuid, which are generated");
  if (syntax.count_of)
    mistakes_.tell("bad-id", syntax.count_of->span, "a count changes, and an id does not",
                   "mark another field");
}

void FieldResolver::check_default(const language::Field& syntax, const Field& field) {
  if (!syntax.default_value || syntax.is_id) return;
  const language::Literal& value = *syntax.default_value;
  if (const auto why = mismatch(value, field.type)) {
    return mistakes_.tell("wrong-type", value.span, *why, "change the default or the type");
  }
  if (value.kind != language::Literal::Kind::kString) return;
  if (syntax.max && value.text.size() > static_cast<size_t>(std::max<int64_t>(syntax.max->value, 0)))
    mistakes_.tell("contradiction", value.span, "the default is longer than max", "change one of the two");
  if (!syntax.matches) return;
  const auto language = RegularLanguage::expression(syntax.matches->text);
  if (language.ok() && !language->contains(value.text))
    mistakes_.tell("contradiction", value.span, "the default does not match \"" + syntax.matches->text + "\"",
                   "change one of the two");
}

void FieldResolver::check_text(const language::Field& syntax, const Field& field) {
  if (syntax.max && syntax.max->value < 1)
    mistakes_.tell("bad-number", syntax.max->span, "max is at least 1", "write 1 or more");
  if (syntax.max && has_no_size(field.type))
    mistakes_.tell("wrong-type", syntax.max->span,
                   "max means nothing for " + with_article(text_of(field.type)), "remove it");
  if (!syntax.matches) return;
  if (!is_textual(field.type)) {
    mistakes_.tell("wrong-type", syntax.matches->span, "matches is for text, not for " + text_of(field.type),
                   "remove it, or declare " + field.name + " string");
  } else if (const auto language = RegularLanguage::expression(syntax.matches->text); !language.ok()) {
    mistakes_.tell("bad-expression", syntax.matches->span,
                   "this regular expression cannot be read: " + language.error().message,
                   "known are . [a-z] [^a-z] \\d \\w \\s ( ) | * + ? {n,m}");
  }
}

void FieldResolver::check_type(const language::Type& type) {
  if (type.kind == Kind::kEnum) {
    for (size_t i = 0; i < type.values.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (type.values[i] == type.values[j])
          mistakes_.tell_duplicate("values", type.values[i], type.values[j].span);
      }
    }
  }
  if (type.kind == Kind::kSet && !type.element.empty()) {
    const language::Type& element = type.element.front();
    if (!is_textual(element) && !is_numeric(element) && element.kind != Kind::kBinary)
      mistakes_.tell("wrong-type", element.span,
                     "a set holds strings, numbers or binaries, not " + text_of(element),
                     "use list<" + text_of(element) + ">");
  }
  if (!type.element.empty()) check_type(type.element.front());
  if (type.kind == Kind::kObject) resolve(type.fields, Owner::kObject);
}

}  // namespace sheaf::model

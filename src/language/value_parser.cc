#include "language/value_parser.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "language/parser.h"

namespace sheaf::language {
namespace {

struct Word {
  std::string_view text;
  Type::Kind kind;
};
constexpr std::array<Word, 10> kScalars = {{{"string", Type::Kind::kString},
                                            {"number", Type::Kind::kNumber},
                                            {"int", Type::Kind::kInt},
                                            {"bool", Type::Kind::kBool},
                                            {"binary", Type::Kind::kBinary},
                                            {"time", Type::Kind::kTime},
                                            {"date", Type::Kind::kDate},
                                            {"ulid", Type::Kind::kUlid},
                                            {"uuid", Type::Kind::kUuid},
                                            {"any", Type::Kind::kAny}}};
constexpr std::array<Word, 3> kContainers = {
    {{"list", Type::Kind::kList}, {"map", Type::Kind::kMap}, {"set", Type::Kind::kSet}}};

struct Comparison {
  std::string_view mark;
  Condition::Test test;
};
constexpr std::array<Comparison, 6> kComparisons = {{{"=", Condition::Test::kEqual},
                                                     {"<>", Condition::Test::kNotEqual},
                                                     {"<=", Condition::Test::kLessOrEqual},
                                                     {">=", Condition::Test::kGreaterOrEqual},
                                                     {"<", Condition::Test::kLess},
                                                     {">", Condition::Test::kGreater}}};

void fail_too_deep(TokenReader& reader) {
  reader.fail("nested-too-deep", reader.here(),
              "this is nested more than " + std::to_string(kNestingMax) + " levels deep", "use fewer levels");
}

void parse_literal_items(TokenReader& reader, Literal& literal, int depth) {
  const bool is_map = literal.kind == Literal::Kind::kMap;
  const std::string_view end = is_map ? "}" : "]";
  reader.take();
  if (reader.take_mark(end)) return;
  parse_list(reader, [&] {
    if (is_map) {
      Text key = reader.expect_string("a key in double quotes");
      if (std::find(literal.keys.begin(), literal.keys.end(), key.text) != literal.keys.end())
        reader.fail("said-twice", key.span, "this key is in the map already", "keep one of the two");
      literal.keys.push_back(std::move(key.text));
      reader.expect_mark(":");
    }
    literal.items.push_back(parse_literal(reader, depth + 1));
  });
  reader.expect_mark(end);
}

// What people try instead of the tests that there are.
void fail_test(TokenReader& reader) {
  std::string fix;
  if (reader.at_one_of({"begins_with", "beginsWith", "starts_with", "startsWith", "starts", "like"})) {
    fix = "write begins";
  } else if (reader.at_one_of({"contains", "includes", "has"})) {
    fix =
        "no key finds a part in the middle of a text, and no filter here does: make the part a field of its "
        "own, and "
        "add an index that is led by it";
  } else if (reader.at_one_of({"is", "equals", "eq"})) {
    fix = "write =, exists or missing";
  } else if (reader.at_one_of({"not", "ne"})) {
    fix = "write <> or missing";
  }
  reader.fail_expected("=, <>, <, <=, >, >=, begins, between, in, exists or missing", std::move(fix));
}

Condition parse_condition(TokenReader& reader) {
  const Span begin = reader.here();
  Condition condition{.path = parse_path(reader)};
  const auto one_operand = [&] { condition.operands.push_back(parse_operand(reader)); };
  if (reader.take_word("between")) {
    condition.test = Condition::Test::kBetween;
    one_operand();
    reader.expect_word("and");
    one_operand();
  } else if (reader.take_word("in")) {
    condition.test = Condition::Test::kIn;
    reader.expect_mark("(");
    parse_list(reader, one_operand);
    reader.expect_mark(")");
  } else if (reader.take_word("exists")) {
    condition.test = Condition::Test::kExists;
  } else if (reader.take_word("missing")) {
    condition.test = Condition::Test::kMissing;
  } else if (reader.take_word("begins")) {
    condition.test = Condition::Test::kBegins;
    one_operand();
  } else {
    bool found = false;
    for (const Comparison& comparison : kComparisons) {
      if (found || !reader.take_mark(comparison.mark)) continue;
      condition.test = comparison.test;
      found = true;
    }
    if (found) {
      one_operand();
    } else {
      fail_test(reader);
    }
  }
  condition.span = reader.since(begin);
  return condition;
}

// Reads on as if it were there, if a clause can begin here.
void fail_missing_semicolon(TokenReader& reader) {
  if (!reader.at_name() || reader.at_declaration()) return reader.fail_expected("; or }");
  reader.tell_missing_semicolon();
}

// Types of other languages, and what they are here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kForeignTypes = {
    {{"boolean", "bool"},
     {"integer", "int"},
     {"long", "int"},
     {"bigint", "int"},
     {"float", "number"},
     {"double", "number"},
     {"decimal", "number"},
     {"text", "string"},
     {"varchar", "string"},
     {"str", "string"},
     {"datetime", "time"},
     {"timestamp", "time"},
     {"array", "list<..>"},
     {"json", "any"},
     {"object", "{ fields }"},
     {"bytes", "binary"},
     {"blob", "binary"}}};

std::string type_meant(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [foreign, own] : kForeignTypes) {
    if (lower == foreign) return std::string(own);
  }
  return std::string(
      nearest(word, {"string", "number",    "int",     "bool",    "binary",  "time",  "date",
                     "ulid",   "uuid",      "any",     "enum",    "list",    "map",   "set",
                     "unique", "immutable", "changes", "default", "matches", "since", "stored"}));
}

constexpr std::string_view kTypesFix =
    "types are string, number, int, bool, binary, time, date, ulid, uuid, any, enum(..), list<..>, map<..>, "
    "set<..>, { fields }";

// A word behind a field that is none of those that can stand there.
void read_unknown_word(TokenReader& reader, Field& field) {
  if (reader.at_word("id")) {
    reader.tell({.id = "misplaced-id",
                 .span = reader.here(),
                 .message = "id stands directly behind the field's name",
                 .fix = "write " + field.name.text + " id ..."});
    reader.take();
    field.is_id = true;
    return;
  }
  // At the beginning of a line it is the next clause: the ; is missing, which the block tells.
  if (!reader.at_name() || reader.token().first_in_line) return;
  const std::string word(reader.text());
  const std::string meant = type_meant(word);
  std::string fix = "write " + meant;
  if (meant.empty()) {
    fix = std::string(kTypesFix) +
          "; then ?, unique, immutable, changes, default, max, matches, since, stored as, = count(..); a "
          "field of its "
          "own needs a ; before it";
  }
  reader.tell({.id = "unknown-type",
               .span = reader.here(),
               .message = word + " is neither a type nor something that is said of a field",
               .fix = std::move(fix)});
  reader.take();
  field.type = Type{.kind = Type::Kind::kAny};
}

void parse_modifiers(TokenReader& reader, Field& field) {
  while (!reader.is_lost()) {
    const Span here = reader.here();
    if (reader.take_word("unique")) {
      field.is_unique = true;
      field.unique_span = here;
    } else if (reader.take_word("immutable")) {
      field.is_immutable = true;
      field.immutable_span = here;
    } else if (reader.take_word("changes")) {
      if (reader.take_word("rarely")) {
        field.changes = Changes::kRarely;
      } else if (reader.take_word("often")) {
        field.changes = Changes::kOften;
      } else {
        reader.fail_expected_word({"rarely", "often"});
      }
    } else if (reader.take_word("default")) {
      field.default_value = parse_literal(reader);
    } else if (reader.take_word("max")) {
      field.max = reader.expect_whole("the greatest size");
    } else if (reader.take_word("matches")) {
      field.matches = reader.expect_string("a regular expression in double quotes");
    } else if (reader.take_word("since")) {
      field.since = reader.expect_string("a time in double quotes");
    } else if (reader.take_word("stored")) {
      reader.expect_word("as");
      field.stored_as = reader.expect_name("the name of an attribute");
    } else if (reader.take_mark("=")) {
      reader.expect_word("count");
      reader.expect_mark("(");
      field.count_of = reader.expect_name("an end");
      reader.expect_mark(")");
    } else {
      break;
    }
  }
}

}  // namespace

Span span_of(const Operand& operand) {
  return std::visit([](const auto& each) { return each.span; }, operand);
}

void parse_list(TokenReader& reader, const std::function<void()>& parse_one) {
  do {
    const Span here = reader.here();
    if (reader.at_mark(")") || reader.at_mark("]") || reader.at_mark("}"))
      return reader.fail("unexpected-text", here, "nothing stands before this " + std::string(reader.text()),
                         "remove the , before it, or add what is missing");
    parse_one();
  } while (!reader.is_lost() && reader.take_mark(","));
}

void parse_block(TokenReader& reader, const std::function<void()>& parse_one,
                 const std::function<bool()>& is_outside) {
  const Span begin = reader.here();
  reader.expect_mark("{");
  while (!reader.is_lost() && !reader.at_mark("}")) {
    if (reader.at_end()) return reader.fail_unclosed(begin);
    if (reader.at_declaration() || (is_outside && is_outside())) {
      // Read on as if it were closed.
      return reader.tell({.id = "unexpected-end",
                          .span = begin,
                          .message = "this block is not closed",
                          .fix = "close it with } before the next " + std::string(reader.text()),
                          .notes = {{.span = reader.here(), .text = "here the next one begins"}}});
    }
    parse_one();
    if (!reader.is_lost() && !reader.at_mark("}") && !reader.take_mark(";")) fail_missing_semicolon(reader);
    if (reader.is_lost() && !reader.at_end()) reader.recover_in_block();
  }
  reader.expect_mark("}");
}

Path parse_path(TokenReader& reader) {
  Path path{.span = reader.here()};
  path.from_parameter = reader.take_mark("$");
  path.names.push_back(
      reader.expect_name(path.from_parameter ? "a parameter" : "a field, an end or $parameter"));
  while (reader.take_mark(".")) path.names.push_back(reader.expect_name("a field or an end"));
  path.span = reader.since(path.span);
  return path;
}

Literal parse_literal(TokenReader& reader, int depth) {
  Literal literal{.span = reader.here()};
  using Kind = Literal::Kind;
  if (depth > kNestingMax) {
    fail_too_deep(reader);
  } else if (reader.at_kind(Token::Kind::kString)) {
    literal.kind = Kind::kString;
    literal.text = reader.expect_string("a string").text;
  } else if (reader.at_kind(Token::Kind::kNumber)) {
    literal.kind = Kind::kNumber;
    literal.text = reader.expect_number("a number");
  } else if (reader.take_mark("-")) {
    literal.kind = Kind::kNumber;
    literal.text = "-" + reader.expect_number("a number");
  } else if (reader.at_mark("[") || reader.at_mark("{")) {
    literal.kind = reader.at_mark("[") ? Kind::kList : Kind::kMap;
    parse_literal_items(reader, literal, depth);
  } else if (reader.take_word("true")) {
    literal.kind = Kind::kTrue;
  } else if (reader.take_word("false")) {
    literal.kind = Kind::kFalse;
  } else if (reader.take_word("null")) {
    literal.kind = Kind::kNull;
  } else if (reader.take_word("now")) {
    literal.kind = Kind::kNow;
  } else {
    reader.fail_expected("a value: \"text\", a number, true, false, null, now, [..] or {..}",
                         reader.at_name() ? "write \"" + std::string(reader.text()) + "\"" : "");
  }
  literal.span = reader.since(literal.span);
  return literal;
}

Operand parse_operand(TokenReader& reader) {
  reader.offer_kind("a field, an end or $parameter");
  const bool is_value = !reader.at_name() && !reader.at_mark("$");
  if (is_value || reader.at_one_of({"true", "false", "null", "now"})) return parse_literal(reader);
  return parse_path(reader);
}

Expression parse_expression(TokenReader& reader) {
  const Span begin = reader.here();
  Expression expression{.first = parse_operand(reader)};
  while (reader.at_mark("+") || reader.at_mark("-") || reader.at_mark("*")) {
    const char mark = reader.take().text.front();
    expression.rest.emplace_back(mark, parse_operand(reader));
  }
  expression.span = reader.since(begin);
  return expression;
}

std::vector<Condition> parse_conditions(TokenReader& reader) {
  std::vector<Condition> conditions;
  do {
    conditions.push_back(parse_condition(reader));
  } while (!reader.is_lost() && reader.take_word("and"));
  if (reader.at_word("or") || reader.at_mark("|")) {
    reader.fail("unexpected-text", reader.here(),
                "conditions are joined by and: one interval of keys cannot hold an or",
                "write two patterns, or use in (..) behind filter");
  }
  return conditions;
}

bool at_type(const TokenReader& reader) {
  reader.offer({"string", "number", "int", "bool", "binary", "time", "date", "ulid", "uuid", "any", "enum",
                "list", "map", "set"});
  if (reader.at_mark("{") || reader.at_word("enum")) return true;
  for (const Word& word : kScalars) {
    if (reader.at_word(word.text)) return true;
  }
  for (const Word& word : kContainers) {
    if (reader.at_word(word.text)) return true;
  }
  return false;
}

Type parse_type(TokenReader& reader, int depth) {
  Type type{.span = reader.here()};
  if (depth > kNestingMax) {
    fail_too_deep(reader);
    return type;
  }
  if (reader.at_mark("{")) {
    type.kind = Type::Kind::kObject;
    parse_block(reader, [&] { type.fields.push_back(parse_field(reader, depth + 1)); });
  } else if (reader.take_word("enum")) {
    type.kind = Type::Kind::kEnum;
    reader.expect_mark("(");
    parse_list(reader, [&] { type.values.push_back(reader.expect_name("a value of the enum")); });
    reader.expect_mark(")");
  } else {
    bool found = false;
    for (const Word& word : kScalars) {
      if (found || !reader.take_word(word.text)) continue;
      type.kind = word.kind;
      found = true;
    }
    for (const Word& word : kContainers) {
      if (found || !reader.take_word(word.text)) continue;
      type.kind = word.kind;
      found = true;
      reader.expect_mark("<");
      type.element.push_back(parse_type(reader, depth + 1));
      reader.expect_mark(">");
    }
    if (!found) {
      const std::string meant = type_meant(reader.text());
      reader.fail("unknown-type", reader.here(), std::string(reader.text()) + " is no type",
                  meant.empty() ? std::string(kTypesFix) : "write " + meant);
      type.kind = Type::Kind::kAny;
    }
  }
  type.span = reader.since(type.span);
  return type;
}

Field parse_field(TokenReader& reader, int depth) {
  Field field{.doc = reader.doc(), .span = reader.here()};
  field.name = reader.expect_name("a field");
  field.is_id = reader.take_word("id");
  if (at_type(reader)) field.type = parse_type(reader, depth);
  field.optional_span = reader.here();
  field.is_optional = reader.take_mark("?");
  parse_modifiers(reader, field);
  if (reader.at_name()) {
    read_unknown_word(reader, field);
    if (!field.is_optional) field.is_optional = reader.take_mark("?");
    parse_modifiers(reader, field);
  }
  if (reader.is_lost()) field.type = Type{.kind = Type::Kind::kAny};
  field.span = reader.since(field.span);
  return field;
}

}  // namespace sheaf::language

#include "language/syntax_text.h"

#include <gtest/gtest.h>

#include <set>

#include "language/example_models.h"
#include "language/lexer.h"
#include "language/parser.h"
#include "language/syntax_json.h"
#include "language/written_parts.h"

namespace sheaf::language {
namespace {

std::string text_of_json(std::string_view json) {
  const Result<Model> read = model_from_json(json);
  EXPECT_TRUE(read.ok()) << read.error().message;
  return read.ok() ? to_text(*read) : "";
}

// The JSON of what the text of a model says.
std::string json_of_text(const std::string& text) {
  const SourceText source("text.sheaf", text);
  Diagnostics diagnostics;
  const Model model = parse(source, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(source, diagnostics.all()[0]) << text;
  return to_json(model);
}

TEST(SyntaxText, SaysWhatTheExamplesSay) {
  for (const std::string_view text : kExampleModels) {
    const std::string json = json_of_text(std::string(text));
    EXPECT_EQ(json_of_text(text_of_json(json)), json);
  }
}

TEST(SyntaxText, IsLaidOut) {
  EXPECT_EQ(text_of_json(R"({"model": "m", "doc": "One.\nTwo.",
    "entities": [
      {"name": "A", "fields": [{"name": "id", "id": true}, {"name": "key", "doc": "Why."}], "store": "none"},
      {"name": "B", "fields": [{"name": "id", "id": true}], "key": {"pk": "B#<id>", "sk": "\"<id:00>\\<"}}],
    "relations": [{"from": "A", "cardinality": "*--*", "to": ["A", "B"], "forward": "bs"}],
    "operations": [{"name": "o", "writes": [{"kind": "put", "path": "$a"}]}, {"name": "p", "writes": []}]})"),
            R"(/// One.
/// Two.
model m {
  entity A {
    id id;
    /// Why.
    `key`;
    store none;
  }
  entity B { id id; key "B#<id>" / "\"<id:00>\<" }

  rel A *--* A | B as bs

  op o() = put $a
  op p() = {}
}
)");
}

// All the words that the grammar knows, and what is no plain name.
constexpr const char* kOddNames[] = {
    "table",    "entity",     "rel",     "layout",    "pattern",   "op",         "compare", "expect",
    "pk",       "sk",         "tag",     "ttl",       "gsi",       "all",        "keys",    "include",
    "within",   "timestamps", "id",      "versioned", "unique",    "changes",    "rarely",  "often",
    "default",  "immutable",  "max",     "matches",   "since",     "stored",     "as",      "count",
    "enum",     "list",       "map",     "set",       "string",    "number",     "int",     "bool",
    "binary",   "time",       "date",    "ulid",      "uuid",      "any",        "in",      "store",
    "item",     "eav",        "none",    "key",       "index",     "when",       "via",     "required",
    "size",     "of",         "avg",     "unbounded", "edge",      "on",         "delete",  "cascade",
    "restrict", "unlink",     "loops",   "auto",      "unchecked", "path",       "graph",   "lists",
    "embed",    "ref",        "ids",     "edges",     "one",       "collection", "many",    "both",
    "copy",     "extends",    "where",   "filter",    "order",     "asc",        "desc",    "limit",
    "page",     "sum",        "min",     "between",   "and",       "exists",     "missing", "begins",
    "budget",   "requests",   "request", "rounds",    "round",     "units",      "rate",    "s",
    "h",        "day",        "strong",  "snapshot",  "prefer",    "reads",      "put",     "upsert",
    "add",      "remove",     "link",    "check",     "returns",   "true",       "false",   "null",
    "now",      "model",      "1a",      "a b",       "a.b",       "a\"b",       "$",       "*",
    "\xC3\xA4", "// a",       "a^2",     "\\",        "{",         "1--1",       "\t"};

// A model in which this is the name of at least one thing of each kind.
Model model_of(const std::string& name) {
  static const std::set<std::string_view> names = {
      "PK",    "SK", "Type", "expires", "Customer", "Order", "Ghost",      "orders", "customer", "friends",
      "note",  "G1", "G2",   "second",  "small",    "much",  "write",      "c",      "n",        "o",
      "share", "x",  "FREE", "home",    "street",   "age",   "everything", "`key`",  "`true`",   "`one`"};
  const SourceText everything("", std::string(kEverything));
  Diagnostics diagnostics;
  std::string text;
  for (const Token& token : tokens_of(everything, diagnostics)) {
    text += names.contains(token.text) ? "`" + name + "`" : std::string(token.text);
    text += is_comment(token) ? "\n" : " ";
  }
  const SourceText source("odd.sheaf", text);
  Model model = parse(source, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(source, diagnostics.all()[0]);
  return model;
}

TEST(SyntaxText, NamesThatCouldBeSomethingElseGetBackquotes) {
  for (const char* const name : kOddNames) {
    SCOPED_TRACE(name);
    const Model model = model_of(name);
    ASSERT_EQ(model.entities[0].name.text, name);
    ASSERT_EQ(model.operations[0].parameters[0].name.text, name);
    EXPECT_EQ(json_of_text(to_text(model)), to_json(model));
  }
}

TEST(SyntaxText, OnlyNamesThatNeedThemHaveBackquotes) {
  EXPECT_EQ(text_of_json(
                R"({"model": "model", "entities": [{"name": "entity", "fields": [{"name": "id", "id": true},
      {"name": "order"}, {"name": "index"}, {"name": "timestamps"}, {"name": "a b"}]}],
    "patterns": [{"name": "pattern", "parameters": [{"name": "one", "entity": "string"}], "from": "one",
      "where": [{"path": "where", "test": "=", "value": {"path": "null.where"}}]}]})"),
            R"(model model {
  entity entity { id id; order; `index`; `timestamps`; `a b` }

  pattern pattern(one: `string`) = `one` where where = `null`.where
}
)");
}

TEST(WrittenParts, PathsAndStepsComeBack) {
  for (const char* text : {"a", "$a", "a.b.c", "$p.`a b`.c", "`$`.`^`", "`a.b`"}) {
    const Result<Path> path = read_path(text);
    ASSERT_TRUE(path.ok()) << text << ": " << path.error().message;
    EXPECT_EQ(written(*path), text);
  }
  for (const char* text : {"a", "a^3", "`a^3`^0"}) {
    const Result<Step> step = read_step(text);
    ASSERT_TRUE(step.ok()) << text << ": " << step.error().message;
    EXPECT_EQ(written(*step), text);
  }
  for (const char* text :
       {"", "$", "a.", ".a", "a b", "a`b`", "`a", "``", "$$a", "1a", "a^1", "a .b", "`a`b", "a\n"})
    EXPECT_FALSE(read_path(text).ok()) << text;
  for (const char* text : {"", "a^", "a^-1", "a^b", "a^1.b", "a^99999999999999999999", "$a"})
    EXPECT_FALSE(read_step(text).ok()) << text;
}

TEST(SyntaxText, AStrategyIsWhatStandsBehindVia) {
  Via via{.kind = Via::Kind::kEdges, .pk = Name{.text = "many"}};
  EXPECT_EQ(to_text(via), "edges pk many");
  via.copies = {{.end = {.text = "staff"}, .all = true}};
  via.physical.table = Name{.text = "role"};
  EXPECT_EQ(to_text(via), "edges pk many copy staff(*) in role");
}

TEST(WrittenParts, TemplatesComeBack) {
  for (const char* text : {"A", "A#<id>", "<a.b.c:raw>", "<n:000>#<t:year><t:month><t:day><t:hour>",
                           "<id:shard(16)>", "\\<\\>\\\\", "<1a.2>", "a\"b", "\\n\\t", "\xC3\xA4<x>"}) {
    const Result<Template> made = read_template(text);
    ASSERT_TRUE(made.ok()) << text << ": " << made.error().message;
    EXPECT_EQ(written(*made), text);
  }
  EXPECT_EQ(written(*read_template("a\nb\tc\\x")), "a\\nb\\tc\\\\x");
  for (const char* text : {"", "<", "<>", "a>", "<a", "<a:b>", "<a:shard(1)>", "<a b>", "<a.>", "\\", "a\\"})
    EXPECT_FALSE(read_template(text).ok()) << text;
}

TEST(WrittenParts, NumbersLoseTheirNeedlessZeros) {
  EXPECT_EQ(written_number("007"), "7");
  EXPECT_EQ(written_number("-000.50"), "-0.50");
  EXPECT_EQ(written_number("0"), "0");
  for (const char* text : {"0", "-0", "10", "0.5", "-12.340"}) EXPECT_TRUE(is_number(text)) << text;
  for (const char* text : {"", "-", "01", ".5", "5.", "1e5", "+1", "--1", "1.2.3", "a"})
    EXPECT_FALSE(is_number(text)) << text;
}

}  // namespace
}  // namespace sheaf::language

#include "language/parser.h"

#include <gtest/gtest.h>

namespace sheaf::language {
namespace {

struct Parsed {
  explicit Parsed(std::string text)
      : source("test.sheaf", std::move(text)), model(parse(source, diagnostics)) {}

  std::string errors() const {
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics.all()) out += render(source, diagnostic);
    return out;
  }
  // line:column id, one an error.
  std::string places() const {
    std::string out;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      const Position position = source.position(diagnostic.span.begin);
      out += std::to_string(position.line) + ":" + std::to_string(position.column) + " " +
             std::string(diagnostic.id.text()) + "\n";
    }
    return out;
  }

  Diagnostics diagnostics;
  SourceText source;
  Model model;
};

TEST(Parser, ReadsTablesEntitiesAndRelations) {
  const Parsed parsed(R"(model support {
    table app { pk PK; sk SK; tag Type; gsi GSI1 GSI1PK / GSI1SK all; gsi G2 A include(x, y) }
    /// Who pays.
    entity Org { name id; plan enum(FREE, PRO) default "FREE"; key "ORG#<name>" / "METADATA#<name>" }
    entity User within org { name id; email unique; at time?; age int max 150; key "ORG#<org.name>" / "USER#<name>";
      index GSI1 "ORG#<org.name>#USER#<name>" / "USER#<name>" when email exists and age > 17 }
    rel Org 1--* User as users / org { via collection copy org(plan); size avg 40 max 500; required; on delete cascade }
    rel User *--* User as friends { edge { since date immutable }; via edges pk both; size unbounded; loops }
  })");
  ASSERT_EQ(parsed.errors(), "");
  const Model& model = parsed.model;
  ASSERT_EQ(model.tables.size(), 1u);
  EXPECT_EQ(model.tables[0].indexes[1].included[1].text, "y");
  ASSERT_EQ(model.entities.size(), 2u);
  EXPECT_EQ(model.entities[0].doc, "Who pays.");
  EXPECT_EQ(model.entities[0].fields[1].type->values[1].text, "PRO");
  const Entity& user = model.entities[1];
  EXPECT_EQ(user.within->text, "org");
  EXPECT_TRUE(user.fields[1].is_unique);
  EXPECT_TRUE(user.fields[2].is_optional);
  EXPECT_EQ(user.fields[3].max->value, 150);
  ASSERT_EQ(user.physical.indexes.size(), 1u);
  EXPECT_EQ(user.physical.indexes[0].when.size(), 2u);
  EXPECT_EQ(user.physical.indexes[0].keys.pk.pieces.size(), 4u);
  const Relation& users = model.relations[0];
  EXPECT_EQ(users.via->kind, Via::Kind::kCollection);
  EXPECT_EQ(users.via->copies[0].end.text, "org");
  EXPECT_EQ(users.sizes[0].max->value, 500);
  EXPECT_EQ(users.on_delete->first, OnDelete::kCascade);
  EXPECT_FALSE(model.relations[1].backward.has_value());
  EXPECT_EQ(model.relations[1].via->pk->text, "both");
}

TEST(Parser, ReadsPatternsAndOperations) {
  const Parsed parsed(R"(model m {
    pattern a(u: User) = $u { *, tickets order id desc limit 20, total: sum(price * quantity) } budget 1 request rate 50/s strong
    pattern b(o: Org, n: int?) = one $o.users^3 where age between 1 and $n and name begins "x" filter plan in ("A", "B") page 10 {}
    pattern c(o: Org) = $o + users + tickets limit 3   budget 2 requests budget 1 round prefer units reads max 100
    op move(e: Employee, d: Department) = set $e.department = $d budget 2 requests
    op many(e: Employee, d: Department) = { put $e; link $e.department $d { share = 0.5, at = now }; add $d.count = 1;
      remove $e.x, $e.y; check $d.open = true; unlink $e.boss $e.boss; delete $d }
    compare [one, two]
    compare Org.users [collection, index on GSI1 copy org(*)]
    expect a("acme", -3, [1, {"x": null}]): requests = 1, reads <= 4
  })");
  ASSERT_EQ(parsed.errors(), "");
  const Model& model = parsed.model;
  ASSERT_EQ(model.patterns.size(), 3u);
  const Pattern& first = model.patterns[0];
  ASSERT_EQ(first.read.tail.selection.size(), 3u);
  EXPECT_EQ(first.read.tail.selection[1].tail.limit->value, 20);
  EXPECT_EQ(first.read.tail.selection[2].aggregate, Aggregate::kSum);
  EXPECT_TRUE(first.clauses.strong.has_value());
  const Pattern& second = model.patterns[1];
  EXPECT_TRUE(second.read.one);
  EXPECT_EQ(second.read.steps[0].depth->value, 3);
  EXPECT_EQ(second.read.tail.where.size(), 2u);
  EXPECT_TRUE(second.read.tail.selects.has_value());
  EXPECT_TRUE(second.parameters[1].is_optional);
  const Pattern& third = model.patterns[2];
  ASSERT_EQ(third.read.tail.selection.size(), 3u);
  EXPECT_EQ(third.read.tail.selection[0].kind, Selection::Kind::kAll);
  EXPECT_EQ(third.read.tail.selection[2].tail.limit->value, 3);
  EXPECT_EQ(third.clauses.budgets.size(), 2u);
  ASSERT_EQ(model.operations.size(), 2u);
  ASSERT_EQ(model.operations[1].writes.size(), 7u);
  EXPECT_EQ(model.operations[1].writes[1].edge_values.size(), 2u);
  EXPECT_EQ(model.compares[1].ways.size(), 2u);
  EXPECT_EQ(model.expects[0].arguments[1].text, "-3");
  EXPECT_TRUE(model.expects[0].expectations[1].at_most);
}

TEST(Parser, ReadsLayouts) {
  const Parsed parsed(R"(model m {
    layout a { table t { pk x } entity E { in t; key "<id>" } rel A.b via index on g   rel A.c via edges pk one tag "x" }
    layout b extends a { entity E { store none } }
  })");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.model.layouts[0].relations.size(), 2u);
  EXPECT_EQ(parsed.model.layouts[1].extends->text, "a");
}

TEST(Parser, AWordThatCouldBeAKeywordIsOneAndBackquotesMakeItAName) {
  const Parsed parsed("model m { entity E { id id; `key` string; `index`; order; limit } }");
  ASSERT_EQ(parsed.errors(), "");
  ASSERT_EQ(parsed.model.entities[0].fields.size(), 5u);
  EXPECT_EQ(parsed.model.entities[0].fields[1].name.text, "key");
}

TEST(Parser, TellsSeveralMistakesInOneRun) {
  const Parsed parsed(R"(model m {
  entity A { id id strng; name; key "A#<id" }
  rel A 1-* B as bs / a
  pattern p(a: A) = $a order id where x = 1
  entity B { id string id; x; y }
})");
  EXPECT_EQ(parsed.places(),
            "2:20 unknown-type\n2:40 bad-hole\n3:9 unexpected-text\n4:33 wrong-order\n5:24 misplaced-id\n");
  ASSERT_EQ(parsed.model.entities.size(), 2u) << "what could be read is there";
  EXPECT_EQ(parsed.model.entities[1].fields.size(), 3u);
  EXPECT_TRUE(parsed.model.entities[1].is_damaged);
  EXPECT_EQ(parsed.model.relations.size(), 1u);
  EXPECT_EQ(parsed.model.damage.lost, std::vector<std::string>{"p"});
}

TEST(Parser, ShowsThePlaceOfAMistake) {
  const Parsed parsed("model m {\n  entity Ärger { größe id; }\n}\n");
  EXPECT_EQ(parsed.places(), "2:10 bad-name\n2:18 bad-name\n") << parsed.errors();
  const Parsed other("model m {\n\tentity A { id id strng }\n}\n");
  EXPECT_EQ(
      other.errors(),
      "test.sheaf:2:19: error: strng is neither a type nor something that is said of a field [unknown-type]\n"
      "   2 | \tentity A { id id strng }\n"
      "     | \t                 ^^^^^\n"
      "     = write string\n");
}

TEST(Parser, RefusesWhatIsNestedTooDeep) {
  std::string text = "model m { expect p(";
  text += std::string(10'000, '[');
  const Parsed parsed(text + "): requests = 1 }");
  EXPECT_NE(parsed.places().find("nested-too-deep"), std::string::npos);
  std::string type = "string";
  for (int i = 0; i < 1000; ++i) type = "list<" + type + ">";
  const Parsed typed("model m { entity A { id id; x " + type + " } }");
  EXPECT_NE(typed.places().find("nested-too-deep"), std::string::npos);
}

TEST(Parser, TellsWhatIsMissingAtTheEnd) {
  EXPECT_EQ(Parsed("").places(), "1:1 unexpected-end\n");
  EXPECT_EQ(Parsed("model m {").places(), "1:10 unexpected-end\n");
  EXPECT_EQ(Parsed("model m { entity A { id id; ").places(), "1:20 unexpected-end\n");
  EXPECT_EQ(Parsed("model m { } model n { }").places(), "1:13 unexpected-text\n");
  EXPECT_EQ(Parsed("model m { entity A { id id; tag \"x } }").places().substr(0, 22),
            "1:33 unfinished-string");
}

// What could not be read is left out, also if it is told of something else: nothing half is looked at later.
TEST(Parser, LeavesOutWhatItCouldNotRead) {
  EXPECT_TRUE(Parsed("model m { op f(a: A) = { put $a frobnicate } }").model.operations.empty());
  EXPECT_TRUE(Parsed("model m { op f(a: A) = { put $a; put").model.operations.empty());
  EXPECT_TRUE(Parsed("model m { pattern p(a: A) = $a { ").model.patterns.empty());
}

TEST(Parser, ABackslashThatEscapesNothingStays) {
  const Parsed parsed(R"(model m { entity E { id id matches "\d+\\\"\n"; key "a\<b\d<id>" } })");
  ASSERT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.model.entities[0].fields[0].matches->text, "\\d+\\\"\n");
  EXPECT_EQ(std::get<std::string>(parsed.model.entities[0].physical.key->pk.pieces[0]), "a<b\\d");
}

}  // namespace
}  // namespace sheaf::language

#include "draw/drawing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "draw/xml_promises.h"
#include "model/compiled_model.h"

namespace sheaf::draw {
namespace {

std::string file(const std::string& path) {
  std::ifstream stream(std::string(SHEAF_MODELS) + "/" + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Drawn {
  std::string model;
  std::string data;
  std::string layout = "default";
  Options options;
};

Result<std::string> try_to(const Drawn& asked) {
  const model::CompiledModel compiled = model::compile("test.sheaf", asked.model);
  EXPECT_TRUE(compiled.ok()) << compiled.rendered();
  if (!compiled.ok()) return Error{Code::kInvalid, "not a model"};
  const model::Layout* const layout = compiled.find_layout(asked.layout);
  if (layout == nullptr) return Error{Code::kInvalid, "no layout"};
  if (asked.data.empty()) return draw(compiled.model, *layout, nullptr, asked.options);
  const Result<run::Data> data = run::read_data(compiled.model, *layout, asked.data);
  EXPECT_TRUE(data.ok()) << data.error().message;
  if (!data.ok()) return data.error();
  return draw(compiled.model, *layout, &*data, asked.options);
}

std::string drawn(const Drawn& asked) {
  const Result<std::string> drawing = try_to(asked);
  EXPECT_TRUE(drawing.ok()) << drawing.error().message;
  return drawing.ok() ? *drawing : "";
}

// Of the models that come with Sheaf.
std::string drawn(const std::string& name, const std::string& layout, const Options& options) {
  return drawn({file(name + "/model.sheaf"), file(name + "/data.json"), layout, options});
}

#define EXPECT_SHOWS(drawing, part) EXPECT_NE((drawing).find(part), std::string::npos) << (drawing)
#define EXPECT_SHOWS_NOT(drawing, part) EXPECT_EQ((drawing).find(part), std::string::npos) << (drawing)

// A23: item collections, one block a partition, the name of an attribute above its value.
TEST(Collections, APartitionIsOneBlockWithItsItemsInOrder) {
  EXPECT_SHOWS(drawn("support", "flat", {.kinds = {Kind::kCollections}, .text_columns = 160}), R"(
│ PK       │ SK                                │                                                                                                       │
╞══════════╪═══════════════════════════════════╪════════╤══════════════════╤═══════════════════════════════════════════════════════════════════════════╡
│ ORG#acme │ METADATA#acme                     │ Type   │ plan             │                                                                           │
│          │                                   │ Org    │ PRO              │                                                                           │
│          ├───────────────────────────────────┼────────┼──────────────────┼───────────────────┬───────────────────┬───────────────────────────────────┤
│          │ TICKET#01HF0000000000000000000001 │ Type   │ subject          │ owner_name        │ GSI1PK            │ GSI1SK                            │
│          │                                   │ Ticket │ It is slow       │ ann               │ ORG#acme#USER#ann │ TICKET#01HF0000000000000000000001 │
)");
}

TEST(Collections, AnIndexHasItsItemsInItsOwnOrderAndOnlyThoseWithItsKeys) {
  const std::string drawing =
      drawn("hr", "method3", {.kinds = {Kind::kCollections}, .index = "relationship"});
  EXPECT_SHOWS(drawing, "Item collections of index entity.relationship\n");
  EXPECT_SHOWS(drawing, "9 partitions, 10 items of the table's 17: the others have no index key");
  EXPECT_SHOWS(drawing, "│ e-1_d-e-relationship │ d-1_d-e-relationship │ pk ");
  EXPECT_SHOWS_NOT(drawing, "__root__");
  EXPECT_SHOWS_NOT(drawing, "of table entity\n");
}

const char* const kProjections = R"(model projections {
  table app { pk PK; sk SK; gsi KEY K1 keys; gsi INC I1 include (b) }
  entity Thing { id id; a; b; c; key "T#<id>" / "T"; index KEY "<a>"; index INC "<a>" }
})";
const char* const kThing = R"({"Thing": [{"id": "1", "a": "aa", "b": "bb", "c": "cc"}]})";

TEST(Collections, AnIndexShowsWhatItProjects) {
  const std::string keys = drawn(
      {.model = kProjections, .data = kThing, .options = {.kinds = {Kind::kCollections}, .index = "KEY"}});
  EXPECT_SHOWS(keys, "T#1");
  EXPECT_SHOWS_NOT(keys, "bb");
  const std::string included = drawn(
      {.model = kProjections, .data = kThing, .options = {.kinds = {Kind::kCollections}, .index = "INC"}});
  EXPECT_SHOWS(included, "bb");
  EXPECT_SHOWS_NOT(included, "cc");
}

// A23: guards and system attributes are left out unless asked for.
TEST(Collections, GuardsAndVersionsAreShownOnlyIfAllAreAskedFor) {
  const std::string plain = drawn("support", "default", {.kinds = {Kind::kCollections}});
  EXPECT_SHOWS_NOT(plain, "Guards");
  const std::string all = drawn("support", "default", {.kinds = {Kind::kCollections}, .shows_all = true});
  EXPECT_SHOWS(all, "Guards in table support-sheaf\n");
  EXPECT_SHOWS(all, "[\"acme\",\"ann\"]");  // whose email it is
  EXPECT_SHOWS_NOT(drawn("billing", "default", {.kinds = {Kind::kCollections}}), "_v");
  EXPECT_SHOWS(drawn("billing", "default", {.kinds = {Kind::kCollections}, .shows_all = true}), "_v");
  // In entries of lists, too.
  EXPECT_SHOWS(drawn("friends", "lists", {.kinds = {Kind::kCollections}, .shows_all = true}), "_friends_v");
  EXPECT_SHOWS_NOT(drawn("friends", "lists", {.kinds = {Kind::kCollections}}), "_friends_v");
}

TEST(Collections, NumbersSortAsNumbers) {
  const std::string drawing =
      drawn({.model = R"(model numbers {
      table app { pk PK; sk SK number }
      entity Reading { sensor id; at id int; key "S#<sensor>" / "<at>" } })",
             .data = R"({"Reading": [{"sensor": "a", "at": 10}, {"sensor": "a", "at": 9}]})",
             .options = {.kinds = {Kind::kCollections}}});
  EXPECT_LT(drawing.find("│ 9 "), drawing.find("│ 10 "));
}

// A23, S3: the entity chart.
TEST(EntityChart, HasTheKeysOfEachKindOfItem) {
  EXPECT_SHOWS(drawn("billing", "default", {.kinds = {Kind::kChart}}), R"(
┌───────────────────┬─────────────────┬─────────────────┬──────────────────────────────────────────┐
│ Entity            │ PK              │ SK              │ Attributes                               │
╞═══════════════════╪═════════════════╪═════════════════╪══════════════════════════════════════════╡
│ Customer          │ C#<id>          │ C#<id>          │ Type, name                               │
├───────────────────┼─────────────────┼─────────────────┼──────────────────────────────────────────┤
│ Invoice           │ I#<id>          │ I#<id>          │ Type, date, status                       │
├───────────────────┼─────────────────┼─────────────────┼──────────────────────────────────────────┤
│ Bill              │ B#<id>          │ B#<id>          │ Type, amount, note                       │
├───────────────────┼─────────────────┼─────────────────┼──────────────────────────────────────────┤
│ Customer.invoices │ I#<invoices.id> │ C#<customer.id> │ Type, customer_name                      │
├───────────────────┼─────────────────┼─────────────────┼──────────────────────────────────────────┤
│ Invoice.bills     │ I#<invoices.id> │ B#<bills.id>    │ Type, share, bills_amount, invoices_date │
└───────────────────┴─────────────────┴─────────────────┴──────────────────────────────────────────┘
)");
}

TEST(EntityChart, AnInvertedIndexHasAllOfThemTheOtherWayRound) {
  const std::string drawing = drawn("billing", "default", {.kinds = {Kind::kChart}});
  EXPECT_SHOWS(drawing, "The table's own keys, the other way round");
  EXPECT_SHOWS(drawing, "│ Customer.invoices │ C#<customer.id> │ I#<invoices.id> │");
}

const char* const kAddresses = R"(model addresses {
  table app { pk PK; sk SK; gsi open GSI1PK / GSI1SK }
  entity Customer { id id; name; state enum(OPEN, SHUT); key "C#<id>" / "C#<id>"; index open "OPEN" / "<name>" when state = "OPEN" }
  entity Address within customer { label id; city }
  entity Tag { word id; store none }
  rel Customer 1--* Address as addresses / customer { via embed map; size max 20 }
  rel Customer *--* Tag as tags / customers { size of tags max 5; size of customers max 100; via edges key "C#<customers.id>" / "T#<tags.word>" index open "T#<tags.word>" / "<customers.id>" }
})";
const char* const kCustomer = R"({"Customer": [{"id": "c1", "name": "Smith", "state": "OPEN",
  "addresses": [{"label": "home", "city": "Rome"}]}], "links": {"Customer.tags": [["c1", "vip"]]}})";

TEST(EntityChart, TellsOfEntitiesWithoutItemsAndOfConditions) {
  const std::string drawing = drawn({.model = kAddresses, .options = {.kinds = {Kind::kChart}}});
  EXPECT_SHOWS(drawing, "│ Address │ in its Customer, in the map addresses │ label, city │");
  EXPECT_SHOWS(drawing, "│ Tag     │ an end of edges only                  │ word        │");
  EXPECT_SHOWS(drawing, "state = \"OPEN\"");
}

// A23, S2: the attribute table, with type, use and sample.
TEST(AttributeTables, TellWhatKeyAttributesHold) {
  EXPECT_SHOWS(drawn("billing", "default", {.kinds = {Kind::kAttributes}}), R"(
│ SK        │ sort key                 │ Customer                         │ C#<id>                            │ C#c1   │
│ STRING    │ partition key of GSI_1   ├──────────────────────────────────┼───────────────────────────────────┼────────┤
│           │                          │ Invoice                          │ I#<id>                            │ I#i1   │
)");
}

TEST(AttributeTables, TellWhereEachFieldIsStored) {
  const std::string drawing = drawn("hr", "method2", {.kinds = {Kind::kAttributes}});
  EXPECT_SHOWS(drawing, "│ copied to Employee as department_name │");
  EXPECT_SHOWS(drawing, "│ attribute department_id               │ d-1 ");
  const std::string embedded =
      drawn({.model = kAddresses, .data = kCustomer, .options = {.kinds = {Kind::kAttributes}}});
  EXPECT_SHOWS(embedded, "│ in Customer.addresses ");
  EXPECT_SHOWS(embedded, "│ attribute addresses ");
  EXPECT_SHOWS(embedded, R"({"home":{"city":"Rome"}})");
}

// A10, E25: the base table beside its index, as method 3 of the document prints it.
TEST(SideBySide, ItemsAreNumberedInTheTablesOrderAndFoundAgainInTheIndexs) {
  const std::string drawing = drawn("hr", "method3", {.kinds = {Kind::kSideBySide}, .text_columns = 200});
  EXPECT_SHOWS(drawing, "10 of 17 items are in the index");
  EXPECT_SHOWS(drawing, "│ d-1                  │ __root__             │ department       │ HR     │ 1  │");
  EXPECT_SHOWS(drawing, "│ d-1_d-e-relationship │ e-1_d-e-relationship │ d-e-relationship │        │ 13 │");
  EXPECT_SHOWS(drawing, "│ 13 │ e-1_d-e-relationship │ d-1_d-e-relationship │ d-e-relationship │");
}

TEST(SideBySide, HasOneColumnForAllAttributesWhereThereIsNoRoom) {
  EXPECT_SHOWS(drawn("support", "default", {.kinds = {Kind::kSideBySide}, .text_columns = 300}),
               "│ subject      │");
  EXPECT_SHOWS(drawn("support", "default", {.kinds = {Kind::kSideBySide}}), "│ subject: It is │");
}

TEST(RelationDiagram, EntitiesAreBoxesAndRelationsLinesWithFeet) {
  EXPECT_SHOWS(drawn("support", "default", {.kinds = {Kind::kRelations}}), R"(
├─────────────────────────┤   org 1        users 0..500    │ within org             │   owner 1         tickets 0..*    ├─────────────────┤
│ * name           string │╫─────────────────────────────○<├────────────────────────┤╫────────────────────────────────○<│ * id       ulid │
│ plan    enum(FREE, PRO) │   collection                   │ * name          string │   index on GSI1                   │ subject  string │
)");
}

TEST(RelationDiagram, SaysHowEachLayoutStoresThem) {
  const Options options{.kinds = {Kind::kRelations}};
  EXPECT_SHOWS(drawn("hr", "method1", options), "index on by_manager");
  EXPECT_SHOWS(drawn("hr", "method4", options), "edges pk reports");
  EXPECT_SHOWS(drawn("hr", "default", options), "chosen: ");
}

TEST(Drawing, WithoutDataIsDrawnWhatNeedsNone) {
  const std::string drawing = drawn({.model = file("hr/model.sheaf")});
  EXPECT_SHOWS(drawing, "Entity chart");
  EXPECT_SHOWS_NOT(drawing, "Item collections");
}

TEST(Drawing, WhatCannotBeDrawnIsAnError) {
  const std::string model = file("hr/model.sheaf");
  const auto without_data = try_to({.model = model, .options = {.kinds = {Kind::kCollections}}});
  ASSERT_FALSE(without_data.ok());
  EXPECT_SHOWS(without_data.error().message, "sample data");
  const auto no_index = try_to({.model = model, .data = file("hr/data.json"), .options = {.index = "none"}});
  ASSERT_FALSE(no_index.ok());
  EXPECT_SHOWS(no_index.error().message, "has no index none");
}

TEST(Drawing, IsTheSameEachTime) {
  for (const Form form : {Form::kText, Form::kMarkdown, Form::kSvg})
    EXPECT_EQ(drawn("hr", "method4", {.form = form}), drawn("hr", "method4", {.form = form}));
}

TEST(Markdown, TablesKeepWhatStandsInThem) {
  const std::string drawing = drawn("support", "default", {.form = Form::kMarkdown});
  EXPECT_SHOWS(drawing, "| **Org**    | `ORG#<name>`");
  EXPECT_SHOWS(drawing, "*plan*<br>`PRO`");
  EXPECT_SHOWS(drawing, "  User ||--o{ Ticket : \"tickets 0..* / owner 1\"\n");
}

TEST(Markdown, BarsAndQuotesInValuesDoNotEndTheirCell) {
  const std::string drawing = drawn({.model = R"(model bars { entity Thing { id id; note } })",
                                     .data = R"({"Thing": [{"id": "a|b", "note": "say `x` | y"}]})",
                                     .options = {.form = Form::kMarkdown, .kinds = {Kind::kCollections}}});
  EXPECT_SHOWS(drawing, R"(`THING#a\|b`)");
  EXPECT_SHOWS(drawing, R"(``say `x` \| y``)");
}

TEST(Markdown, NamesThatMermaidDoesNotTakeAreWrittenByNumber) {
  const std::string drawing =
      drawn({.model = R"(model marks { entity `100% "a#b"` { `no \ space` id enum(A, B) } })",
             .options = {.form = Form::kMarkdown, .kinds = {Kind::kRelations}}});
  EXPECT_SHOWS(drawing, R"(  entity_0["100#37; #34;a#35;b#34;"] {)");
  EXPECT_SHOWS(drawing, R"x(    enum no PK "no #92; space: enum(A, B)")x");
}

// Names and values of all kinds of characters.
std::string hostile_text(std::mt19937& dice) {
  static constexpr std::string_view kPieces[] = {
      "<", ">",    "&", "\"",     "'",      "]]>",    "<!--", "</text>", "&amp;", "|", "`x`", "\\", "a",
      "Ä", "部门", "👍", "\u202e", "\u0001", "\uFFFF", "-",    "%",       "#",     "{", " ",   "\t"};
  std::string text;
  for (size_t count = 1 + dice() % 5; count > 0; --count) text += kPieces[dice() % std::size(kPieces)];
  return text;
}

std::string name_of(std::mt19937& dice, size_t number) {
  std::string text = hostile_text(dice);
  std::erase(text, '`');
  return "`" + text + std::to_string(number) + "`";
}

TEST(Svg, IsWellFormedWhateverTheNamesAndValuesAre) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 dice(seed);
    std::string model = "model " + name_of(dice, 0) + " {\n";
    const std::string entity = name_of(dice, 1);
    const std::string id = name_of(dice, 2);
    const std::string note = name_of(dice, 3);
    model += "entity " + entity + " { " + id + " id; " + note + " }\n";
    model += "rel " + entity + " 1--* " + entity + " as " + name_of(dice, 4) + " / " + name_of(dice, 5) +
             " { size max 3 }\n}\n";
    const model::CompiledModel compiled = model::compile("test.sheaf", model);
    ASSERT_TRUE(compiled.ok()) << compiled.rendered() << "seed " << seed;
    run::Data data;
    for (int count = 0; count < 3; ++count) {
      run::Record record{.identity = {hostile_text(dice)}};
      record.fields[compiled.model.entities[0].fields[0].name] = Value(record.identity[0]);
      record.fields[compiled.model.entities[0].fields[1].name] = Value(hostile_text(dice));
      data.records.push_back(std::move(record));
    }
    const Result<std::string> drawing =
        draw(compiled.model, compiled.layouts[0], &data, {.form = Form::kSvg});
    ASSERT_TRUE(drawing.ok()) << drawing.error().message << " seed " << seed;
    XmlCheck check(*drawing);
    const auto problem = check.run();
    ASSERT_FALSE(problem) << *problem << " seed " << seed;
    const ShownText shown(compiled.model.entities[0].name);
    EXPECT_NE(std::find(check.texts().begin(), check.texts().end(), shown.utf8()), check.texts().end())
        << shown.utf8() << " seed " << seed;
  }
}

TEST(XmlCheckTest, FindsWhatIsNotWellFormed) {
  EXPECT_FALSE(XmlCheck("<a b=\"c\"><text>x &lt; y</text><d/></a>\n").run());
  for (const char* wrong : {"<a>\n", "<a></b>\n", "<a>&nbsp;</a>\n", "<a b=\"c\" b=\"d\"/>\n",
                            "<a b=\"<\"/>\n", "<a>\x01</a>\n", "<a>\xff</a>\n", "<a/><b/>\n", "<a b=c/>\n"})
    EXPECT_TRUE(XmlCheck(wrong).run()) << wrong;
}

}  // namespace
}  // namespace sheaf::draw

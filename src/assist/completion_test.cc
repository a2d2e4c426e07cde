#include "assist/completion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "assist/assist_fixture.h"
#include "language/example_models.h"

namespace sheaf::assist {
namespace {

std::vector<std::string> labels(std::string_view text, SuggestionKind kind) {
  const MarkedText at = marked(text);
  std::vector<std::string> found;
  for (const Suggestion& each : complete(Document("m.sheaf", at.text), at.offset)) {
    if (each.kind == kind) found.push_back(each.label);
  }
  std::sort(found.begin(), found.end());
  return found;
}

using Labels = std::vector<std::string>;
using Kind = SuggestionKind;

// Two entities and three relations; what is being written stands at the end.
std::string school(std::string_view rest) {
  return "model school {\n"
         "  table app { pk PK; sk SK; gsi GSI1 A / B }\n"
         "  entity Class { id id; room int; grade enum(LOW, HIGH); since time; key \"C#<id>\" / \"C\" }\n"
         "  entity Pupil within form { number id int; name; tags list<string> }\n"
         "  rel Class 1--* Pupil as pupils / form { size max 30; via collection }\n"
         "  rel Pupil *--* Pupil as friends { size max 9; via edges }\n"
         "  rel Class *--* Pupil as visitors / visits { edge { day date }; size of visitors max 5; size of "
         "visits max 5; "
         "via edges }\n" +
         std::string(rest);
}

TEST(Completion, KnowsTheDeclarations) {
  EXPECT_EQ(labels("model m { |", Kind::kKeyword),
            (Labels{"compare", "entity", "expect", "layout", "op", "pattern", "rel", "table"}));
  EXPECT_EQ(labels("mo|", Kind::kKeyword), (Labels{"model"}));
  EXPECT_EQ(labels("model m { table t { |", Kind::kKeyword), (Labels{"gsi", "pk", "sk", "tag", "ttl"}));
}

TEST(Completion, KnowsTheClausesOfEntitiesAndFields) {
  EXPECT_EQ(labels("model m { entity A { |", Kind::kKeyword),
            (Labels{"in", "index", "key", "store", "tag", "timestamps", "ttl", "versioned"}));
  EXPECT_EQ(labels("model m { entity A { n |", Kind::kType),
            (Labels{"any", "binary", "bool", "date", "enum", "int", "list", "map", "number", "set", "string",
                    "time", "ulid", "uuid"}));
  EXPECT_EQ(labels("model m { entity A { n int |", Kind::kKeyword),
            (Labels{"changes", "default", "immutable", "matches", "max", "since", "stored", "unique"}));
  EXPECT_EQ(labels("model m { entity A { n int changes |", Kind::kKeyword), (Labels{"often", "rarely"}));
}

TEST(Completion, OffersEntitiesWhereOneIsMeant) {
  EXPECT_EQ(labels(school("  rel |"), Kind::kEntity), (Labels{"Class", "Pupil"}));
  EXPECT_EQ(labels(school("  pattern p(c: C|"), Kind::kEntity), (Labels{"Class", "Pupil"}));
  EXPECT_EQ(labels(school("  layout l { entity |"), Kind::kEntity), (Labels{"Class", "Pupil"}));
  EXPECT_EQ(labels(school("  pattern p() = |"), Kind::kEntity), (Labels{"Class", "Pupil"}));
}

TEST(Completion, OffersWhatAPatternCanWalkAndSelect) {
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $|"), Kind::kParameter), (Labels{"c"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = |"), Kind::kParameter), (Labels{"$c"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c.|"), Kind::kEnd), (Labels{"pupils", "visitors"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c.pupils.|"), Kind::kEnd),
            (Labels{"form", "friends", "visits"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c { *, |"), Kind::kEnd), (Labels{"pupils", "visitors"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c { *, pupils { nu|"), Kind::kField),
            (Labels{"name", "number", "tags"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c { *, pupils { name }, |"), Kind::kField),
            (Labels{"grade", "id", "room", "since"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c + |"), Kind::kEnd), (Labels{"pupils", "visitors"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c.pupils where |"), Kind::kField),
            (Labels{"name", "number", "tags"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c.visitors where edge.|"), Kind::kField),
            (Labels{"day"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c.pupils order form.|"), Kind::kField),
            (Labels{"grade", "id", "room", "since"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class, n: int) = $c.pupils where number = |"), Kind::kParameter),
            (Labels{"$c", "$n"}));
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c { n: count(|"), Kind::kEnd),
            (Labels{"pupils", "visitors"}));
}

TEST(Completion, OffersTheClausesOfPatterns) {
  const Labels found = labels(school("  pattern p(c: Class) = $c.pupils |"), Kind::kKeyword);
  for (const char* word :
       {"where", "filter", "order", "limit", "page", "budget", "rate", "strong", "pattern"})
    EXPECT_TRUE(std::find(found.begin(), found.end(), word) != found.end()) << word;
  EXPECT_EQ(labels(school("  pattern p(c: Class) = $c budget 1 |"), Kind::kKeyword),
            (Labels{"request", "requests", "round", "rounds", "units"}));
}

TEST(Completion, OffersOnlyStrategiesThatFit) {
  const Labels to_many = labels(school("  rel Class 1--* Pupil as a / b { via |"), Kind::kStrategy);
  EXPECT_TRUE(std::find(to_many.begin(), to_many.end(), "collection") != to_many.end());
  const Labels many_to_many = labels(school("  layout l { rel Class.visitors via |"), Kind::kStrategy);
  EXPECT_TRUE(std::find(many_to_many.begin(), many_to_many.end(), "edges") != many_to_many.end());
  EXPECT_TRUE(std::find(many_to_many.begin(), many_to_many.end(), "collection") == many_to_many.end());
}

TEST(Completion, KnowsTheEndsOfARelation) {
  EXPECT_EQ(labels(school("  layout l { rel Class.|"), Kind::kEnd), (Labels{"pupils", "visitors"}));
  EXPECT_EQ(labels(school("  layout l { rel Class.pupils via edges copy |"), Kind::kEnd),
            (Labels{"form", "pupils"}));
  EXPECT_EQ(labels(school("  layout l { rel Class.pupils via edges copy form(|"), Kind::kField),
            (Labels{"grade", "room", "since"}));
  EXPECT_EQ(labels(school("  layout l { rel Class.pupils via edges pk |"), Kind::kEnd),
            (Labels{"form", "pupils"}));
  EXPECT_EQ(labels(school("  layout l { rel Class.pupils via index on |"), Kind::kIndex), (Labels{"GSI1"}));
  EXPECT_EQ(labels(school("  compare Class.|"), Kind::kEnd), (Labels{"pupils", "visitors"}));
  EXPECT_EQ(labels(school("  layout l { } compare [|"), Kind::kLayout), (Labels{"default", "l"}));
}

TEST(Completion, FillsHolesOfKeys) {
  EXPECT_EQ(labels(school("  layout l { entity Pupil { key \"P#<|"), Kind::kField),
            (Labels{"form", "name", "number"}));
  EXPECT_EQ(labels(school("  layout l { entity Pupil { key \"P#<form.|"), Kind::kField),
            (Labels{"grade", "id", "room", "since"}));
  EXPECT_EQ(labels(school("  layout l { entity Pupil { key \"P#|"), Kind::kHole),
            (Labels{"<form.id>", "<name>", "<number>"}));
  EXPECT_EQ(labels(school("  layout l { entity Class { key \"P#<since:|"), Kind::kKeyword),
            (Labels{"day", "hour", "month", "raw", "shard(10)", "year"}));
  EXPECT_EQ(labels(school("  layout l { rel Class.visitors via edges key \"<|"), Kind::kField),
            (Labels{"day", "visitors", "visits"}));
  EXPECT_EQ(labels(school("  layout l { rel Pupil.friends via edges key \"<from.|"), Kind::kField),
            (Labels{"form", "name", "number"}));
  EXPECT_EQ(labels(school("  layout l { entity Pupil { key |"), Kind::kValue),
            (Labels{"\"PUPIL#<form.id>#<number>\""}));
}

// The rest of the text is there, too, while somebody writes in the middle.
TEST(Completion, WorksInTheMiddleOfAText) {
  EXPECT_EQ(labels("model m {\n  entity A { id id }\n  pattern p(a: A) = $a.|\n  entity B { id id }\n"
                   "  rel A 1--* B as bs / a { size max 3 }\n}\n",
                   Kind::kEnd),
            (Labels{"bs"}));
  EXPECT_EQ(labels("model m {\n  entity A { id id; key \"A#<|>\" / \"A\" }\n}\n", Kind::kField),
            (Labels{"id"}));
}

TEST(Completion, OffersTheValuesOfAnEnum) {
  EXPECT_EQ(labels(school("  op f(c: Class) = set $c.grade = \"|"), Kind::kValue), (Labels{"HIGH", "LOW"}));
  EXPECT_EQ(labels(school("  pattern p(x: int) = Class where grade = \"L|"), Kind::kValue),
            (Labels{"HIGH", "LOW"}));
}

TEST(Completion, KnowsOperations) {
  EXPECT_EQ(labels(school("  op f(c: Class) = |"), Kind::kKeyword),
            (Labels{"add", "check", "delete", "link", "put", "remove", "set", "unlink", "upsert"}));
  EXPECT_EQ(labels(school("  op f(c: Class) = set $c.|"), Kind::kField),
            (Labels{"grade", "id", "room", "since"}));
  EXPECT_EQ(labels(school("  op f(c: Class, p: Pupil) = link $c.visitors $p { |"), Kind::kField),
            (Labels{"day"}));
}

TEST(Completion, GoesIntoFieldsThatHaveFields) {
  const std::string text =
      "model m { entity A { id id; home { street; place { zip; town } } }\n  op f(a: A) = set $a.home.";
  EXPECT_EQ(labels(text + "|", Kind::kField), (Labels{"place", "street"}));
  EXPECT_EQ(labels(text + "place.|", Kind::kField), (Labels{"town", "zip"}));
  EXPECT_EQ(labels(text + "street.|", Kind::kField), (Labels{}));
}

// An end whose name could not be read is there, and has none.
TEST(Completion, LeavesOutWhatHasNoName) {
  EXPECT_EQ(
      labels("model m { entity A { id id } rel A 1--* A as bs / 2 { size max 3 }\n  pattern p(a: A) = $a.|",
             Kind::kEnd),
      (Labels{"bs"}));
}

TEST(Completion, SaysNothingInComments) {
  const MarkedText at = marked("model m { // ent|\n}");
  EXPECT_TRUE(complete(Document("m.sheaf", at.text), at.offset).empty());
}

TEST(Completion, ReplacesWhatIsWrittenAlready) {
  const MarkedText at = marked("model m { ent|");
  for (const Suggestion& each : complete(Document("m.sheaf", at.text), at.offset)) {
    EXPECT_EQ(each.replaced.begin, 10u);
    EXPECT_EQ(each.replaced.end, 13u);
  }
}

// Attributes, and values of enums: their names are new where they stand.
std::set<std::string> new_names(const language::Model& model) {
  std::set<std::string> names;
  const auto add_table = [&](const language::Table& table) {
    for (const auto& key : {table.pk, table.sk}) {
      if (key) names.insert(key->name.text);
    }
    if (table.tag) names.insert(table.tag->text);
    for (const language::Gsi& gsi : table.indexes) {
      names.insert(gsi.pk.text);
      if (gsi.sk) names.insert(gsi.sk->text);
    }
  };
  for (const language::Table& table : model.tables) add_table(table);
  for (const language::Layout& layout : model.layouts) {
    for (const language::Table& table : layout.tables) add_table(table);
  }
  const std::function<void(const std::vector<language::Field>&)> add_values =
      [&](const std::vector<language::Field>& fields) {
        for (const language::Field& field : fields) {
          if (field.stored_as) names.insert(field.stored_as->text);
          if (!field.type) continue;
          for (const language::Name& value : field.type->values) names.insert(value.text);
          add_values(field.type->fields);
        }
      };
  for (const language::Entity& entity : model.entities) add_values(entity.fields);
  for (const language::Relation& relation : model.relations) add_values(relation.edge_fields);
  return names;
}

// What stands in a text without mistakes is offered where it stands: keywords and names.
TEST(Completion, OffersEveryWordOfEveryModelInItsPlace) {
  size_t words = 0;
  for (const auto& [path, text] : models_on_disk()) {
    const Document document(path, text);
    const std::set<std::string> others = new_names(document.model().syntax());
    for (const language::Token& token : document.tokens()) {
      if (token.kind != language::Token::Kind::kName) continue;
      const Occurrence* const name = document.symbols().at(token.span.begin);
      const bool is_new = name != nullptr ? name->is_declaration : others.contains(std::string(token.text));
      if (is_new) continue;
      ++words;
      const auto found = complete(document, token.span.begin);
      EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const Suggestion& each) {
                                return each.text == token.text ||
                                       each.text.starts_with(std::string(token.text) + " ");
                              }))
          << path << ":" << document.source().position(token.span.begin).line << ": " << token.text;
    }
  }
  EXPECT_GT(words, 1000u);
}

TEST(Completion, NoBeginningOfAModelConfusesIt) {
  for (const std::string_view text : language::kExampleModels) {
    for (size_t size = 0; size < text.size(); size += 7) {
      const Document document("beginning.sheaf", std::string(text.substr(0, size)));
      for (const Suggestion& each : complete(document, static_cast<uint32_t>(size))) {
        ASSERT_LE(each.replaced.begin, each.replaced.end);
        ASSERT_EQ(each.replaced.end, size);
        ASSERT_FALSE(each.label.empty());
      }
    }
  }
}

}  // namespace
}  // namespace sheaf::assist
